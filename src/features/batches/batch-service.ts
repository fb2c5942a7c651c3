import type { Keyv } from 'keyv';
import type {
  Batch,
  BatchEvent,
  BatchPlan,
  BatchProgress,
  BatchRow,
  ChangeRow,
  DoneOf,
  RowOutcome,
} from '../../domain/batch.ts';
import { batchQueue, type NewQueueEntry } from '../../domain/queues.ts';
import type { BatchService } from '../../operations/services/features.ts';
import type { LiveMessage } from '../../operations/services/platform.ts';
import { createUser } from '../users/create-user.ts';
import { mailboxes, type Mail } from '../../durable/mail.ts';
import type { Outbox } from '../../storage/storage.ts';
import { newBatch, outcomesOf, type StoredBatch, countOf, outcomeOf, presentRow } from './stored-batch.ts';
import { importUsers } from '../imports/import-users.ts';
import { durationOf } from '../../operations/define-plan.ts';

/** What a batch works through. It never changes. */
export type StoredRows = Pick<BatchPlan, 'rows' | 'source'>;

/** What all messages of batches have in place of a subscription. */
export const batchMessages = 'batches';

/** A batch that was paused can be resumed, and its result read, for so long. */
const rowsTtlMs = 60 * 24 * 60 * 60_000;
const rowsAtHand = 5;

/** Reads the rows of batches. A batch reads them with every row, so those of the latest batches stay in memory. */
export function createBatchRows(store: Pick<Keyv<StoredRows>, 'get' | 'set' | 'delete'>) {
  const atHand = new Map<string, StoredRows>();
  const keyOf = (teamId: string, id: string) => `${teamId}:${id}`;
  function keep(key: string, rows: StoredRows): StoredRows {
    atHand.delete(key);
    atHand.set(key, rows);
    const [oldest] = atHand.keys();
    if (atHand.size > rowsAtHand && oldest !== undefined) atHand.delete(oldest);
    return rows;
  }
  return {
    async add(teamId: string, id: string, { rows, source }: StoredRows): Promise<void> {
      await store.set(keyOf(teamId, id), { rows, source }, rowsTtlMs);
    },
    async forget(teamId: string, id: string): Promise<void> {
      await store.delete(keyOf(teamId, id));
    },
    async of(teamId: string, id: string): Promise<StoredRows | undefined> {
      const key = keyOf(teamId, id);
      const known = atHand.get(key);
      if (known) return keep(key, known);
      const stored = await store.get(key);
      return stored && keep(key, stored);
    },
  };
}

export type BatchRows = ReturnType<typeof createBatchRows>;

/**
 * Makes a batch of a plan, and stores its rows. The batch begins when the entries are put, which can be part of a larger
 * step; rows without a batch are forgotten.
 *
 * @param by the owner, by whose rights it runs
 * @param approvedBy as in `Batch`
 * @param liveId the live message that shows its progress, null for none; its own message unless given
 */
export async function startBatch(
  plan: BatchPlan,
  {
    teamId,
    by,
    liveId,
    rows,
    now,
    newId,
    ...start
  }: Pick<Batch, 'teamId' | 'approvedBy' | 'approval' | 'takesOver'> & {
    by: string;
    liveId?: string | null;
    rows: Pick<BatchRows, 'add'>;
    now: () => number;
    newId: () => string;
  },
): Promise<{ batch: Batch; entries: NewQueueEntry[] }> {
  const { operation, action, done } = plan;
  const { approvedBy, approval, takesOver } = start;
  const id = newId();
  const batch: Batch = {
    id,
    teamId,
    ownerId: by,
    approvedBy,
    operation,
    action,
    done,
    startedAt: now(),
    endedAt: null,
    state: 'running',
    outcomes: [],
    approval,
    takesOver,
    liveId: liveId === undefined ? `batch-${id}` : liveId,
  };
  await rows.add(teamId, batch.id, plan);
  return { batch, entries: [batchEntry(batch, { kind: 'start', batch }, now())] };
}

const { entry, events: eventsOf } = mailboxes('batch', batchMessages);

export function batchEntry({ teamId, id }: Pick<Batch, 'teamId' | 'id'>, event: BatchEvent, at: number): NewQueueEntry {
  return entry(batchQueue(teamId, id), event, at);
}

/** The batches of workspaces, as operations, campaigns and live messages work with them. */
export function createBatchService(deps: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  mail: Mail;
  rows: BatchRows;
  newId: () => string;
  now: () => number;
}) {
  const { outbox, mail, rows, now } = deps;

  async function known(
    teamId: string,
    id: string,
  ): Promise<{ state: StoredBatch; rows: readonly BatchRow[]; source: StoredRows['source'] } | undefined> {
    const [{ state }, stored] = await Promise.all([
      outbox.stateOf<StoredBatch | null>(batchQueue(teamId, id)),
      rows.of(teamId, id),
    ]);
    if (state) return { state, rows: stored?.rows ?? [], source: stored?.source };
    const [first] = eventsOf(await outbox.waiting(batchQueue(teamId, id), { limit: 1 }));
    if (first?.kind !== 'start' || stored === undefined) return undefined;
    return { state: newBatch(first.batch, stored.rows), rows: stored.rows, source: stored.source };
  }

  async function progress(teamId: string, id: string): Promise<BatchProgress | undefined> {
    const batch = await known(teamId, id);
    return batch && progressOf(batch.state, batch.rows, now());
  }

  return {
    service: (teamId: string): BatchService => ({
      async start(plan, by, approval) {
        const { batch, entries } = await startBatch(plan, { ...deps, teamId, by, approval });
        await mail.put(entries);
        return batch;
      },
      async hold(plan, by, takesOver) {
        const { batch, entries } = await startBatch(plan, { ...deps, teamId, by, takesOver });
        await mail.put(entries);
        return {
          async callOff() {
            await mail.put([batchEntry(batch, { kind: 'call off' }, now())]);
            await rows.forget(teamId, batch.id);
          },
        };
      },
      progress: (id) => progress(teamId, id),
      async result(id) {
        const batch = await known(teamId, id);
        return (
          batch && {
            operation: batch.state.batch.operation,
            ownerId: batch.state.batch.ownerId,
            state: batch.state.batch.state,
            rows: batch.rows,
            outcomes: outcomesOf(batch.state),
            source: batch.source,
          }
        );
      },
      async put(id, event) {
        await mail.put([batchEntry({ teamId, id }, event, now())]);
      },
    }),
    /**
     * Makes a batch whose progress another live message shows, if any. It begins when the entries are put.
     *
     * @param start.by the person by whose rights it runs
     */
    async startBatch(
      teamId: string,
      plan: BatchPlan,
      start: { by: string; approvedBy?: string; liveId: string | null },
    ): Promise<{ batchId: string; entries: readonly NewQueueEntry[] }> {
      const { batch, entries } = await startBatch(plan, { ...deps, ...start, teamId });
      return { batchId: batch.id, entries };
    },
    progressOf: progress,
    /** The rows of a batch with their outcomes; undefined for an unknown batch. */
    async rowsOf(teamId: string, id: string) {
      const batch = await known(teamId, id);
      if (batch === undefined) return undefined;
      const outcomes = outcomesOf(batch.state);
      return {
        state: batch.state.batch.state,
        rows: batch.rows.map((row, index) => ({ row, outcome: outcomes[index] ?? ({ kind: 'waiting' } as const) })),
      };
    },
    /** What the live message with an ID shows: `batch-1` for batch 1; undefined for an unknown batch. */
    async live(teamId: string, id: string): Promise<LiveMessage | undefined> {
      const batch = await known(teamId, id.replace(/^batch-/, ''));
      if (batch === undefined) return undefined;
      const current = progressOf(batch.state, batch.rows, now());
      const { ownerId: personId, endedAt } = current.batch;
      // Whether the messages about passwords arrive is known later.
      const mayLackPasswords = batch.rows.some(createsWithPassword);
      return {
        to: { personId },
        announcement: { kind: 'batch-progress', progress: current, now: now() },
        isFinal: endedAt !== null && !mayLackPasswords,
      };
    },
  };
}

/** Whether the row creates a user to whom the service mails no password. */
function createsWithPassword(row: BatchRow): boolean {
  if (row.kind === 'none') return false;
  const [{ operation, input }] = row.changes;
  return operation === createUser.name && !input['welcome']?.includes('send');
}

/** How far a batch is. @param now in milliseconds since the epoch */
export function progressOf(state: StoredBatch, rows: readonly BatchRow[], now: number): BatchProgress {
  const {
    batch: { id, action, done, ownerId, state: condition, startedAt, endedAt },
    kinds,
    problem,
    notBefore,
  } = state;
  const planned = (kind: RowOutcome['kind']) =>
    rows.filter((row) => row.kind === 'none' && row.outcome.kind === kind).length;
  const total = rows.filter((row) => row.kind === 'change').length;
  const failed = countOf(state, 'failed');
  const canUndo = rows.some(
    (row, at) => outcomeOf(state, at).kind === 'done' && row.kind === 'change' && row.undo !== undefined,
  );
  const withoutPassword = Object.values(state.details).filter(({ isWithoutPassword }) => isWithoutPassword).length;
  const passwordsShown = Object.values(state.details).filter(({ isPasswordShown }) => isPasswordShown).length;
  const needApproval = Object.values(state.details).filter((detail) => detail.needsApproval).length;
  const present = presentRow(state);
  return {
    batch: { id, action, done, ownerId, state: condition, startedAt, endedAt },
    total: rows.length === 0 ? kinds.length : total,
    // A row that turns out to be as asked is done with.
    done: countOf(state, 'done') + countOf(state, 'same') - planned('same'),
    failed: failed - planned('failed'),
    imported:
      state.batch.operation === importUsers.name
        ? {
            created: doneOf(state, rows, (row) => row.userId === undefined),
            updated: doneOf(state, rows, (row) => row.userId !== undefined),
            errors: failed,
          }
        : undefined,
    skipped: countOf(state, 'skipped') - planned('skipped'),
    readyAt:
      condition === 'running'
        ? Math.max(now, notBefore) + durationOf(present === undefined ? [] : rows.slice(present))
        : undefined,
    canUndo: canUndo || undefined,
    needApproval: needApproval || undefined,
    withoutPassword: withoutPassword || undefined,
    passwordsShown: passwordsShown || undefined,
    needsNewApproval: needsNewApproval(state, rows, now) || undefined,
    problem,
  };
}

/** How many of the rows of one kind are done. A user is created, whatever becomes of their groups and quizzes. */
function doneOf(state: StoredBatch, rows: readonly BatchRow[], isOne: (row: ChangeRow) => boolean): DoneOf {
  const some = rows.flatMap((row, at) =>
    row.kind === 'change' && isOne(row) ? [{ row, ...outcomeOf(state, at) }] : [],
  );
  const isDone = ({ row, kind, userId }: (typeof some)[number]) =>
    kind === 'done' || kind === 'same' || (row.userId === undefined && userId !== undefined);
  return { done: some.filter(isDone).length, total: some.length };
}

/** Whether a row that is left needs approval, and the approval has expired. */
function needsNewApproval(
  { batch: { approval }, kinds }: StoredBatch,
  rows: readonly BatchRow[],
  now: number,
): boolean {
  if (approval === undefined || now < approval.expiresAt) return false;
  return rows.some((row, at) => row.kind === 'change' && row.needsApproval && /[tw]/.test(kinds.charAt(at)));
}
