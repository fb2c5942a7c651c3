import type { Keyv } from 'keyv';
import type { Announcement } from '../../domain/announcement.ts';
import type {
  Batch,
  BatchApproval,
  BatchEvent,
  BatchPlan,
  BatchProgress,
  BatchRow,
  TakenOver,
} from '../../domain/batch.ts';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import { batchQueue } from '../../domain/queue-names.ts';
import type { BatchService } from '../../operations/services/batches.ts';
import { createUser } from '../users/create-user.ts';
import { mailboxes, type Mail } from '../../durable/mail.ts';
import type { Outbox } from '../../storage/storage.ts';
import { progressOf } from './progress.ts';
import { newBatch, outcomesOf, type StoredBatch } from './stored-batch.ts';

/** What a batch works through. It never changes. */
export type StoredRows = Pick<BatchPlan, 'rows' | 'source'>;

/** What all messages of batches have in place of a subscription. */
export const batchMessages = 'batches';

/** A batch that was paused can be resumed, and its result read, for so long. */
const rowsTtlMs = 60 * 24 * 60 * 60_000;
const rowsAtHand = 5;

/** Reads the rows of batches. A batch reads them with every row, so those of the latest batches stay in memory. */
export function createBatchRows(store: Pick<Keyv<StoredRows>, 'get' | 'set' | 'delete'>): {
  add(teamId: string, id: string, rows: StoredRows): Promise<void>;
  forget(teamId: string, id: string): Promise<void>;
  of(teamId: string, id: string): Promise<StoredRows | undefined>;
} {
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
    async add(teamId, id, { rows, source }) {
      await store.set(keyOf(teamId, id), { rows, ...(source && { source }) }, rowsTtlMs);
    },
    async forget(teamId, id) {
      await store.delete(keyOf(teamId, id));
    },
    async of(teamId, id) {
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
    approvedBy,
    approval,
    takesOver,
    liveId,
    rows,
    now,
    newId,
  }: {
    teamId: string;
    by: string;
    approvedBy?: string | undefined;
    approval?: BatchApproval | undefined;
    takesOver?: TakenOver;
    liveId?: string | null;
    rows: Pick<BatchRows, 'add'>;
    now: () => number;
    newId: () => string;
  },
): Promise<{ batch: Batch; entries: NewQueueEntry[] }> {
  const { operation, action, done } = plan;
  const id = newId();
  const batch: Batch = {
    id,
    teamId,
    ownerId: by,
    ...(approvedBy !== undefined && { approvedBy }),
    operation,
    action,
    ...(done !== undefined && { done }),
    startedAt: now(),
    endedAt: null,
    state: 'running',
    outcomes: [],
    ...(approval && { approval }),
    ...(takesOver && { takesOver }),
    liveId: liveId === undefined ? `batch-${id}` : liveId,
  };
  await rows.add(teamId, batch.id, plan);
  return { batch, entries: [batchEntry(batch, { kind: 'start', batch }, now())] };
}

const { entry, events: eventsOf } = mailboxes('batch', batchMessages);

export function batchEntry({ teamId, id }: Pick<Batch, 'teamId' | 'id'>, event: BatchEvent, at: number): NewQueueEntry {
  return entry(batchQueue(teamId, id), event, at);
}

/** The batches of workspaces, as operations work with them. */
export function createBatchService(deps: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  mail: Mail;
  rows: BatchRows;
  newId: () => string;
  now: () => number;
}): {
  of: (teamId: string) => BatchService;
  /** What the message shows; undefined for an unknown batch. @param id of the live message: `batch-1` for batch 1 */
  liveBatch: (
    teamId: string,
    id: string,
  ) => Promise<{ to: { personId: string }; announcement: Announcement; isFinal: boolean } | undefined>;
} {
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
    of: (teamId) => ({
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
            ...(batch.source && { source: batch.source }),
          }
        );
      },
      async put(id, event) {
        await mail.put([batchEntry({ teamId, id }, event, now())]);
      },
    }),
    async liveBatch(teamId, id) {
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
