import type { BatchRow, RowOutcome } from '../domain/batch.ts';
import type { AuditEntry } from '../domain/audit-chain.ts';
import { InvigilatorError } from '../domain/errors.ts';
import type { NewQueueEntry, QueueEntry } from '../domain/queue-entry.ts';
import { directMessages, liveQueue, personQueue, readQueue } from '../domain/queue-names.ts';
import type { Directory } from '../directory/directory.ts';
import type { Actor } from '../directory/identity.ts';
import type { Audit } from '../governance/audit.ts';
import type { AfterCreate } from '../governance/own-password.ts';
import type { Log } from '../observability/log.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { CallOptions, Turns } from '../quiz-api/transport.ts';
import type { Outbox } from '../storage/storage.ts';
import { requestsOf } from '../operations/row-cost.ts';
import { batchMessages, type BatchRows } from './batch-service.ts';
import { lookUpRow, sendRow, takenAddress, type RowContext } from './change-row.ts';
import type { OwnerCheck } from './owner.ts';
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
 * Carries batches out, a row at a time. Before a row is sent, its state says so; after a crash, or an answer that was lost, the
 * service is asked before the row is sent again.
 *
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when something happens
 */
export function createBatchQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  rows: Pick<BatchRows, 'of'>;
  api: QuizApi;
  directory: Directory;
  owner: OwnerCheck;
  pace: RequestPace;
  audit: Audit;
  makePassword: () => string;
  /** Whether users get a message about a quiz that is theirs. */
  notifiesRespondents: boolean;
  /** Lets a new user set their own password. */
  afterCreate: AfterCreate;
  newCorrelationId: () => string;
  wake: (queue: string) => Promise<void>;
  log: Log;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, owner, pace, log, now } = deps;

  return async (queue) => {
    const { teamId, id } = readQueue(queue);
    const stored = await deps.rows.of(teamId, id);
    const rows = stored?.rows ?? [];
    const read = await outbox.stateOf<StoredBatch | null>(queue);
    let { version } = read;
    let state = read.state ?? undefined;
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
        const actor = await owner.actorOf(batch.ownerId, call);
        const allowed = current.needs.length === 0 ? { ...current, needs: owner.needs(rows, actor) } : current;
        const refusal = owner.refusal(allowed, actor);
        if (refusal !== undefined && batch.state === 'running') return await stop(allowed, refusal);
        return await owner.inTurn(row, { teamId, call }, async () => change(allowed, index, row, { actor, call }));
      } catch (error) {
        return takeFailure(error, index, row, turns);
      }
    }

    async function change(
      current: StoredBatch,
      index: number,
      row: Exclude<BatchRow, { kind: 'none' }>,
      { actor, call }: { actor: Actor; call: CallOptions },
    ): Promise<number> {
      state = current;
      const { kind, userId } = outcomeOf(current, index);
      const context: RowContext = {
        ...deps,
        call,
        onUser: async (made) => keepOrThrow(withOutcome(state ?? current, index, { kind: 'trying', userId: made })),
      };
      if (kind === 'trying') {
        phase = 'look-up';
        pace.spend(1);
        const found = await lookUpRow(row, context, userId);
        if ('problem' in found) return settle(state, index, { kind: 'failed', error: found.problem });
        if (found.kind === 'made') return settle(state, index, found.outcome);
        if (current.batch.state === 'cancelled') return settle(state, index, { kind: 'skipped' });
        if (current.tries >= triesAtMost)
          return settle(state, index, {
            kind: 'failed',
            error: 'The quiz service didn’t answer, and the change wasn’t made.',
          });
      }
      const refusal =
        (await owner.rowRefusal(row, current, actor, call)) ??
        (row.kind === 'create' ? await takenAddress(row, context) : undefined);
      if (refusal !== undefined) return settle(state, index, { kind: 'failed', error: refusal });
      phase = kind === 'trying' ? 'again' : 'first';
      await keepOrThrow(
        { ...withOutcome(state, index, { ...outcomeOf(state, index), kind: 'trying' }), tries: current.tries + 1 },
        false,
      );
      pace.spend(requestsOf(row));
      return settle(state, index, await sendRow(row, context));
    }

    async function takeFailure(
      error: unknown,
      index: number,
      row: BatchRow,
      turns: Turns,
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
          return settle(current, index, { kind: 'failed', error: cause.message });
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

    async function settle(current: StoredBatch, index: number, outcome: RowOutcome): Promise<number> {
      await keep(
        { ...withOutcome(current, index, outcome), failures: 0, tries: 0, notBefore: 0 },
        { put: await messagesOf(index, outcome) },
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

    /** A user who has got a quiz has a message about it, and a new user one with their password. */
    async function messagesOf(index: number, { kind, userId: made }: RowOutcome): Promise<NewQueueEntry[]> {
      const row = rows[index];
      if (kind !== 'done' || state === undefined || row === undefined) return [];
      const { ownerId: by } = state.batch;
      const assigned = (
        userIds: readonly string[],
        quiz: { id: string; name: string },
        through: { groupId?: string } = {},
      ): NewQueueEntry[] =>
        (deps.notifiesRespondents ? userIds : []).map((userId) => ({
          queue: personQueue(teamId, userId),
          subscriptionId: directMessages,
          at: now(),
          content: { kind: 'assigned', quizId: quiz.id, quizName: quiz.name, by, ...through },
        }));
      if (row.kind === 'assign') {
        const { quizId, quizName, to, id: assignee, members = [] } = row;
        if (quizName === undefined) return [];
        return to === 'user'
          ? assigned([assignee], { id: quizId, name: quizName })
          : assigned(members, { id: quizId, name: quizName }, { groupId: assignee });
      }
      if ((row.kind !== 'create' && row.kind !== 'update') || made === undefined) return [];
      const password =
        row.kind === 'create'
          ? await deps.afterCreate({ teamId, userId: made, user: row.user, by, of: { batchId: id, row: index } })
          : [];
      return [...password, ...row.user.quizzes.flatMap((quiz) => assigned([made], quiz))];
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

    async function keepOrThrow(next: StoredBatch, isShown = false): Promise<void> {
      if (!(await keep(next, { isShown }))) throw new OtherRunError('another instance runs the queue');
    }
  };

  async function record({ batch }: StoredBatch, action: AuditEntry['action'], message: string): Promise<void> {
    await deps.audit(batch.teamId, {
      at: now(),
      correlationId: deps.newCorrelationId(),
      by: batch.ownerId,
      operation: 'run-batch',
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
