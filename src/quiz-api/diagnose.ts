import { Agent } from 'undici';
import { clockDiagnosis, fault, right, unknown, type Diagnosis } from '../domain/diagnosis.ts';
import type { Check, CheckMeaning, Finding } from '../domain/finding.ts';
import { keyRefusal, remedyOf } from './errors.ts';
import { createQuizApi } from './quiz-api.ts';
import { say } from '../domain/said.ts';

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

/**
 * Checks the address, the key, the clock and the zone with one request, for the list of quizzes.
 * @returns with whether the service answers
 */
export async function diagnoseQuizService(
  setup: Setup,
  now: () => number,
): Promise<{ check: Check; diagnoses: Diagnosis[] }> {
  const dispatcher = new DatedAgent(setup.agentOptions);
  const api = createQuizApi({ ...setup, dispatcher, now });
  const clock = () => clockDiagnosis('the quiz service', dispatcher.date, now());
  try {
    const quizzes = await api.quizzes.list({ deadline: now() + 20_000 });
    const [unreadable] = api.unreadable();
    const well = `the service accepts QUIZ_API_KEY and lists ${quizzes.length} ${quizzes.length === 1 ? 'quiz' : 'quizzes'}`;
    const diagnoses = [
      ...(unreadable === undefined
        ? []
        : [
            fault(
              `${unreadable.count} quizzes cannot be read and are left out: correct them in the quiz account, or ask its support`,
            ),
          ]),
      clock(),
      zoneDiagnosis(
        quizzes.flatMap(({ date_created: created }) => created?.getTime() ?? []),
        setup.timeZone,
        now(),
      ),
    ];
    return { check: { ...serviceMeaning, well, look: async () => undefined }, diagnoses };
  } catch (error) {
    const failure = error instanceof Error ? error.name : 'unknown';
    return {
      check: { ...serviceMeaning, look: async () => serviceFinding(failure) },
      diagnoses:
        dispatcher.date === undefined
          ? [unknown('clock and zone were not checked')]
          : [clock(), unknown('the zone was not checked')],
    };
  } finally {
    await api.close();
    await dispatcher.close();
  }
}

/** Reads the IDs of all users with one request; undefined where the service does not give them. */
export async function listUserIds(setup: Setup, now: () => number): Promise<string[] | undefined> {
  const api = createQuizApi({ ...setup, now });
  try {
    const users = await api.users.list({ deadline: now() + 20_000 });
    return users.map(({ user_id: id }) => id);
  } catch {
    return undefined;
  } finally {
    await api.close();
  }
}

interface Setup {
  baseUrl: string;
  apiKey: string;
  timeZone: string;
  userAgent: string;
  agentOptions: Agent.Options;
}

function zoneDiagnosis(moments: readonly number[], timeZone: string, nowMs: number): Diagnosis {
  const latest = Math.max(...moments, -Infinity);
  if (latest === -Infinity) return unknown('QUIZ_TIME_ZONE cannot be checked: no quiz has a date');
  const shown = `the newest quiz was created on ${new Date(latest).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
  if (latest > nowMs + futureAtMostMs)
    return fault(`QUIZ_TIME_ZONE=${timeZone} is wrong: ${shown}, in the future. Set the time zone of the quiz account`);
  return right(
    `QUIZ_TIME_ZONE=${timeZone}: ${shown}. If that is some hours off, set the time zone of the quiz account`,
  );
}

export const serviceMeaning: CheckMeaning = {
  name: 'quizService',
  topic: 'Quiz service',
  well: 'the quiz service answers',
  gauge: {
    name: 'invigilator_quiz_service_up',
    help: 'Whether the quiz service answered the last call of this instance: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'not checked',
    remedy: 'read the log of the bot, and try again in a minute',
    forAdministrators: { headline: say`The quiz service wasn’t checked`, advice: '' },
  },
};

const forAdministrators = {
  headline: say`The quiz service isn’t answering`,
  advice: say`The bot continues when it answers again.`,
};

/** What it means that the last call failed. @param failure the name of its error */
export function serviceFinding(failure: string): Finding {
  const isRefused = failure === keyRefusal;
  return {
    code: isRefused ? keyRefused : 'quiz_service_failed',
    effect: 'degrades',
    problem: isRefused
      ? 'refuses the API key; people see an error message'
      : 'did not answer the last request; people see an error message',
    forOperator: remedyOf(failure),
    forAdministrators: isRefused
      ? {
          headline: say`The quiz service refuses the bot’s API key`,
          advice: say`Ask the person who runs the bot to replace it.`,
        }
      : forAdministrators,
  };
}

/** The code of a service that refuses the key. */
export const keyRefused = 'quiz_key_refused';

/** Before the first call. */
export const notAskedYet: Finding = {
  code: 'quiz_service_not_asked',
  effect: 'unknown',
  problem: 'not asked yet',
  forOperator: 'the quiz service was not asked yet',
  forAdministrators: { headline: say`The quiz service wasn’t asked yet`, advice: '' },
};
