import type { Log } from '../observability/log.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import { BudgetError, NotFoundError, QuizApiError } from '../quiz-api/errors.ts';
import { isSubmitted, type QuizResponse, type Responses, type SubmittedResponse } from '../quiz-api/responses.ts';
import { StoreAwayError, type Inbox, type Outbox } from '../storage/storage.ts';
import type { Subscription } from '../domain/subscription.ts';
import { backoffMs } from '../time/backoff.ts';
import { subjectOf, syntheticEvent } from './event.ts';
import { backfillQueue } from '../domain/queue-names.ts';
import type { TakeEvent } from './take-event.ts';

/** How often each quiz is compared, unless there are too many for the request budget. */
const roundMs = 15 * 60_000;
/** Of all requests the service takes; retries of a call come on top. */
const shareOfRequests = 0.1;
/** With less than this share of the requests left, people come first. */
const shareLeftToPeople = 0.5;
const looksAgainAfterMs = 60_000;
/** At the start the lists are loaded, which people wait for. */
const beginsAfterMs = 5_000;
const firstPauseMs = 60_000;
/** Until then the webhook may still arrive, or be sent again. */
const graceMs = 10 * 60_000;
/** Shorter than events are known, or responses would be announced twice. */
const looksBackMs = 7 * 24 * 3_600_000;
const callTimeoutMs = 60_000;
/** A quiz that fails so often for a reason that nobody foresaw waits for its next turn. */
const triesAtMost = 5;
/** Responses looked up at once. */
const batchSize = 200;

/** Where the next run goes on, also after a restart. */
interface Progress {
  lastQuizId: string;
  /** Milliseconds since the epoch. */
  askedAt: number;
  pauseMs: number;
  /** In a row. */
  failures: number;
  /** The tries of the quiz whose turn it is that failed for a reason that nobody foresaw. Default: 0. */
  tries?: number;
}

/**
 * Finds submissions whose webhook never came: compares the responses of the subscribed quizzes with the events that are
 * known, a quiz each run. A missing response is taken as an event of the bot's own. What was submitted before
 * the quiz was subscribed to is left out.
 *
 * @param deps.quizIds every quiz of the account; read only where a subscription is to all of them
 * @param deps.onBackfilled called with how many were found
 * @returns runs, and returns when to run next (milliseconds since the epoch); a run before that does nothing
 */
export function createBackfill(deps: {
  inbox: Pick<Inbox, 'knownSubjects'>;
  takeEvent: TakeEvent;
  outbox: Pick<Outbox, 'stateOf' | 'commit'>;
  subscriptions: () => Promise<readonly Subscription[]>;
  quizIds: () => Promise<readonly string[]>;
  responses: Pick<Responses, 'list'>;
  budget: Pick<RequestBudget, 'left'>;
  onBackfilled: (count: number) => void;
  log: Log;
  now: () => number;
}): () => Promise<number> {
  const { inbox, outbox, budget, log, now } = deps;
  const beginsAt = now() + beginsAfterMs;

  return async () => {
    if (now() < beginsAt && now() > beginsAt - beginsAfterMs) return beginsAt;
    const { version, state } = await outbox.stateOf<Progress>(backfillQueue);
    // After the clock was set back, `askedAt` lies in the future.
    if (state && state.askedAt <= now() && now() < dueAt(state)) return dueAt(state);
    const { windows } = await budget.left();
    if (windows.some(({ left, limit }) => left < limit * shareLeftToPeople)) return now() + looksAgainAfterMs;

    const spacingMs = Math.max(0, ...windows.map(({ windowMs, limit }) => windowMs / (limit * shareOfRequests)));
    const { lastQuizId = '', failures = 0, tries = 0 } = state ?? {};
    let quizId = lastQuizId;
    const progress = (pauseMs: number, failed: number): Progress => ({ lastQuizId: quizId, askedAt: now(), pauseMs: Math.ceil(Math.max(spacingMs, pauseMs)), failures: failed });
    const keep = async (next: Progress) => {
      await outbox.commit(backfillQueue, { version, state: next, isBusy: false });
      return dueAt(next);
    };
    try {
      const sinceOf = await watched();
      const quizIds = [...sinceOf.keys()].toSorted();
      const next = quizIds.find((id) => id > lastQuizId) ?? quizIds[0];
      if (next === undefined) return now() + roundMs;
      quizId = next;
      await takeUnannounced(quizId, sinceOf.get(quizId) ?? now());
      return await keep(progress(roundMs / quizIds.length, 0));
    } catch (error) {
      if (error instanceof BudgetError) return error.availableAt.getTime() + looksAgainAfterMs;
      if (error instanceof StoreAwayError) throw error;
      if (!(error instanceof QuizApiError) && tries + 1 < triesAtMost) {
        await keep({ lastQuizId, askedAt: now(), pauseMs: 0, failures, tries: tries + 1 });
        throw error;
      }
      log.warn({ error, quiz: quizId }, 'a quiz could not be compared with the webhooks that came; it is compared again later');
      return keep(progress(backoffMs(failures + 1, { firstMs: firstPauseMs, longestMs: roundMs }), failures + 1));
    }
  };

  /** The subscribed quizzes, and since when they are. */
  async function watched(): Promise<Map<string, number>> {
    const sinceOf = new Map<string, number>();
    const watch = (quizId: string, since: number) => sinceOf.set(quizId, Math.min(since, sinceOf.get(quizId) ?? Infinity));
    const subscriptions = await deps.subscriptions();
    const toAll = subscriptions.filter(({ quiz }) => quiz === null).map(({ createdAt }) => createdAt);
    if (toAll.length > 0) for (const quizId of await deps.quizIds()) watch(quizId, Math.min(...toAll));
    for (const { quiz, createdAt } of subscriptions) if (quiz !== null) watch(quiz.id, createdAt);
    return sinceOf;
  }

  async function takeUnannounced(quizId: string, since: number): Promise<void> {
    const responses = await responsesOf(quizId);
    const from = Math.max(since, now() - looksBackMs);
    const until = now() - graceMs;
    const submitted = responses.filter(isSubmitted).filter((response) => isWithin(response, from, until)).toSorted((a, b) => submittedAt(a) - submittedAt(b));
    let backfilled = 0;
    const failures: unknown[] = [];
    for (let start = 0; start < submitted.length; start += batchSize) {
      const { taken, failed } = await takeUnknown(submitted.slice(start, start + batchSize));
      backfilled += taken;
      failures.push(...failed);
    }
    if (backfilled > 0) {
      log.warn({ quiz: quizId, backfilled }, 'webhooks never came: their submissions are announced late');
      deps.onBackfilled(backfilled);
    }
    if (failures.length > 0) throw failures[0];
  }

  async function responsesOf(quizId: string): Promise<QuizResponse[]> {
    try {
      return await deps.responses.list(quizId, { priority: 'background', deadline: now() + callTimeoutMs });
    } catch (error) {
      if (!(error instanceof NotFoundError && error.isFromService)) throw error;
      log.debug({ quiz: quizId }, 'a subscribed quiz is not there any more');
      return [];
    }
  }

  /**
   * One after the other, since entries keep the order in which they are put. A response that fails does not keep the others.
   * @returns how many were unknown, and the errors
   */
  async function takeUnknown(responses: readonly SubmittedResponse[]): Promise<{ taken: number; failed: unknown[] }> {
    const known = await inbox.knownSubjects(responses.map(subjectOf));
    let taken = 0;
    const failed: unknown[] = [];
    for (const response of responses.filter((one) => !known.has(subjectOf(one)))) {
      try {
        if ((await deps.takeEvent(syntheticEvent('backfilled', response, now()))) === 'taken') taken += 1;
      } catch (error) {
        if (error instanceof StoreAwayError) throw error;
        failed.push(error);
      }
    }
    return { taken, failed };
  }
}

function dueAt({ askedAt, pauseMs }: Progress): number {
  return askedAt + pauseMs;
}

function isWithin(response: SubmittedResponse, from: number, until: number): boolean {
  return submittedAt(response) >= from && submittedAt(response) <= until;
}

/** A response without a date is older than any period. */
function submittedAt({ date_submitted }: SubmittedResponse): number {
  return date_submitted?.getTime() ?? 0;
}
