import { Agent } from 'undici';
import { clockFinding, fault, right, unknown, type Finding } from '../domain/finding.ts';
import {
  ConnectionError,
  FirewallError,
  ForbiddenError,
  NotFoundError,
  NotJsonError,
  RateLimitedError,
  ServiceError,
  SslRequiredError,
  TimeoutError,
  WrongAddressError,
} from './errors.ts';
import { createQuizApi } from './quiz-api.ts';

/** A date this far in the future shows that the zone is wrong; zones are at least 15 minutes apart. */
const futureAtMostMs = 10 * 60_000;

/** Remembers when the service answered. */
class DatedAgent extends Agent {
  date: string | undefined;

  override async request(...parameters: Parameters<Agent['request']>) {
    const response = await super.request(...parameters);
    const { date } = response.headers;
    this.date = typeof date === 'string' ? date : this.date;
    return response;
  }
}

/** Checks the address, the key, the clock and the zone with one request, for the list of quizzes. */
export async function diagnoseQuizService(
  setup: { baseUrl: string; apiKey: string; timeZone: string; userAgent: string },
  now: () => number,
): Promise<Finding[]> {
  const dispatcher = new DatedAgent();
  const api = createQuizApi({ ...setup, dispatcher, now });
  const clock = () => clockFinding('the quiz service', dispatcher.date, now());
  try {
    const quizzes = await api.quizzes.list({ deadline: now() + 20_000 });
    const [unreadable] = api.unreadable();
    return [
      right(
        `the service accepts QUIZ_API_KEY and lists ${quizzes.length} ${quizzes.length === 1 ? 'quiz' : 'quizzes'}`,
      ),
      ...(unreadable === undefined
        ? []
        : [
            fault(
              `${unreadable.count} quizzes cannot be read and are left out: correct them in the quiz account, or ask its support`,
            ),
          ]),
      clock(),
      zoneFinding(
        quizzes.flatMap(({ date_created: created }) => created?.getTime() ?? []),
        setup.timeZone,
        now(),
      ),
    ];
  } catch (error) {
    const found = fault(explain(error));
    return dispatcher.date === undefined
      ? [found, unknown('clock and zone were not checked')]
      : [found, clock(), unknown('the zone was not checked')];
  } finally {
    await api.close();
    await dispatcher.close();
  }
}

/** Reads the IDs of all users with one request; undefined where the service does not give them. */
export async function listUserIds(
  setup: { baseUrl: string; apiKey: string; timeZone: string; userAgent: string },
  now: () => number,
): Promise<string[] | undefined> {
  const api = createQuizApi({ ...setup, now });
  try {
    return (await api.users.list({ deadline: now() + 20_000 })).map(({ user_id: id }) => id);
  } catch {
    return undefined;
  } finally {
    await api.close();
  }
}

function zoneFinding(moments: readonly number[], timeZone: string, nowMs: number): Finding {
  const latest = Math.max(...moments, -Infinity);
  if (latest === -Infinity) return unknown('QUIZ_TIME_ZONE cannot be checked: no quiz has a date');
  const shown = `the newest quiz was created on ${new Date(latest).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
  if (latest > nowMs + futureAtMostMs)
    return fault(`QUIZ_TIME_ZONE=${timeZone} is wrong: ${shown}, in the future. Set the time zone of the quiz account`);
  return right(
    `QUIZ_TIME_ZONE=${timeZone}: ${shown}. If that is some hours off, set the time zone of the quiz account`,
  );
}

function explain(error: unknown): string {
  if (error instanceof ForbiddenError)
    return 'the service refuses QUIZ_API_KEY: copy the key again from the API tab of the quiz account’s settings';
  if (error instanceof SslRequiredError) return 'the service accepts only https: correct QUIZ_API_URL';
  if (error instanceof FirewallError)
    return 'a firewall answers with a web page: ask for access for the address of this machine';
  if (error instanceof WrongAddressError) return 'QUIZ_API_URL redirects: set it to the base address of the service';
  if (error instanceof NotFoundError)
    return 'nothing of the service is at QUIZ_API_URL: set it to the base address, without /api';
  if (error instanceof NotJsonError)
    return 'a web page answers at QUIZ_API_URL: check the address, or wait for the end of the service’s maintenance';
  if (error instanceof RateLimitedError)
    return 'the service takes no more requests with this key for now: give other programs their own key, and try again in an hour';
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return 'the service cannot be reached: check QUIZ_API_URL, and that this machine can connect to it';
  if (error instanceof ServiceError) return 'the service answers with an error: try again later';
  return `the service gives an answer that the bot cannot read (${error instanceof Error ? error.name : 'unknown'}): check QUIZ_API_URL`;
}
