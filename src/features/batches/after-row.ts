import { failedWith, failedFor, QuizApiError, turnAfter } from '../../quiz-api/errors.ts';
import type { BatchRow, QuizNotice, RowOutcome } from '../../domain/batch.ts';
import { directMessages, liveQueue, personQueue, type NewQueueEntry } from '../../domain/queues.ts';
import { type Keep, restFor } from '../../durable/machine.ts';
import type { Performed } from '../../governance/perform/perform-row.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { DoneResult } from '../../operations/page.ts';
import { batchWords } from './operations/batch-words.ts';
import { batchMessages } from './batch-service.ts';
import { outcomeOf, withOutcome, type StoredBatch } from './stored-batch.ts';
import { PlatformError } from '../../domain/errors.ts';
import { explainFailure } from '../../governance/perform/failures.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import { UsersBusyError } from '../../governance/rights/user-protection.ts';
import { StoreAwayError } from '../../storage/storage.ts';
import { backoffMs } from '../../time/timers.ts';

/** The row whose turn it is. */
export interface PresentRow {
  index: number;
  row: BatchRow;
}

/** What the decisions about a row depend on, besides the batch. */
export interface AroundRow {
  rows: readonly BatchRow[];
  /** Whether users get a message about a quiz that is theirs. */
  notifiesRespondents: boolean;
  now: number;
}

/** The batch, with what it tells people. @param isShown whether the message about its progress changes */
export function keepBatch(
  state: StoredBatch,
  now: number,
  {
    put = [],
    take = [],
    isShown = true,
  }: { put?: readonly NewQueueEntry[]; take?: readonly number[]; isShown?: boolean } = {},
): Keep<StoredBatch | null> {
  const { liveId, teamId } = state.batch;
  const refresh = { subscriptionId: batchMessages, at: now, content: { kind: 'refresh' as const } };
  return {
    kind: 'keep',
    state,
    take,
    put: [...put, ...(isShown && liveId !== null ? [{ queue: liveQueue(teamId, liveId), ...refresh }] : [])],
  };
}

/** The row has this outcome. */
export function settled(
  state: StoredBatch,
  present: PresentRow,
  outcome: RowOutcome,
  around: AroundRow,
  messages: readonly NewQueueEntry[] = [],
): Keep<StoredBatch | null> {
  const next = { ...withOutcome(state, present.index, outcome), failures: 0, tries: 0, ...restFor(0, around.now) };
  return keepBatch(next, around.now, { put: [...messages, ...noticesOf(state, present.row, outcome, around)] });
}

/** No row can be made until a person acts. */
export function stopped(state: StoredBatch, problem: string, now: number): Keep<StoredBatch | null> {
  return keepBatch({ ...state, batch: { ...state.batch, state: 'stopped' }, problem, toRecord: 'stopped' }, now);
}

/** What came of a change of the row. */
export function afterPerformed(
  state: StoredBatch,
  present: PresentRow,
  { performed, password }: { performed: Performed; password: readonly NewQueueEntry[] },
  around: AroundRow,
): Keep<StoredBatch | null> {
  if (performed.kind === 'made') return advanced(state, present, performed.result, password, around);
  if (performed.kind === 'expired') return stopped(state, batchWords.approvalExpired, around.now);
  if (performed.isOfOwner && isForAllLeft(state, present.row, around.rows))
    return stopped(state, performed.message, around.now);
  const needsApproval = performed.needsApproval && { needsApproval: true as const };
  const outcome: RowOutcome = { ...keptOf(state, present), kind: 'failed', error: performed.message, ...needsApproval };
  return settled(state, present, outcome, around);
}

/** Goes on to the next change of the row, or ends it. @param password what lets a new user set their password */
export function advanced(
  state: StoredBatch,
  present: PresentRow,
  result: DoneResult,
  password: readonly NewQueueEntry[],
  around: AroundRow,
): Keep<StoredBatch | null> {
  const { index, row } = present;
  if (row.kind === 'none') return settled(state, present, row.outcome, around);
  const known = outcomeOf(state, index);
  const made = (known.made ?? 0) + 1;
  const userId = row.userId ?? known.userId ?? result.created?.user_id;
  const outcome = { ...keptOf(state, present), userId };
  if (made < row.changes.length && userId === undefined)
    return settled(state, present, { kind: 'failed', error: batchWords.unknownUser }, around, password);
  if (made < row.changes.length) {
    const next = withOutcome(state, index, { ...outcome, kind: 'waiting', made });
    const fresh = { ...next, failures: 0, tries: 0, ...restFor(0, around.now) };
    return keepBatch(fresh, around.now, { put: password, isShown: false });
  }
  // What is so already was made by the request that the batch takes over.
  const isSame = result.isNoChange && row.changes.length === 1 && state.batch.takesOver === undefined;
  const kind = isSame ? 'same' : 'done';
  return settled(state, present, { ...outcome, kind }, around, password);
}

/** What follows where the service failed, or refused the change. */
export function afterFailedRow(
  state: StoredBatch,
  present: PresentRow,
  { cause, phase }: { cause: RowFailure; phase: RowPhase },
  around: AroundRow,
): Keep<StoredBatch | null> {
  if (cause.kind === 'row')
    return settled(state, present, { ...keptOf(state, present), kind: 'failed', error: cause.message }, around);
  const waiting = phase === 'first' && cause.isUnsent ? notTried(state, present) : state;
  if (cause.kind === 'stop') return stopped(waiting, cause.message, around.now);
  const failures = state.failures + 1;
  const until = cause.kind === 'wait' ? cause.until : undefined;
  const pause = restFor(until === undefined ? pauseMs(failures) : until - around.now, around.now);
  return { ...keepBatch({ ...waiting, failures, ...pause }, around.now), at: pause.notBefore };
}

/** As before the change was sent, which it was not. */
function notTried(state: StoredBatch, { index }: PresentRow): StoredBatch {
  const next = withOutcome(state, index, { ...outcomeOf(state, index), kind: 'waiting' });
  return { ...next, tries: Math.max(0, state.tries - 1) };
}

/** Whether every row that is left begins with the same right as this one, which the owner does not have any more. */
function isForAllLeft({ kinds }: StoredBatch, row: BatchRow, rows: readonly BatchRow[]): boolean {
  const rightOf = (one: BatchRow) =>
    one.kind === 'none' ? undefined : operationNamed(one.changes[0].operation)?.right;
  return rows.every(
    (one, at) => !/[tw]/.test(kinds.charAt(at)) || one.kind === 'none' || rightOf(one) === rightOf(row),
  );
}

/** What is known of a row whatever becomes of its next change: the user, and whether they have a password. */
function keptOf(state: StoredBatch, { index }: PresentRow): Pick<RowOutcome, 'userId' | 'isWithoutPassword'> {
  const { userId, isWithoutPassword } = outcomeOf(state, index);
  return { userId, isWithoutPassword };
}

/** A user who has got a quiz has a message about it. */
function noticesOf(
  { batch: { ownerId: by, teamId } }: StoredBatch,
  row: BatchRow,
  { kind, userId }: RowOutcome,
  { notifiesRespondents, now }: AroundRow,
): NewQueueEntry[] {
  if (kind !== 'done' || row.kind !== 'change' || !notifiesRespondents) return [];
  const ofRow: NonNullable<QuizNotice['users']> = userId === undefined ? [] : [{ userId }];
  return (row.notify ?? []).flatMap(({ quizId, quizName, users = ofRow }) =>
    users.map(({ userId: to, groupId }) => ({
      queue: personQueue(teamId, to),
      subscriptionId: directMessages,
      at: now,
      content: { kind: 'assigned', quizId, quizName, by, groupId },
    })),
  );
}

/** Where a row failed: before anything was sent, at the look-up, or when it was sent for the first time or again. */
export type RowPhase = 'before' | 'look-up' | 'first' | 'again';

/**
 * What a failed row means for its batch. `row`: this row fails. `stop`: no row can be carried out until a person acts. `wait`: it
 * is tried again at `until`, or after a pause. `store`: the store failed, and knows more when it is back.
 * `isUnsent`: the service has not made the change.
 */
export type RowFailure = { isUnsent: boolean } & (
  | { kind: 'row' | 'stop'; message: string }
  | { kind: 'wait'; until?: number }
  | { kind: 'store' }
);

/** How long a batch rests after failures in a row, in milliseconds. */
function pauseMs(failures: number): number {
  return backoffMs(failures, { firstMs: 2_000, longestMs: 60_000 });
}

/**
 * @param about.wasSent whether a change was sent before the error
 * @param about.now in milliseconds since the epoch
 */
export function causeOf(
  error: unknown,
  { correlationId, wasSent, phase, now }: { correlationId: string; wasSent: boolean; phase: RowPhase; now: number },
): RowFailure {
  const explained = () => explainFailure(error, correlationId, now).message;
  if (error instanceof InvalidInputError) return { kind: 'row', message: error.message, isUnsent: true };
  if (isOfStore(error)) return { kind: 'store', isUnsent: false };
  const until = turnAfter(error);
  if (until !== undefined) return { kind: 'wait', until, isUnsent: !wasSent };
  // A person has to put this right before the service takes any change.
  if (failedWith(error, 'isOfSetup')) return { kind: 'stop', message: explained(), isUnsent: true };
  if (failedWith(error, 'mayBeDone')) return { kind: 'wait', isUnsent: false };
  // A repeated request can be refused because the first one was carried out.
  if (phase === 'again' && failedFor(error, 'bad request', 'gone')) return { kind: 'wait', isUnsent: false };
  if (error instanceof PlatformError || error instanceof UsersBusyError) return { kind: 'wait', isUnsent: !wasSent };
  if (error instanceof QuizApiError && !failedFor(error, 'bad request', 'gone'))
    return { kind: 'wait', isUnsent: !wasSent };
  return { kind: 'row', message: explained(), isUnsent: true };
}

function isOfStore(error: unknown): boolean {
  const away = [error, Object(error).cause].some((cause) => cause instanceof StoreAwayError);
  return away || Object(error).code === 'ERR_SQLITE_ERROR';
}
