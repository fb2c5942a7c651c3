import type { LiveMessage } from '../../operations/services/platform.ts';
import type { BatchPlan, BatchProgress, BatchRow, BatchState, RowOutcome } from '../../domain/batch.ts';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Audit } from '../../governance/audit/record.ts';
import type { AfterCreate } from '../../governance/passwords/grants.ts';
import type { PerformRow } from '../../governance/perform/perform-row.ts';
import type { Log } from '../../observability/log.ts';
import type { BatchService } from '../../operations/services/batches.ts';
import type { Storage } from '../../storage/storage.ts';
import { batchMachine } from './batch-machine.ts';
import { createBatchRows, createBatchService, startBatch, type StoredRows } from './batch-service.ts';
import { createRequestPace, servicePace } from './pace.ts';

/** The batches of every workspace. */
export interface Batches {
  service: (teamId: string) => BatchService;
  /** Makes a batch whose progress another live message shows, if any. It begins when the entries are put. @param start.by the person by whose rights it runs */
  startBatch(
    teamId: string,
    plan: BatchPlan,
    start: { by: string; liveId: string | null },
  ): Promise<{ batchId: string; entries: readonly NewQueueEntry[] }>;
  /** The rows of a batch with their outcomes; undefined for an unknown batch. */
  rowsOf(
    teamId: string,
    batchId: string,
  ): Promise<{ state: BatchState; rows: readonly { row: BatchRow; outcome: RowOutcome }[] } | undefined>;
  progressOf(teamId: string, batchId: string): Promise<BatchProgress | undefined>;
  /** What the live message with this id shows: `batch-1` for batch 1; undefined for an unknown batch. */
  live(teamId: string, id: string): Promise<LiveMessage | undefined>;
  /** What carries each batch on. */
  machine(deps: {
    performRow: PerformRow;
    audit: Audit;
    notifiesRespondents: boolean;
    afterCreate: AfterCreate;
    newCorrelationId: () => string;
    log: Log;
  }): AnyMachine;
}

export function createBatches({
  storage,
  mail,
  newId,
  now,
}: {
  storage: Pick<Storage, 'kv' | 'outbox'>;
  mail: Mail;
  newId: () => string;
  now: () => number;
}): Batches {
  const { outbox } = storage;
  const rows = createBatchRows(storage.kv<StoredRows>('batch-rows'));
  const { of: service, liveBatch: live } = createBatchService({ outbox, mail, rows, newId, now });

  return {
    service,
    live,
    progressOf: (teamId, batchId) => service(teamId).progress(batchId),
    async startBatch(teamId, plan, start) {
      const { batch, entries } = await startBatch(plan, { ...start, teamId, rows, now, newId });
      return { batchId: batch.id, entries };
    },
    async rowsOf(teamId, batchId) {
      const result = await service(teamId).result(batchId);
      return (
        result && {
          state: result.state,
          rows: result.rows.map((row, index) => ({ row, outcome: result.outcomes[index] ?? { kind: 'waiting' } })),
        }
      );
    },
    machine: (deps) => batchMachine({ ...deps, rows, pace: createRequestPace({ ...servicePace, now }), now }),
  };
}
