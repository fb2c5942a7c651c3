import { minuteMs, hourMs, dayMs } from '../../domain/durations.ts';
import { failedWith, failedFor, turnAfter } from '../../quiz-api/errors.ts';
import type { SetAsideEvent } from '../../domain/alerts-status.ts';
import { directMessages, backfillQueue, digestQueue, pausesQueue } from '../../domain/queues.ts';
import type { EventContent, Events } from '../../domain/queues.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import type { WhoseAttempt } from '../../directory/whose-attempt.ts';
import type { Keep, Machine } from '../../durable/machine.ts';
import { syntheticEvent } from './body.ts';
import { inboxMail, type TakeEvent, type Matcher } from './take.ts';
import type { Latest, WebhookCounters } from './tally.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import { isSubmitted } from '../../quiz-api/responses.ts';
import { waitingAtMost, type InboxState, type Tries } from '../../storage/records.ts';
import { StoreAwayError, type Inbox, type Queues, type Outbox } from '../../storage/storage.ts';
import { backoffMs, createRarely } from '../../time/timers.ts';

/** Submissions taken in one run. */
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
/** An event that is due later than this was postponed while the clock was ahead, and is due. Longer than any pause between tries. */
const longestPostponementMs = dayMs;

/** An event in the inbox. */
interface Waiting<Content = EventContent> {
  position: number;
  event: WaitingEvent & { content: Content };
}
type WaitingEvent = Events['inbox'];
type Hint = Extract<EventContent, { kind: 'hint' }>;

/**
 * Takes what waits in the inbox: submissions that came before the workspace was known, and hints, of which the service has to be
 * asked. An event that fails is tried again later, and never holds up another; after many tries it is set aside. Outages of the
 * service do not count as tries.
 *
 * The service may show a response some time after its hint: it is looked up until it is submitted or gone, for a day.
 *
 * @param deps.isServiceWell whether the service answered the last call
 */
export function inboxMachine(deps: {
  matcher: Pick<Matcher, 'load'>;
  takeEvent: TakeEvent;
  responses: Pick<Responses, 'get'>;
  whoseAttempt: () => Promise<WhoseAttempt>;
  isServiceWell: () => boolean | undefined;
  setAside: SetAside;
  log: Log;
  now: () => number;
}): Machine<InboxState> {
  const { log, now } = deps;

  return {
    mailAtMost: waitingAtMost,
    isBusy: () => false,
    async step({ mail, state }) {
      const tries = new Map(Object.entries(state?.tries ?? {}));
      const waiting = mail.flatMap((entry) =>
        inboxMail.events([entry]).map((event): Waiting => ({ position: entry.position, event })),
      );
      const dueAt = ({ event }: Waiting) => dueTime(tries.get(event.id), now());
      const due = waiting.filter((one) => dueAt(one) <= now()).toSorted((one, other) => dueAt(one) - dueAt(other));
      const submissions = due.filter(({ event }) => event.content.kind !== 'hint');
      const hints = waiting.filter(isHint);
      const hint = due.find(isHint);
      if (submissions.length > 0) return takeSubmissions(submissions.slice(0, batchSize), tries);
      if (hint !== undefined) return tryHint(hint, hints, tries);
      if (waiting.length === 0) return { kind: 'rest', until: undefined };
      return { kind: 'rest', until: Math.max(now() + pauseMs, Math.min(...waiting.map(dueAt))) };
    },
  };

  function keep(done: readonly Waiting[], tries: Map<string, Tries>, at = now() + pauseMs): Keep<InboxState> {
    for (const { event } of done) tries.delete(event.id);
    return {
      kind: 'keep',
      state: { tries: Object.fromEntries(tries) },
      take: done.map(({ position }) => position),
      at,
    };
  }

  async function takeSubmissions(some: readonly Waiting[], tries: Map<string, Tries>): Promise<Keep<InboxState>> {
    await deps.matcher.load();
    const done: Waiting[] = [];
    for (const one of some) {
      try {
        await deps.takeEvent(one.event, 'inbox');
        done.push(one);
      } catch (error) {
        if (error instanceof StoreAwayError) throw error;
        if (await hasEnded(one.event, tries, error, true)) done.push(one);
      }
    }
    return keep(done, tries);
  }

  async function tryHint(
    hint: Waiting<Hint>,
    hints: readonly Waiting<Hint>[],
    tries: Map<string, Tries>,
  ): Promise<Keep<InboxState> | { kind: 'rest'; until: number }> {
    const wasWell = deps.isServiceWell() !== false;
    try {
      return await lookUp(hint, hints, tries);
    } catch (error) {
      if (error instanceof StoreAwayError) throw error;
      const until = turnAfter(error);
      if (until !== undefined) return { kind: 'rest', until };
      const isEnd = await hasEnded(hint.event, tries, error, !isRefusal(error) && (wasWell || !isOutage(error)));
      return keep(isEnd ? [hint] : [], tries, now() + (isRefusal(error) || isOutage(error) ? outagePauseMs : pauseMs));
    }
  }

  async function lookUp(
    hint: Waiting<Hint>,
    hints: readonly Waiting<Hint>[],
    tries: Map<string, Tries>,
  ): Promise<Keep<InboxState>> {
    const { id, takenAt, content } = hint.event;
    const tried = tries.get(id);
    const response = await deps.responses
      .get(content.quizId, content.responseId, { priority: 'background' })
      .catch((error: unknown) => unlessGone(error, tried));
    // One answer settles all hints about a response.
    const others = hints.filter(
      ({ event }) =>
        event.id !== id && event.content.quizId === content.quizId && event.content.responseId === content.responseId,
    );
    if (response !== 'gone' && !isSubmitted(response) && now() - takenAt < triedForMs) {
      const looks = (tried?.looks ?? 0) + 1;
      const afterMs = looksAgainAfterMs[looks - 1] ?? backoffMs(looks - looksAgainAfterMs.length + 3, retryBackoff);
      tries.set(id, { count: 0, since: now(), looks, dueAt: now() + afterMs });
      return keep(others, tries);
    }
    // However many hints come, a response is announced once, and again where the service says something else of it.
    if (response !== 'gone' && isSubmitted(response))
      await deps.takeEvent(syntheticEvent('confirmed', response, now(), await deps.whoseAttempt()));
    return keep([hint, ...others], tries);
  }

  /**
   * Postpones an event whose try has failed, or sets it aside.
   * @param isCounted false where the failure says nothing of the event
   */
  async function hasEnded(
    event: WaitingEvent,
    tries: Map<string, Tries>,
    error: unknown,
    isCounted: boolean,
  ): Promise<boolean> {
    const before = tries.get(event.id) ?? { count: 0, since: 0 };
    const since = before.count === 0 ? now() : before.since;
    const count = isCounted ? before.count + 1 : before.count;
    if (isCounted && (count >= triesAtMost || now() - since >= triedForMs)) {
      await deps.setAside(event, { count, since }, error);
      return true;
    }
    log.debug({ error, event: event.id, tries: count }, 'an event is tried again later');
    tries.set(event.id, { ...before, count, since, dueAt: now() + backoffMs(count, retryBackoff) });
    return false;
  }
}

function isHint(one: Waiting): one is Waiting<Hint> {
  return one.event.content.kind === 'hint';
}

/** When an event is due: at once, before it was tried. */
function dueTime(tries: Tries | undefined, now: number): number {
  return tries === undefined || tries.dueAt > now + longestPostponementMs ? 0 : tries.dueAt;
}

/** Catches the error of what the service has shown before. */
function unlessGone(error: unknown, tried: Tries | undefined): 'gone' {
  if (failedFor(error, 'gone') && tried?.looks !== undefined) return 'gone';
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

const listedAtMost = 5;
const ttlMs = 30 * dayMs;

/** Ends the tries of an event. */
export type SetAside = (event: WaitingEvent, tries: Pick<Tries, 'count' | 'since'>, error: unknown) => Promise<void>;

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
    const { quizId, responseId } = content.kind === 'submission' ? content.submission : content;
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
  inbox: Pick<Inbox, 'forgetBefore'>;
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
