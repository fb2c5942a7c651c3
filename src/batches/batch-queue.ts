import type { ChangeRow, QuizNotice, RowOutcome } from '../domain/batch.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import { InvigilatorError } from '../domain/errors.ts';
import type { NewQueueEntry, QueueEntry } from '../domain/queue-entry.ts';
import { directMessages, liveQueue, personQueue, readQueue } from '../domain/queue-names.ts';
import type { Audit } from '../governance/audit.ts';
import type { AfterCreate } from '../governance/passwords/own-password.ts';
import type { Performed, PerformRow, RowTurn } from '../governance/perform/perform-row.ts';
import type { Log } from '../observability/log.ts';
import type { CallOptions, Turns } from '../quiz-api/transport.ts';
import { runBatch } from '../operations/batches/run-batch.ts';
import { operationNamed } from '../operations/catalog.ts';
import type { DoneResult } from '../operations/operation-result.ts';
import { batchWords } from '../operations/wording/batches.ts';
import type { Outbox } from '../storage/storage.ts';
import { batchMessages, type BatchRows } from './batch-service.ts';
import type { RequestPace } from './pace.ts';
import { causeOf, pauseMs, type RowPhase } from './row-failure.ts';
import { applyEvent, countOf, newBatch, outcomeOf, presentRow, withOutcome, type StoredBatch } from './stored-batch.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
/** The request of a row waits no longer for its turn. Then the queue waits, which holds nothing up. */
const turnMs = 2_000;
/** Of a row, with the retries of the client. */
const rowMs = 60_000;
/** A row that the service never answers must not keep the others waiting for ever. */
const triesAtMost = 5;

/**
 * Has the changes of batches made, one after the other. Before a change is sent, its row says so; after a crash, or an answer
 * that was lost, the service is asked before it is sent again.
 *
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when something happens
 */
export function createBatchQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  rows: Pick<BatchRows, 'of'>;
  performRow: PerformRow;
  pace: RequestPace;
  audit: Audit;
  /** Whether users get a message about a quiz that is theirs. */
  notifiesRespondents: boolean;
  /** Lets a new user set their own password. */
  afterCreate: AfterCreate;
  newCorrelationId: () => string;
  wake: (queue: string) => Promise<void>;
  log: Log;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, performRow, pace, log, now } = deps;

  return async (queue) => {
    const { teamId, id } = readQueue(queue);
    const stored = await deps.rows.of(teamId, id);
    const rows = stored?.rows ?? [];
    const read = await outbox.stateOf<StoredBatch | null>(queue);
    let { version } = read;
    // Versions up to 1.6 did not store when it was started or resumed.
    let state: StoredBatch | undefined = read.state ? { ...read.state, since: read.state.since ?? now() } : undefined;
    let phase: RowPhase = 'before';
    const entries = await outbox.waiting(queue, { limit: eventsAtMost });
    if (entries.length > 0) return takeEvents(entries);
    if (state === undefined || state.batch.endedAt !== null) return undefined;
    return step(state);

    async function takeEvents(waiting: readonly QueueEntry[]): Promise<number> {
      const before = state;
      let next = state;
      for (const { content } of waiting) {
        if (content.kind !== 'batch-event') continue;
        const { event } = content;
        if (event.kind !== 'start') next = next && applyEvent(next, event);
        else next ??= newBatch(event.batch, rows);
      }
      const remove = waiting.map(({ position }) => position);
      if (next === undefined) {
        await outbox.commit(queue, { version, state: null, isBusy: false, remove });
        return now();
      }
      if (before === undefined) await record(next, 'begun', `${rows.length.toLocaleString('en')} changes`);
      await keep(next, { remove });
      return now();
    }

    async function step(current: StoredBatch): Promise<number | undefined> {
      const { batch, notBefore } = current;
      const index = presentRow(current);
      const row = index === undefined ? undefined : rows[index];
      if (batch.state !== 'running' && batch.state !== 'cancelled') return undefined;
      if (stored === undefined) return stop(current, 'The bot no longer has the list of changes.');
      if (index === undefined || row === undefined) return finish(current);
      if (notBefore > now()) return notBefore;
      const turnAt = pace.turn();
      if (turnAt !== undefined) return turnAt;
      if (row.kind === 'none') return settle(current, index, row.outcome);
      const turns: Turns = { waitLeftMs: turnMs };
      const call: CallOptions = { priority: 'background', deadline: now() + rowMs, turns };
      try {
        return await change(current, index, row, call);
      } catch (error) {
        return takeFailure(error, { index, row, turns, call });
      }
    }

    function turnOf(
      { batch, since, ...current }: StoredBatch,
      index: number,
      row: ChangeRow,
      call: CallOptions,
    ): RowTurn {
      const { made = 0, userId } = outcomeOf({ batch, since, ...current }, index);
      const { ownerId, approval } = batch;
      const newUserId = row.userId === undefined ? userId : undefined;
      const one = row.changes[made] ?? row.changes[0];
      return { teamId, batchId: id, ownerId, approval, since, row, change: one, newUserId, call };
    }

    async function change(
      current: StoredBatch,
      index: number,
      row: ChangeRow,
      call: CallOptions,
    ): Promise<number | undefined> {
      const turn = turnOf(current, index, row, call);
      const isUnclear = outcomeOf(current, index).kind === 'trying';
      if (isUnclear) {
        phase = 'look-up';
        pace.spend(1);
        const found = await performRow.lookUp(turn);
        if (found) return advance(current, index, row, found);
        if (current.batch.state === 'cancelled') return settle(current, index, { kind: 'skipped' });
        if (current.tries >= triesAtMost)
          return settle(current, index, {
            kind: 'failed',
            error: 'The quiz service didn’t answer, and the change wasn’t made.',
          });
      }
      phase = isUnclear ? 'again' : 'first';
      pace.spend(row.reads === undefined ? 1 : 2);
      const performed = await performRow.make(turn, async () => {
        const trying: RowOutcome = { ...outcomeOf(current, index), kind: 'trying' };
        await keepOrThrow({ ...withOutcome(current, index, trying), tries: current.tries + 1 });
      });
      return takePerformed(performed, index, row);
    }

    async function takePerformed(performed: Performed, index: number, row: ChangeRow): Promise<number | undefined> {
      const current = state!;
      if (performed.kind === 'made') return advance(current, index, row, performed.result);
      if (performed.kind === 'expired') return stop(current, batchWords.approvalExpired);
      return performed.isOfOwner && isForAllLeft(current, row)
        ? stop(current, performed.message)
        : settle(current, index, {
            ...keptOf(current, index),
            kind: 'failed',
            error: performed.message,
            ...(performed.needsApproval && { needsApproval: true }),
          });
    }

    /** Whether every row that is left begins with the same operation as this one, which the owner may not run any more. */
    function isForAllLeft({ kinds }: StoredBatch, { changes: [{ operation }] }: ChangeRow): boolean {
      const right = operationNamed(operation)?.right;
      return rows.every(
        (row, at) =>
          !/[tw]/.test(kinds.charAt(at)) ||
          row.kind === 'none' ||
          operationNamed(row.changes[0].operation)?.right === right,
      );
    }

    /** Goes on to the next change of the row, or ends it. */
    async function advance(current: StoredBatch, index: number, row: ChangeRow, result: DoneResult): Promise<number> {
      const known = outcomeOf(current, index);
      const made = (known.made ?? 0) + 1;
      const userId = row.userId ?? known.userId ?? result.created?.user_id;
      const password = result.passwordOf
        ? await deps.afterCreate({
            teamId,
            user: result.passwordOf.user,
            by: current.batch.ownerId,
            of: { batchId: id, row: index },
          })
        : [];
      const outcome = { ...keptOf(current, index), ...(userId !== undefined && { userId }) };
      if (made < row.changes.length && userId === undefined)
        return settle(current, index, { kind: 'failed', error: batchWords.unknownUser }, password);
      if (made < row.changes.length) {
        const next = withOutcome(current, index, { ...outcome, kind: 'waiting', made });
        await keep({ ...next, failures: 0, tries: 0, notBefore: 0 }, { put: password, isShown: false });
        return now();
      }
      const kind = result.isNoChange && row.changes.length === 1 ? 'same' : 'done';
      return settle(current, index, { ...outcome, kind }, password);
    }

    async function takeFailure(
      error: unknown,
      { index, row, turns, call }: { index: number; row: ChangeRow; turns: Turns; call: CallOptions },
    ): Promise<number | undefined> {
      if (error instanceof OtherRunError) return now();
      const current = state;
      if (current === undefined) throw error;
      const correlationId = deps.newCorrelationId();
      const cause = causeOf(error, {
        correlationId,
        wasSent: turns.waitLeftMs === Infinity,
        phase,
        name: row.name,
        now: now(),
      });
      if (cause.kind === 'store') throw error;
      log[cause.kind === 'row' ? 'info' : 'warn'](
        { error, batch: current.batch.id, correlationId },
        'a row of a batch is not carried out',
      );
      const waiting =
        phase === 'first' && cause.isUnsent
          ? {
              ...withOutcome(current, index, { ...outcomeOf(current, index), kind: 'waiting' }),
              tries: Math.max(0, current.tries - 1),
            }
          : current;
      switch (cause.kind) {
        case 'row':
          await performRow.recordFailure(turnOf(current, index, row, call), cause.message);
          return settle(current, index, { ...keptOf(current, index), kind: 'failed', error: cause.message });
        case 'stop':
          return stop(waiting, cause.message);
        case 'wait': {
          const failures = current.failures + 1;
          const next = { ...waiting, failures, notBefore: cause.until ?? now() + pauseMs(failures) };
          await keep(next);
          return next.notBefore;
        }
      }
    }

    async function settle(
      current: StoredBatch,
      index: number,
      outcome: RowOutcome,
      messages: readonly NewQueueEntry[] = [],
    ): Promise<number> {
      await keep(
        { ...withOutcome(current, index, outcome), failures: 0, tries: 0, notBefore: 0 },
        { put: [...messages, ...noticesOf(current, index, outcome)] },
      );
      return now();
    }

    async function stop(current: StoredBatch, problem: string): Promise<undefined> {
      const next: StoredBatch = { ...current, batch: { ...current.batch, state: 'stopped' }, problem };
      await record(next, 'stopped', `${progressInWords(next)}. ${problem}`);
      await keep(next);
      return undefined;
    }

    async function finish(current: StoredBatch): Promise<undefined> {
      const isCancelled = current.batch.state === 'cancelled';
      await record(current, isCancelled ? 'stopped' : 'done', progressInWords(current));
      await keep({
        ...current,
        batch: { ...current.batch, state: isCancelled ? 'cancelled' : 'finished', endedAt: now() },
      });
      return undefined;
    }

    /** A user who has got a quiz has a message about it. */
    function noticesOf(
      { batch: { ownerId: by } }: StoredBatch,
      index: number,
      { kind, userId }: RowOutcome,
    ): NewQueueEntry[] {
      const row = rows[index];
      if (kind !== 'done' || row?.kind !== 'change' || !deps.notifiesRespondents) return [];
      const ofRow: NonNullable<QuizNotice['users']> = userId === undefined ? [] : [{ userId }];
      return (row.notify ?? []).flatMap(({ quizId, quizName, users = ofRow }) =>
        users.map(({ userId: to, groupId }) => ({
          queue: personQueue(teamId, to),
          subscriptionId: directMessages,
          at: now(),
          content: { kind: 'assigned', quizId, quizName, by, ...(groupId !== undefined && { groupId }) },
        })),
      );
    }

    /** What is known of a row whatever becomes of its next change: the user, and whether they have a password. */
    function keptOf(current: StoredBatch, index: number): Pick<RowOutcome, 'userId' | 'isWithoutPassword'> {
      const { userId, isWithoutPassword } = outcomeOf(current, index);
      return { ...(userId !== undefined && { userId }), ...(isWithoutPassword && { isWithoutPassword }) };
    }

    /** @param change.isShown whether the message about its progress changes; true unless given */
    async function keep(
      next: StoredBatch,
      {
        remove = [],
        put: messages = [],
        isShown = true,
      }: { remove?: readonly number[]; put?: readonly NewQueueEntry[]; isShown?: boolean } = {},
    ): Promise<boolean> {
      const { liveId } = next.batch;
      const refresh =
        isShown && liveId !== null
          ? [
              {
                queue: liveQueue(teamId, liveId),
                subscriptionId: batchMessages,
                at: now(),
                content: { kind: 'refresh' as const },
              },
            ]
          : [];
      const put = [...messages, ...refresh];
      const isBusy =
        next.batch.state === 'running' || (next.batch.state === 'cancelled' && next.batch.endedAt === null);
      const isKept = await outbox.commit(queue, { version, state: next, isBusy, remove, put });
      if (!isKept) return false;
      version += 1;
      state = next;
      // The sweep wakes what is not woken here.
      for (const to of new Set(put.map((entry) => entry.queue)))
        await deps.wake(to).catch((error: unknown) => log.warn({ error }, 'a queue is woken later'));
      return true;
    }

    async function keepOrThrow(next: StoredBatch): Promise<void> {
      if (!(await keep(next, { isShown: false }))) throw new OtherRunError('another instance runs the queue');
    }
  };

  async function record({ batch }: StoredBatch, action: AuditEntry['action'], message: string): Promise<void> {
    await deps.audit(batch.teamId, {
      at: now(),
      correlationId: deps.newCorrelationId(),
      by: batch.ownerId,
      operation: runBatch.name,
      change: batch.action,
      action,
      through: 'batch',
      details: [{ label: 'Batch', value: batch.id }],
      message,
    });
  }
}

/** Another instance runs the queue. */
class OtherRunError extends InvigilatorError {
  readonly code = 'other_run';
}

function progressInWords(state: StoredBatch): string {
  const count = (kind: RowOutcome['kind']) => countOf(state, kind);
  const total = state.kinds.length.toLocaleString('en');
  const rest = [
    ...(count('failed') > 0 ? [`${count('failed').toLocaleString('en')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped').toLocaleString('en')} not tried`] : []),
  ];
  return [`${(count('done') + count('same')).toLocaleString('en')} of ${total} done`, ...rest].join(', ');
}
