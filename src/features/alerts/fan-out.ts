import type { Log } from '../../observability/log.ts';
import {
  BudgetError,
  ConnectionError,
  FirewallError,
  ForbiddenError,
  NotFoundError,
  NotJsonError,
  OutsideGroupsError,
  RateLimitedError,
  ServiceError,
  SslRequiredError,
  TimeoutError,
  WrongAddressError,
} from '../../quiz-api/errors.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import { isSubmitted } from '../../quiz-api/responses.ts';
import {
  StoreAwayError,
  type EventContent,
  type Inbox,
  type Queues,
  type WaitingEvent,
} from '../../storage/storage.ts';
import { backoffMs } from '../../time/backoff.ts';
import { syntheticEvent } from './event.ts';
import type { Match, Matcher } from './match-subscriptions.ts';
import type { SetAside } from './set-aside.ts';
import type { TakeEvent } from './take-event.ts';

/** Submissions settled in one step. */
const batchSize = 500;
/** Between two runs: webhooks that are being taken come first. */
const pauseMs = 50;
/** The same while the service is down: each hint fails. */
const outagePauseMs = 5_000;

const hourMs = 3_600_000;
/** Between the tries of an event. */
const retryBackoff = { firstMs: 60_000, longestMs: hourMs };
/** An event that failed so often, or for so long, is set aside. */
const triesAtMost = 20;
const triedForMs = 24 * hourMs;

type Waiting<Kind extends EventContent['kind']> = WaitingEvent & { content: Extract<EventContent, { kind: Kind }> };

/**
 * Settles the events that wait in the inbox: submissions that came before the workspace was known, and hints, of which the
 * service has to be asked. An event that fails is tried again later, and never holds up another; after many tries it is
 * set aside. Outages of the service do not count as tries. The sweep runs this again for postponed events.
 *
 * @param deps.isServiceWell whether the service answered the last call
 * @returns settles a batch of submissions or a hint, and returns when to run again (milliseconds since the epoch); undefined when nothing is due
 */
export function createFanOut(deps: {
  inbox: Pick<Inbox, 'waiting' | 'settle' | 'postpone'>;
  matcher: Matcher;
  takeEvent: TakeEvent;
  wake: Queues['wake'];
  responses: Pick<Responses, 'get'>;
  isServiceWell: () => boolean | undefined;
  setAside: SetAside;
  /** Called with how many hints are about a response that is not for the bot. */
  onOthers?: (count: number) => void;
  log: Log;
  now: () => number;
}): () => Promise<number | undefined> {
  const { inbox, matcher, log, now } = deps;

  return async () => {
    const waiting = await inbox.waiting(batchSize, now());
    const submissions = waiting.filter(isOf('submission'));
    const hint = waiting.find(isOf('hint'));
    if (submissions.length > 0) await settleSubmissions(submissions);
    else if (hint) return tryHint(hint, waiting.filter(isOf('hint')).filter(isAbout(hint)));
    else return undefined;
    return now() + pauseMs;
  };

  async function settleSubmissions(events: readonly Waiting<'submission'>[]): Promise<void> {
    await matcher.load();
    const matched: { event: WaitingEvent; match: Match }[] = [];
    for (const event of events) {
      await postponeOnFailure(event, async () => {
        const match = await matcher.match(event.content);
        if (match) matched.push({ event, match });
      });
    }
    // False where the subscriptions have changed meanwhile: the next run matches again.
    if (!(await settleMatched(matched))) return;
    const queues = new Set(matched.flatMap(({ match }) => match.entries.map(({ queue }) => queue)));
    for (const queue of queues) await deps.wake(queue);
  }

  async function settleMatched(matched: readonly { event: WaitingEvent; match: Match }[]): Promise<boolean> {
    const settle = async (some: typeof matched) =>
      inbox.settle(
        some.map(({ event: { position }, match: { entries } }) => ({ position, entries })),
        some[0]?.match,
      );
    try {
      return await settle(matched);
    } catch (error) {
      if (error instanceof StoreAwayError) throw error;
      // The store refuses one of them, or is full: then it cannot postpone either, and the run fails.
      for (const one of matched) await postponeOnFailure(one.event, async () => void (await settle([one])));
      return true;
    }
  }

  /** @param all the hints about the same response, which one answer settles */
  async function tryHint(event: Waiting<'hint'>, all: readonly Waiting<'hint'>[]): Promise<number> {
    const wasWell = deps.isServiceWell() !== false;
    try {
      await settleHints(event, all);
    } catch (error) {
      if (error instanceof StoreAwayError) throw error;
      if (error instanceof BudgetError) return error.availableAt.getTime();
      if (error instanceof RateLimitedError) return error.retryAt.getTime();
      await postpone(event, error, !isRefusal(error) && (wasWell || !isOutage(error)));
      return now() + (isRefusal(error) || isOutage(error) ? outagePauseMs : pauseMs);
    }
    return now() + pauseMs;
  }

  async function settleHints(
    { content: { quizId, responseId } }: Waiting<'hint'>,
    all: readonly Waiting<'hint'>[],
  ): Promise<void> {
    const response = await deps.responses.get(quizId, responseId, { priority: 'background' }).catch(unlessOfOthers);
    if (response === undefined) deps.onOthers?.(all.length);
    // However many hints come, a response is announced once, and again where the service says something else of it.
    else if (isSubmitted(response)) await deps.takeEvent(syntheticEvent('confirmed', response, now()));
    await inbox.settle(all.map(({ position }) => ({ position, entries: [] })));
  }

  async function postponeOnFailure(event: WaitingEvent, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof StoreAwayError) throw error;
      await postpone(event, error, true);
    }
  }

  /** @param isCounted false where the failure says nothing of the event */
  async function postpone(event: WaitingEvent, error: unknown, isCounted: boolean): Promise<void> {
    const { count, since } = event.failures ?? { count: 0, since: 0 };
    const failures = { count: isCounted ? count + 1 : count, since: count === 0 ? now() : since };
    if (isCounted && (failures.count >= triesAtMost || now() - failures.since >= triedForMs)) {
      await deps.setAside(event, failures, error);
      await inbox.settle([{ position: event.position, entries: [] }]);
      return;
    }
    log.debug({ error, event: event.id, tries: failures.count }, 'an event is tried again later');
    await inbox.postpone(event, { ...failures, dueAt: now() + backoffMs(failures.count, retryBackoff) });
  }
}

/** Catches the error of what the bot is not for. */
function unlessOfOthers(error: unknown): undefined {
  if (!(error instanceof OutsideGroupsError)) throw error;
}

/** The service may be down for every response. Whether it is, the call before shows. */
function isOutage(error: unknown): boolean {
  return [ConnectionError, TimeoutError, ServiceError, NotJsonError, FirewallError].some(
    (type) => error instanceof type,
  );
}

/** The service refuses the key, or something else answers at its address. */
function isRefusal(error: unknown): boolean {
  return (
    [ForbiddenError, SslRequiredError, WrongAddressError].some((type) => error instanceof type) ||
    (error instanceof NotFoundError && !error.isFromService)
  );
}

function isAbout({ content: { quizId, responseId } }: Waiting<'hint'>) {
  return ({ content }: Waiting<'hint'>) => content.quizId === quizId && content.responseId === responseId;
}

function isOf<Kind extends EventContent['kind']>(kind: Kind) {
  return (event: WaitingEvent): event is Waiting<Kind> => event.content.kind === kind;
}
