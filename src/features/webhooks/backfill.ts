import { failedWith, failedFor, QuizApiError, turnAfter } from '../../quiz-api/errors.ts';
import type { Subscription } from '../../domain/subscription.ts';
import type { Machine } from '../../durable/machine.ts';
import type { WhoseAttempt } from '../../directory/whose-attempt.ts';
import { subjectOf, syntheticEvent } from './body.ts';
import type { TakeEvent } from './take.ts';
import type { Log } from '../../observability/log.ts';
import type { RequestBudget } from '../../quiz-api/budget/request-budget.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import { isSubmitted, submittedMs, type QuizResponse, type SubmittedResponse } from '../../quiz-api/responses.ts';
import { readInbox } from '../../storage/records.ts';
import { StoreAwayError, type Inbox, type Outbox } from '../../storage/storage.ts';
import { backoffMs } from '../../time/timers.ts';

/** A quiz with a submission in this time probably gets another. */
const activeForMs = 24 * 3_600_000;
/** More than can be compared in time. */
const keptAtMost = 500;

type QuizActivity = ReturnType<typeof createQuizActivity>;

/** Remembers which quizzes have recent submissions, from webhooks and from backfilling. Times are milliseconds since the epoch. */
export function createQuizActivity(now: () => number) {
  const newestAt = new Map<string, number>();

  function isActive(quizId: string): boolean {
    return now() - (newestAt.get(quizId) ?? -Infinity) < activeForMs;
  }

  return {
    isActive,
    seen(quizId: string, at: number): void {
      if (at <= (newestAt.get(quizId) ?? -Infinity)) return;
      newestAt.delete(quizId);
      newestAt.set(quizId, at);
      for (const oldest of newestAt.keys()) if (newestAt.size > keptAtMost) newestAt.delete(oldest);
    },
    /** What outlives a restart. */
    kept: (): Record<string, number> => Object.fromEntries([...newestAt].filter(([quizId]) => isActive(quizId))),
  };
}

/** How often a quiz is compared, unless there are too many for the request budget. */
const roundMs = 15 * 60_000;
/** How often a quiz with recent submissions is compared: with the grace period, a lost webhook is found within 15 minutes. */
const activeRoundMs = 9 * 60_000;
/** Of all requests the service takes; retries of a call come on top. A fifth is 400 an hour, 50 quizzes in each active round. */
const shareOfRequests = { idle: 0.1, active: 0.2 };
/** With less than this share of the requests left, people come first. */
const shareLeftToPeople = { idle: 0.5, active: 0.25 };
/** What active quizzes take of the turns at most, and who has the others: quizzes that are open and assigned, open, or closed. */
const shareOfActive = 0.8;
const otherTurns = ['assigned', 'assigned', 'open', 'closed'] as const;
const looksAgainAfterMs = 60_000;
/** At the start the lists are loaded, which people wait for. */
const beginsAfterMs = 5_000;
const firstPauseMs = 60_000;
/** Until then the webhook may still arrive, or be sent again. */
const graceMs = 5 * 60_000;
/** Shorter than events are known, or responses would be announced twice. */
const looksBackMs = 7 * 24 * 3_600_000;
const callTimeoutMs = 60_000;
/** A quiz that fails so often for a reason that nobody foresaw waits for its next turn. */
const triesAtMost = 5;
/** Responses looked up at once. */
const batchSize = 200;

/** Right after a loss, `ALERTS_CHANNEL` is not subscribed again yet: then nothing is there to compare. */
const noQuizzesYet = { forMs: 60_000, looksEveryMs: 2_000 };

/** Where the next run goes on, also after a restart. */
interface Progress {
  /** The last quiz that was compared: after a restart, those after it come first. */
  lastQuizId: string;
  /** Milliseconds since the epoch. */
  askedAt: number;
  pauseMs: number;
  /** In a row. */
  failures: number;
  /** The tries of the quiz whose turn it is that failed for a reason that nobody foresaw. Default: 0. */
  tries?: number;
  /** When the active quizzes had their last submission. */
  active?: Readonly<Record<string, number>>;
  /**
   * Since when every quiz is compared once, as fast as background work may: the store lost its content then. Webhooks that it had
   * taken do not come again, so nothing is waited for.
   */
  catchingUp?: { since: number };
}

/** What came of a run: when the next one is due (milliseconds since the epoch), and what is kept. */
interface Compared {
  at: number;
  progress?: Progress;
  /** A failure that nobody foresaw. The quiz keeps its turn for some tries. */
  error?: unknown;
}

/**
 * Finds submissions whose webhook never came: compares the responses of the subscribed quizzes with the events that are known, in
 * each run the quiz that is most overdue. Quizzes with recent submissions have the shortest rounds, then those that are open and
 * assigned, then other open ones. A missing response is taken as an event of the bot's own. What was submitted before the quiz was
 * subscribed to is left out.
 *
 * @param deps.quizIds every quiz of the account; read only where a subscription is to all of them
 * @param deps.closedIds quizzes that nobody can take now
 * @param deps.assignedIds quizzes that are assigned to users or groups, as far as it is known
 * @param deps.onBackfilled called with how many were found
 * @param deps.onLag called with how long ago the active quiz was compared that waits longest, in milliseconds
 * A submission is known by its response, so that a comparison may be done twice.
 */
export function backfillMachine(deps: {
  inbox: Pick<Inbox, 'knownSubjects'>;
  outbox: Pick<Outbox, 'waiting' | 'stateOf'>;
  takeEvent: TakeEvent;
  subscriptions: () => Promise<readonly Subscription[]>;
  quizIds: () => Promise<readonly string[]>;
  closedIds: () => Promise<ReadonlySet<string>>;
  assignedIds: () => Promise<ReadonlySet<string>>;
  responses: Pick<Responses, 'list'>;
  whoseAttempt: () => Promise<WhoseAttempt>;
  activity: QuizActivity;
  onLag: (ms: number) => void;
  budget: Pick<RequestBudget, 'left'>;
  onBackfilled: (count: number) => void;
  /** The last loss of the store's content, after which the comparison begins anew. */
  lastLoss?: () => object | undefined;
  log: Log;
  now: () => number;
}): Machine<Progress, never, never, { error: unknown }> {
  const { inbox, budget, activity, onLag, log, now } = deps;
  const beginsAt = now() + beginsAfterMs;
  /** When quizzes were compared last. Of the others, when they would have been: their first comparisons are spread over a round. */
  const comparedAt = new Map<string, number>();
  /** The quizzes with recent submissions, as of the last turn. */
  let active: ReadonlySet<string> = new Set();
  let knownLoss: object | undefined;

  return {
    mailAtMost: 1,
    isBusy: () => false,
    async step({ state }) {
      const { progress, at, error } = await compareNext(state);
      if (progress === undefined) return { kind: 'rest', until: at };
      return { kind: 'keep', state: progress, at, ...(error !== undefined && { note: { error } }) };
    },
    note({ error }) {
      throw error;
    },
  };

  async function compareNext(kept: Progress | undefined): Promise<Compared> {
    if (now() < beginsAt && now() > beginsAt - beginsAfterMs) return { at: beginsAt };
    const loss = deps.lastLoss?.();
    // Quizzes that were compared before the loss was known were compared without the subscriptions that are found late.
    const isLost = loss !== undefined && loss !== knownLoss;
    const state = loss === knownLoss ? kept : undefined;
    knownLoss = loss;
    let catchingUp = isLost ? { since: now() } : state?.catchingUp;
    for (const [quizId, at] of Object.entries(state?.active ?? {})) activity.seen(quizId, at);
    onLag(lagMs());
    // After the clock was set back, `askedAt` lies in the future.
    if (state && state.askedAt <= now() && now() < dueAt(state)) return { at: dueAt(state) };
    const { windows } = await budget.left();
    const pressure = Object.keys(activity.kept()).length > 0 ? 'active' : 'idle';
    if (!catchingUp && windows.some(({ left, limit }) => left < limit * shareLeftToPeople[pressure]))
      return { at: now() + looksAgainAfterMs };

    const spacingMs = catchingUp
      ? 0
      : Math.max(0, ...windows.map(({ windowMs, limit }) => windowMs / (limit * shareOfRequests[pressure])));
    const { failures = 0, tries = 0 } = state ?? {};
    let { lastQuizId = '' } = state ?? {};
    let quizId: string | undefined;
    const progress = (pauseMs: number, failed: number): Progress => ({
      lastQuizId,
      askedAt: now(),
      pauseMs: Math.ceil(Math.max(spacingMs, pauseMs)),
      failures: failed,
      active: activity.kept(),
      catchingUp,
    });
    const keep = (next: Progress): Compared => ({ progress: next, at: dueAt(next) });
    const finish = (id: string) => {
      comparedAt.set(id, now());
      // Active quizzes are caught up with first, and move nothing on.
      if (catchingUp === undefined || !activity.isActive(id)) lastQuizId = id;
    };
    try {
      const sinceOf = await watched();
      const quizIds = [...sinceOf.keys()].toSorted();
      if (catchingUp) {
        const { since } = catchingUp;
        if (quizIds.length === 0 && now() - since < noQuizzesYet.forMs)
          return keep(progress(noQuizzesYet.looksEveryMs, 0));
        const isFirst = (id: string) => activity.isActive(id) && (comparedAt.get(id) ?? -Infinity) < since;
        const next = quizIds.find(isFirst) ?? quizIds.find((id) => id > lastQuizId && !activity.isActive(id));
        if (next === undefined) {
          catchingUp = undefined;
          comparedAt.clear();
          log.info({ quizzes: quizIds.length }, 'all quizzes are compared since the store lost its content');
          return keep(progress(looksAgainAfterMs, 0));
        }
        quizId = next;
        await takeUnannounced(quizId, sinceOf.get(quizId) ?? now(), since);
        finish(quizId);
        return keep(progress(0, 0));
      }
      const turn = nextTurn(
        [...quizIds.filter((id) => id > lastQuizId), ...quizIds.filter((id) => id <= lastQuizId)],
        { closed: await deps.closedIds(), assigned: await deps.assignedIds() },
        spacingMs,
      );
      if (turn === undefined) return { at: now() + roundMs };
      ({ quizId } = turn);
      await takeUnannounced(quizId, sinceOf.get(quizId) ?? now());
      finish(quizId);
      return keep(progress(turn.pauseMs, 0));
    } catch (error) {
      const turn = failedWith(error, 'hadNoTurn') ? turnAfter(error) : undefined;
      if (turn !== undefined)
        return catchingUp ? keep(progress(turn - now(), failures)) : { at: turn + looksAgainAfterMs };
      if (error instanceof StoreAwayError) throw error;
      if (!(error instanceof QuizApiError) && tries + 1 < triesAtMost)
        return { ...keep({ ...progress(0, failures), pauseMs: 0, tries: tries + 1 }), error };
      if (quizId !== undefined) finish(quizId);
      log.warn(
        { error, quiz: quizId },
        'a quiz could not be compared with the webhooks that came; it is compared again later',
      );
      return keep(progress(backoffMs(failures + 1, { firstMs: firstPauseMs, longestMs: roundMs }), failures + 1));
    }
  }

  /** The quiz that is most overdue by its round, and how long to pause after it. @param quizIds all that are compared, where it goes on first */
  function nextTurn(
    quizIds: readonly string[],
    { closed, assigned }: Record<'closed' | 'assigned', ReadonlySet<string>>,
    spacingMs: number,
  ) {
    const kindOf = (id: string) =>
      activity.isActive(id) ? 'active' : closed.has(id) ? 'closed' : assigned.has(id) ? 'assigned' : 'open';
    const byKind = Map.groupBy(quizIds, kindOf);
    const rounds = roundsOf((kind) => byKind.get(kind)?.length ?? 0, spacingMs);
    for (const [place, id] of quizIds.entries()) {
      const round = rounds[kindOf(id)];
      const at = comparedAt.get(id) ?? Infinity;
      // Also of what was compared before the clock was set back.
      if (at > now()) comparedAt.set(id, now() + (place * round) / quizIds.length - round);
      else if (activity.isActive(id) && !active.has(id)) comparedAt.set(id, Math.max(at, now() - round));
    }
    active = new Set(byKind.get('active'));
    const waiting = quizIds.map((quizId) => {
      const round = rounds[kindOf(quizId)];
      const waitedMs = now() - comparedAt.get(quizId)!;
      return { quizId, round, waited: waitedMs / round, dueInMs: round - waitedMs };
    });
    const [first, ...others] = waiting.toSorted((one, other) => other.waited - one.waited);
    return first && { ...first, pauseMs: others.reduce((least, { dueInMs }) => Math.min(least, dueInMs), first.round) };
  }

  function lagMs(): number {
    return [...active].reduce((most, id) => Math.max(most, now() - (comparedAt.get(id) ?? now())), 0);
  }

  /** The subscribed quizzes, and since when they are. */
  async function watched(): Promise<Map<string, number>> {
    const sinceOf = new Map<string, number>();
    const watch = (quizId: string, since: number) =>
      sinceOf.set(quizId, Math.min(since, sinceOf.get(quizId) ?? Infinity));
    const subscriptions = await deps.subscriptions();
    const toAll = subscriptions.filter(({ quiz }) => quiz === null).map(({ createdAt }) => createdAt);
    if (toAll.length > 0) for (const quizId of await deps.quizIds()) watch(quizId, Math.min(...toAll));
    for (const { quiz, createdAt } of subscriptions) if (quiz !== null) watch(quiz.id, createdAt);
    return sinceOf;
  }

  /** @param settledUntil the webhooks of what was submitted before do not come any more */
  async function takeUnannounced(quizId: string, since: number, settledUntil = 0): Promise<void> {
    const responses = await responsesOf(quizId);
    const from = Math.max(since, now() - looksBackMs);
    const until = Math.max(settledUntil, now() - graceMs);
    const submitted = responses
      .filter(isSubmitted)
      .filter((response) => submittedMs(response) >= from && submittedMs(response) <= until)
      .toSorted((a, b) => submittedMs(a) - submittedMs(b));
    const newestAt = responses.reduce(
      (newest, response) => (isSubmitted(response) ? Math.max(newest, submittedMs(response)) : newest),
      0,
    );
    if (newestAt > 0) activity.seen(quizId, Math.min(now(), newestAt));
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
      if (!failedFor(error, 'gone')) throw error;
      log.debug({ quiz: quizId }, 'a subscribed quiz is not there any more');
      return [];
    }
  }

  /**
   * One after the other, since entries keep the order in which they are put. A response that fails does not keep the others.
   * @returns how many were unknown and no webhook had come for, and the errors
   */
  async function takeUnknown(responses: readonly SubmittedResponse[]): Promise<{ taken: number; failed: unknown[] }> {
    const known = await inbox.knownSubjects(responses.map(subjectOf));
    const unknown = responses.filter((one) => !known.has(subjectOf(one)));
    const hinted = unknown.length === 0 ? new Set<string>() : await waitingSubjects();
    let taken = 0;
    const failed: unknown[] = [];
    for (const response of unknown) {
      const isHinted = hinted.has(subjectOf(response));
      try {
        const kind = isHinted ? 'confirmed' : 'backfilled';
        const result = await deps.takeEvent(syntheticEvent(kind, response, now(), await deps.whoseAttempt()));
        if (result === 'taken' && !isHinted) taken += 1;
      } catch (error) {
        if (error instanceof StoreAwayError) throw error;
        failed.push(error);
      }
    }
    return { taken, failed };
  }

  /** The responses of which a webhook has come that waits in the inbox: they are not late. */
  async function waitingSubjects(): Promise<Set<string>> {
    const { events } = await readInbox(deps.outbox);
    return new Set(
      events.map(({ subject, content }) =>
        content?.kind === 'hint' ? subjectOf({ quiz_id: content.quizId, response_id: content.responseId }) : subject,
      ),
    );
  }
}

type Kind = 'active' | (typeof otherTurns)[number];

/** How long the rounds of each kind of quizzes are, so that all of them fit into the requests. */
function roundsOf(count: (kind: Kind) => number, spacingMs: number): Record<Kind, number> {
  const active = Math.max(activeRoundMs, (count('active') * spacingMs) / shareOfActive);
  const perMs = 1 / spacingMs - count('active') / active;
  const turns = otherTurns.map((turn) => [turn, ...otherTurns].find((kind) => count(kind) > 0));
  const roundOf = (kind: Kind) =>
    Math.max(roundMs, count(kind) / (perMs * (turns.filter((turn) => turn === kind).length / turns.length)) || 0);
  return { active, assigned: roundOf('assigned'), open: roundOf('open'), closed: roundOf('closed') };
}

function dueAt({ askedAt, pauseMs }: Progress): number {
  return askedAt + pauseMs;
}
