import { hourMs } from '../../domain/durations.ts';
import type { NamedList } from '../../directory/named-list.ts';
import { stepQueue, waitsQueue, type NewQueueEntry } from '../../domain/queues.ts';
import { say, named } from '../../domain/said.ts';
import type {
  AttemptResult,
  ListedWait,
  ResultWait,
  StepEnding,
  WorkflowEvent,
  StepOutputs,
} from '../../domain/workflow.ts';
import type { Machine } from '../../durable/machine.ts';
import { mailboxes } from '../../durable/mail.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { Quiz, User } from '../../quiz-api/records.ts';
import { attemptsOf } from '../../directory/whose-attempt.ts';
import { createRecent } from '../../time/timers.ts';
import { roundedPercentage, roundedPoints } from '../../domain/result.ts';

/** All steps that wait look at the same time, for which responses and lists are read once. */
const readAgainAfterMs = 60_000;
const timeoutMs = 30_000;

/** The wait after an attempt. One that was submitted before it counts changes nothing. */
export function withAttempt(wait: ResultWait, attempt: AttemptResult): ResultWait {
  const isEarlier = (attempt.submittedAt ?? Infinity) < (wait.countsFrom ?? 0);
  return isEarlier ? wait : { ...wait, result: betterAttempt(wait.result, attempt) };
}

/** Whether the person has done what the wait is for. */
export function isFulfilled({ needsPass, result }: ResultWait): boolean {
  return result !== null && (!needsPass || result.outcome === 'passed');
}

export function endingOf(wait: ResultWait): StepEnding {
  return { kind: 'success', outputs: { ...resultOutputs(wait.result), in_time: isFulfilled(wait) } };
}

/** What the service says of a wait now. @throws a `QuizApiError` where it cannot be asked */
export type LookFor = (wait: ResultWait) => Promise<readonly AttemptResult[] | 'user gone' | 'quiz gone'>;

type List<Item extends object> = Pick<NamedList<Item>, 'get' | 'fresh'>;

/**
 * Asks in the background, by nobody's rights: ask whether a person may see the result before they do. Whether user and quiz are
 * there, the lists of the account say, and a list that lacks one is read anew, since it can be older than a user: to a question
 * about one thing that is gone, some accounts answer with a page, as they do while they are down.
 */
export function createLookFor(deps: {
  users: List<User>;
  quizzes: List<Quiz>;
  responses: Pick<Responses, 'list'>;
  now: () => number;
}): LookFor {
  const { users, quizzes, responses, now } = deps;
  const call = { priority: 'background' } as const;
  const age = { forMs: readAgainAfterMs, now };
  const attempts = createRecent<QuizResponse[]>(age);
  /** Looks for a thing in a list. */
  const createFind = <Item extends object>(list: List<Item>) => {
    const recent = createRecent<readonly Item[]>(age);
    return async (isIt: (item: Item) => boolean) =>
      (await list.get(call)).find(isIt) ?? (await recent.of('', async () => list.fresh(call))).find(isIt);
  };
  const [findUser, findQuiz] = [createFind(users), createFind(quizzes)];

  return async ({ userId, quizId }) => {
    if ((await findUser(({ user_id }) => user_id === userId)) === undefined) return 'user gone';
    if ((await findQuiz(({ quiz_id }) => quiz_id === quizId)) === undefined) return 'quiz gone';
    const all = await attempts.of(quizId, async () => responses.list(quizId, { ...call, deadline: now() + timeoutMs }));
    return attemptsIn(attemptsOf(await users.get(call), all).get(userId) ?? []);
  };
}

/** How a wait ends whose user or quiz is gone. */
export function endingWithout({ names }: Pick<ResultWait, 'names'>, gone: 'user gone' | 'quiz gone'): StepEnding {
  const name = named(gone === 'user gone' ? names.user : names.quiz);
  const message = say`${name} isn’t in the quiz account any more, so there’s no result to wait for.`;
  return { kind: 'error', message };
}

/** The steps of a workspace that wait for results. */
export interface WaitsState {
  waits: readonly ListedWait[];
  /** When they were woken last, in milliseconds since the epoch. */
  wokenAt: number;
}

/** The list after these events. Events that come twice change nothing the second time. */
export function listAfter(waits: readonly ListedWait[], events: readonly WorkflowEvent[]): readonly ListedWait[] {
  return events.reduce((now, event) => {
    if (event.kind === 'listed') return [...without(now, event.wait.executionId), event.wait];
    return event.kind === 'over' ? without(now, event.executionId) : now;
  }, waits);
}

function without(waits: readonly ListedWait[], executionId: string): ListedWait[] {
  return waits.filter((wait) => wait.executionId !== executionId);
}

/** Keeps the list, and wakes the steps on it at each full hour, and each one when its time is over. */
export const waitsMachine: Machine<WaitsState> = {
  mailAtMost: 500,
  isBusy: ({ waits }) => waits.length > 0,
  step({ mailbox: { teamId }, state, mail, now }) {
    const waits = state?.waits ?? [];
    // Nothing is later because the clock was set back.
    const wokenAt = state === undefined ? now : state.wokenAt > now ? 0 : state.wokenAt;
    if (mail.length > 0)
      return {
        kind: 'keep',
        state: { waits: listAfter(waits, eventsOf(mail)), wokenAt },
        take: mail.map(({ position }) => position),
      };
    if (waits.length === 0) return { kind: 'rest', until: undefined };
    const fullHour = (Math.floor(wokenAt / hourMs) + 1) * hourMs;
    const isDue = ({ until }: ListedWait) => now >= fullHour || (until > wokenAt && until <= now);
    const due = waits.filter(isDue);
    const ends = waits.map(({ until }) => until).filter((until) => until > wokenAt);
    if (due.length === 0) return { kind: 'rest', until: Math.min(fullHour, ...ends) };
    return { kind: 'keep', state: { waits, wokenAt: now }, put: looksOf(teamId, due, now) };
  },
};

/** The entries that have steps ask the service. */
export function looksOf(teamId: string, waits: readonly ListedWait[], now: number): NewQueueEntry[] {
  return waits.map(({ executionId }) => workflowEntry(stepQueue(teamId, executionId), { kind: 'look' }, now));
}

/** The entry that puts a step on the list, or takes it off. */
export function listEntry(teamId: string, event: WorkflowEvent, now: number): NewQueueEntry {
  return workflowEntry(waitsQueue(teamId), event, now);
}

export const { entry: workflowEntry, events: eventsOf } = mailboxes('workflow', 'workflows');

const resultWords = { passed: 'passed', failed: 'failed', 'not graded': 'not graded', unmarked: 'not marked' } as const;

/** The outputs about an attempt; null: there is none. What the service does not say is left out. */
export function resultOutputs(attempt: AttemptResult | null): StepOutputs {
  if (attempt === null) return { result: 'not taken', passed: false };
  const { outcome, points, percentage, grade, submittedAt } = attempt;
  const isMarked = outcome !== 'unmarked';
  return {
    result: resultWords[outcome],
    passed: outcome === 'passed',
    ...(isMarked && points !== null && { score: roundedPoints(points) }),
    ...(isMarked && percentage !== null && { percentage: roundedPercentage(percentage) }),
    ...(grade.trim() !== '' && { grade: grade.trim() }),
    ...(submittedAt !== null && { submitted_at: Math.floor(submittedAt / 1000) }),
  };
}

/** The attempt that counts: a passed attempt, or else the latest. */
function betterAttempt(known: AttemptResult | null, other: AttemptResult): AttemptResult {
  if (known === null) return other;
  if (known.outcome === 'passed' || other.outcome === 'passed') return other.outcome === 'passed' ? other : known;
  return (other.submittedAt ?? 0) >= (known.submittedAt ?? 0) ? other : known;
}

/** The attempt that counts among responses; null where none is submitted. */
export function attemptIn(responses: readonly QuizResponse[]): AttemptResult | null {
  return attemptsIn(responses).reduce<AttemptResult | null>(betterAttempt, null);
}

/** The submitted attempts among responses. */
export function attemptsIn(responses: readonly QuizResponse[]): AttemptResult[] {
  return responses.flatMap(({ outcome, points, percentage_score: percentage, grade, date_submitted }) =>
    outcome === null ? [] : [{ outcome, points, percentage, grade, submittedAt: date_submitted?.getTime() ?? null }],
  );
}
