import { minuteMs, hourMs, dayMs } from '../../domain/durations.ts';
import { failedWith, failedFor, turnAfter } from '../../quiz-api/errors.ts';
import type { SetAsideEvent } from '../../domain/alerts-status.ts';
import { directMessages, backfillQueue, digestQueue, inboxQueue, pausesQueue } from '../../domain/queue-names.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { WhoseAttempt } from '../../directory/whose-attempt.ts';
import { syntheticEvent } from './body.ts';
import type { TakeEvent, Match, Matcher } from './take.ts';
import type { Latest, WebhookCounters } from './tally.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import { isSubmitted } from '../../quiz-api/responses.ts';
import {
  StoreAwayError,
  type EventContent,
  type Inbox,
  type Queues,
  type WaitingEvent,
  type Outbox,
} from '../../storage/storage.ts';
import { backoffMs, createRarely } from '../../time/timers.ts';

/** Submissions settled in one step. */
const batchSize = 500;
/** Between two runs: webhooks that are being taken come first. */
const pauseMs = 50;
/** The same while the service is down: each hint fails. */
const outagePauseMs = 5_000;

/** Between the tries of an event. */
const retryBackoff = { firstMs: 60_000, longestMs: hourMs };
/** An event that failed so often, or for so long, is set aside. */
const triesAtMost = 20;
const triedForMs = dayMs;
/** When a response that is not submitted yet is looked up again; later, less and less often, as what fails. */
const looksAgainAfterMs = [2_000, 10_000, 60_000, 120_000, 240_000];

type Waiting<Kind extends EventContent['kind']> = WaitingEvent & { content: Extract<EventContent, { kind: Kind }> };

/**
 * Settles the events that wait in the inbox: submissions that came before the workspace was known, and hints, of which the
 * service has to be asked. An event that fails is tried again later, and never holds up another; after many tries it is
 * set aside. Outages of the service do not count as tries.
 *
 * The service may show a response some time after its hint: it is looked up until it is submitted or gone, for a day.
 *
 * @param deps.isServiceWell whether the service answered the last call
 * @returns settles a batch of submissions or a hint, and returns when to run again (milliseconds since the epoch); undefined when nothing waits
 */
export function createFanOut(deps: {
  inbox: Pick<Inbox, 'waiting' | 'settle' | 'postpone'>;
  matcher: Matcher;
  takeEvent: TakeEvent;
  wake: Queues['wake'];
  responses: Pick<Responses, 'get'>;
  whoseAttempt: () => Promise<WhoseAttempt>;
  isServiceWell: () => boolean | undefined;
  setAside: SetAside;
  log: Log;
  now: () => number;
}): () => Promise<number | undefined> {
  const { inbox, matcher, log, now } = deps;

  return async () => {
    const waiting = await inbox.waiting(batchSize, now());
    const submissions = waiting.filter(isOf('submission'));
    const hint = waiting.find(isOf('hint'));
    if (submissions.length > 0) await settleSubmissions(submissions);
    else if (hint) return tryHint(hint);
    else return nextDueAt();
    return now() + pauseMs;
  };

  async function nextDueAt(): Promise<number | undefined> {
    const postponed = (await allWaiting()).flatMap(({ failures }) => failures?.dueAt ?? []);
    return postponed.length === 0 ? undefined : Math.max(now() + pauseMs, Math.min(...postponed));
  }

  function allWaiting(): Promise<WaitingEvent[]> {
    return inbox.waiting(batchSize, Number.MAX_SAFE_INTEGER);
  }

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

  async function tryHint(event: Waiting<'hint'>): Promise<number> {
    const wasWell = deps.isServiceWell() !== false;
    try {
      await lookUp(event);
    } catch (error) {
      if (error instanceof StoreAwayError) throw error;
      const turn = turnAfter(error);
      if (turn !== undefined) return turn;
      await postpone(event, error, !isRefusal(error) && (wasWell || !isOutage(error)));
      return now() + (isRefusal(error) || isOutage(error) ? outagePauseMs : pauseMs);
    }
    return now() + pauseMs;
  }

  async function lookUp(event: Waiting<'hint'>): Promise<void> {
    const { quizId, responseId } = event.content;
    const response = await deps.responses
      .get(quizId, responseId, { priority: 'background' })
      .catch((error: unknown) => unlessGone(error, event));
    // One answer settles all hints about a response.
    const all = (await allWaiting()).filter(isOf('hint')).filter(isAbout(event));
    if (response !== 'gone' && !isSubmitted(response) && now() - event.takenAt < triedForMs) {
      const looks = (event.failures?.looks ?? 0) + 1;
      const afterMs = looksAgainAfterMs[looks - 1] ?? backoffMs(looks - looksAgainAfterMs.length + 3, retryBackoff);
      await inbox.postpone(event, { count: 0, since: now(), looks, dueAt: now() + afterMs });
      return takeOut(all.filter(({ position }) => position !== event.position));
    }
    // However many hints come, a response is announced once, and again where the service says something else of it.
    if (response !== 'gone' && isSubmitted(response))
      await deps.takeEvent(syntheticEvent('confirmed', response, now(), await deps.whoseAttempt()));
    return takeOut([event, ...all]);
  }

  async function takeOut(events: readonly WaitingEvent[]): Promise<void> {
    await inbox.settle(events.map(({ position }) => ({ position, entries: [] })));
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
    const { count, since, looks } = event.failures ?? { count: 0, since: 0 };
    const failures = { count: isCounted ? count + 1 : count, since: count === 0 ? now() : since, looks };
    if (isCounted && (failures.count >= triesAtMost || now() - failures.since >= triedForMs)) {
      await deps.setAside(event, failures, error);
      return takeOut([event]);
    }
    log.debug({ error, event: event.id, tries: failures.count }, 'an event is tried again later');
    await inbox.postpone(event, { ...failures, dueAt: now() + backoffMs(failures.count, retryBackoff) });
  }
}

/** Catches the error of what the service has shown before. */
function unlessGone(error: unknown, { failures }: WaitingEvent): 'gone' {
  if (failedFor(error, 'gone') && failures?.looks !== undefined) return 'gone';
  throw error;
}

/** The service may be down for every response. Whether it is, the call before shows. */
function isOutage(error: unknown): boolean {
  return failedWith(error, 'isAway') || failedFor(error, 'firewall');
}

/** The service refuses the key, or something else answers at its address. */
function isRefusal(error: unknown): boolean {
  return failedWith(error, 'isOfSetup') && error.reason !== 'firewall';
}

function isAbout({ content: { quizId, responseId } }: Waiting<'hint'>) {
  return ({ content }: Waiting<'hint'>) => content.quizId === quizId && content.responseId === responseId;
}

function isOf<Kind extends EventContent['kind']>(kind: Kind) {
  return (event: WaitingEvent): event is Waiting<Kind> => event.content.kind === kind;
}

const listedAtMost = 5;
const ttlMs = 30 * dayMs;

/** Ends the tries of an event. */
export type SetAside = (
  event: WaitingEvent,
  failures: { count: number; since: number },
  error: unknown,
) => Promise<void>;

/** Keeps the latest events that were set aside for administrators. The caller takes the event out of the inbox. */
export function createSetAside(deps: {
  store: Latest<SetAsideEvent>;
  counters: Pick<WebhookCounters, 'took'>;
  log: Log;
  metrics: Metrics;
}): SetAside {
  const { store, counters, log, metrics } = deps;

  return async ({ id, content }, { count: tries, since }, error) => {
    const submission = content.kind === 'submission' ? content.submission : undefined;
    const { quizId, responseId } = submission ?? (content as Extract<typeof content, { kind: 'hint' }>);
    const event: SetAsideEvent = {
      quizId,
      responseId,
      quizName: submission?.quizName ?? null,
      userId: submission?.userId,
      name: submission?.name ?? null,
      since,
    };
    const others = ((await store.get('latest')) ?? []).filter(
      (other) => other.responseId !== responseId || other.quizId !== quizId,
    );
    await store.set('latest', [event, ...others].slice(0, listedAtMost), ttlMs);
    counters.took('setAside');
    metrics.webhooks.inc({ outcome: 'set_aside' });
    log.warn(
      { error, event: id, response: `${quizId}/${responseId}`, tries },
      'an event is set aside: it failed too often',
    );
  };
}

/** How long entries of a paused subscription are kept, and direct messages that cannot be posted. */
const keptPausedMs = 7 * dayMs;
/** After this, a redelivered event counts as new; the service gives up far sooner. */
const knownForMs = 30 * dayMs;
/** How often what looks for submissions is woken, in case its wake was lost, and old messages are dropped. */
const rarelyMs = 5 * minuteMs;
/** How often old events are looked for, once all were looked at. */
const forgetsEveryMs = hourMs;

/**
 * Runs at the start and then regularly: wakes what looks for submissions, the digests, and what tells owners of pauses, where
 * there can be something to do; drops what has waited too long for a paused subscription; forgets old events.
 */
export function createUpkeep(deps: {
  inbox: Pick<Inbox, 'countWaiting' | 'forgetBefore'>;
  outbox: Pick<Outbox, 'drop'>;
  wake: Queues['wake'];
  matcher: Pick<Matcher, 'load'>;
  /** Without them, direct messages that an earlier configuration put are dropped. */
  notifiesRespondents: boolean;
  log: Log;
  metrics: Metrics;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}): () => Promise<void> {
  const { inbox, outbox, wake, log, now, steadyNow } = deps;
  const isTimeToWake = createRarely({ everyMs: rarelyMs, now });
  const isTimeToDrop = createRarely({ everyMs: rarelyMs, now });
  const isTimeToForget = createRarely({ everyMs: forgetsEveryMs, now });
  let isForgetting = false;
  let knownVersion: number | undefined;

  return async () => {
    const { count, postponed } = await inbox.countWaiting();
    if (count + postponed > 0) await wake(inboxQueue);
    if (isTimeToWake()) await wake(backfillQueue);
    const { teamId, version, subscriptions } = await deps.matcher.load();
    if (knownVersion !== undefined && version !== knownVersion) await wake(backfillQueue);
    knownVersion = version;
    for (const { id, delivery } of subscriptions) if (delivery.kind === 'digest') await wake(digestQueue(teamId, id));
    for (const subscription of subscriptions.filter((one) => isPaused(one, now()))) await dropOld(subscription);
    if (isTimeToDrop()) await dropDirectMessages();
    if (subscriptions.some(({ pause }) => pause?.isOwnerNotified === false)) await wake(pausesQueue);
    isForgetting ||= isTimeToForget();
    if (isForgetting) isForgetting = !(await inbox.forgetBefore(steadyNow() - knownForMs));
  };

  async function dropDirectMessages(): Promise<void> {
    const dropped = await outbox.drop(directMessages, deps.notifiesRespondents ? steadyNow() - keptPausedMs : Infinity);
    if (dropped > 0) deps.metrics.directMessages.inc({ outcome: 'too_old' }, dropped);
  }

  async function dropOld({ id, channelId }: Subscription): Promise<void> {
    const dropped = await outbox.drop(id, steadyNow() - keptPausedMs);
    if (dropped === 0) return;
    deps.metrics.alerts.inc({ outcome: 'dropped' }, dropped);
    log.warn(
      { subscription: id, channel: channelId, dropped },
      'entries that waited for a paused subscription for 7 days are dropped',
    );
  }
}
