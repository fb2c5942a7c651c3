import { say, inEnglish } from '../../domain/said.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { ChangeRow, RowOutcome } from '../../domain/batch.ts';
import type { NewQueueEntry, QueueEntry } from '../../domain/queues.ts';
import { type Machine, type Step, type View, type AnyMachine, restsUntil } from '../../durable/machine.ts';
import type { Audit } from '../../governance/audit/record.ts';
import type { AfterCreate } from '../../governance/passwords/grants.ts';
import type { Performed, PerformRow, RowTurn } from '../../governance/perform/perform-row.ts';
import type { Log } from '../../observability/log.ts';
import type { Turns } from '../../quiz-api/transport.ts';
import { progressCounts } from './operations/batch-words.ts';
import { progressOf, type BatchRows, type StoredRows, createBatchRows, createBatchService } from './batch-service.ts';
import { runBatch } from './operations/run-batch.ts';
import type { DoneResult } from '../../operations/page.ts';
import {
  advanced,
  afterFailedRow,
  afterPerformed,
  keepBatch,
  settled,
  stopped,
  type AroundRow,
  type PresentRow,
  causeOf,
  type RowFailure,
  type RowPhase,
} from './after-row.ts';
import { applyEvent, newBatch, outcomeOf, presentRow, withOutcome, type StoredBatch } from './stored-batch.ts';
import { backgroundPerMinute } from '../../quiz-api/budget/rate-windows.ts';
import type { Storage } from '../../storage/records.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
/** The request of a row waits no longer for its turn. Then the batch waits, which holds nothing up. */
const turnMs = 2_000;
/** Of a row, with the retries of the client. */
const rowMs = 60_000;
/** A row that the service never answers must not keep the others waiting for ever. */
const triesAtMost = 5;

/** A change of a row: `first` or `again`, or looked up. */
interface RowDeed extends PresentRow {
  row: ChangeRow;
  phase: RowPhase;
}

type RowAnswer =
  | { kind: 'performed'; performed: Performed; password: readonly NewQueueEntry[] }
  | { kind: 'found'; result: DoneResult; password: readonly NewQueueEntry[] }
  | { kind: 'failed'; cause: RowFailure };

/** With the rows of the batch; undefined where the bot no longer has them. */
type BatchView = View<StoredBatch | null, StoredRows | undefined>;
type BatchStep = Step<StoredBatch | null, RowDeed>;

/**
 * Has the changes of batches made, one after the other. Before a change is sent, its row says so; after a crash, or an answer
 * that was lost, the service is asked before it is sent again.
 */
export function batchMachine(deps: {
  rows: Pick<BatchRows, 'of'>;
  performRow: PerformRow;
  pace: RequestPace;
  audit: Audit;
  /** Whether users get a message about a quiz that is theirs. */
  notifiesRespondents: boolean;
  /** Lets a new user set their own password. */
  afterCreate: AfterCreate;
  newCorrelationId: () => string;
  log: Log;
  now: () => number;
}): Machine<StoredBatch | null, RowDeed, RowAnswer, never, StoredRows | undefined> {
  const { performRow, pace, log, now } = deps;
  const around = ({ first, now: at }: BatchView): AroundRow => ({
    rows: first?.rows ?? [],
    notifiesRespondents: deps.notifiesRespondents,
    now: at,
  });

  async function step(view: BatchView): Promise<BatchStep> {
    const { mail, first: rows, now: at } = view;
    const state = stateIn(view);
    if (mail.length > 0) return takeEvents(state, mail, around(view));
    if (state === undefined) return { kind: 'rest', until: undefined };
    if (isHeld(state)) {
      const heldUntil = restsUntil(state, at);
      if (heldUntil !== undefined) return { kind: 'rest', until: heldUntil };
    }
    if (state.toRecord !== undefined) {
      const { toRecord, ...recorded } = state;
      await record(view, state, toRecord);
      return keepBatch(recorded, view.now, { isShown: false });
    }
    const { batch } = state;
    if (batch.endedAt !== null || (batch.state !== 'running' && batch.state !== 'cancelled'))
      return { kind: 'rest', until: undefined };
    if (rows === undefined) return stopped(state, say`The bot no longer has the list of changes.`, at);
    const index = presentRow(state);
    const row = index === undefined ? undefined : rows.rows[index];
    if (index === undefined || row === undefined) return finished(state, at);
    const restingUntil = restsUntil(state, at);
    if (restingUntil !== undefined) return { kind: 'rest', until: restingUntil };
    const turnAt = pace.turn();
    if (turnAt !== undefined) return { kind: 'rest', until: turnAt };
    if (row.kind === 'none') return settled(state, { index, row }, row.outcome, around(view));
    if (outcomeOf(state, index).kind === 'trying') return { kind: 'look', deed: { index, row, phase: 'look-up' } };
    const trying: RowOutcome = { ...outcomeOf(state, index), kind: 'trying' };
    return {
      kind: 'do',
      deed: { index, row, phase: state.tries === 0 ? 'first' : 'again' },
      keep: keepBatch({ ...withOutcome(state, index, trying), tries: state.tries + 1 }, at, { isShown: false }),
    };
  }

  async function record(
    view: BatchView,
    state: StoredBatch,
    toRecord: NonNullable<StoredBatch['toRecord']>,
  ): Promise<void> {
    const { batch, problem } = state;
    const message = {
      begun: [batch.takesOver && takenOver, changesInWords(view)].filter(Boolean).join(' '),
      stopped: [progressInWords(state, view), problem].filter(Boolean).join('. '),
      done: progressInWords(state, view),
    }[toRecord];
    await deps.audit(batch.teamId, {
      ...entryOf(state, now()),
      action: toRecord === 'done' && isInVain(state, view) ? 'failed' : toRecord,
      message: inEnglish(message),
      correlationId: batch.takesOver?.correlationId ?? deps.newCorrelationId(),
    });
  }

  /** @returns what came of the work, or what its failure means for the batch */
  async function attempt<Answer>(
    { row, index, phase }: RowDeed,
    view: BatchView,
    work: (turn: RowTurn) => Promise<Answer>,
  ): Promise<Answer | RowAnswer> {
    const turns: Turns = { waitLeftMs: turnMs };
    const turn = turnOf(view, { row, index }, turns);
    try {
      return await work(turn);
    } catch (error) {
      const correlationId = deps.newCorrelationId();
      const wasSent = turns.waitLeftMs === Infinity;
      const cause = causeOf(error, { correlationId, wasSent, phase, now: now() });
      if (cause.kind === 'store') throw error;
      log[cause.kind === 'row' ? 'info' : 'warn'](
        { error, batch: turn.batchId, correlationId },
        'a row of a batch is not carried out',
      );
      if (cause.kind === 'row') await performRow.recordFailure(turn, cause.message);
      return { kind: 'failed', cause };
    }
  }

  function turnOf(view: BatchView, { row, index }: Pick<RowDeed, 'row' | 'index'>, turns: Turns): RowTurn {
    const state = stateIn(view)!;
    const { id: batchId, teamId, ownerId, approvedBy, approval } = state.batch;
    const { made = 0, userId } = outcomeOf(state, index);
    return {
      teamId,
      batchId,
      ownerId,
      approvedBy,
      approval,
      since: state.since,
      row,
      change: row.changes[made] ?? row.changes[0],
      newUserId: row.userId === undefined ? userId : undefined,
      call: { priority: 'background', deadline: now() + rowMs, turns },
    };
  }

  async function passwordOf(
    { passwordOf: created }: DoneResult,
    { teamId, batchId, ownerId: by }: RowTurn,
    row: number,
  ): Promise<readonly NewQueueEntry[]> {
    return created ? deps.afterCreate({ teamId, user: created.user, by, of: { batchId, row } }) : [];
  }

  return {
    mailAtMost: eventsAtMost,
    keptAtRestMs: 60 * 24 * 3_600_000,
    first: ({ mailbox: { teamId, id } }) => deps.rows.of(teamId, id),
    isBusy: (state) =>
      state !== null &&
      (state.toRecord !== undefined ||
        state.batch.state === 'running' ||
        (state.batch.state === 'cancelled' && state.batch.endedAt === null)),
    isRetrying: (state) => state !== null && state.failures > 0,
    step,
    deeds: {
      do: async (deed, view) =>
        attempt(deed, view, async (turn) => {
          pace.spend(deed.row.reads === undefined ? 1 : 2);
          const performed = await performRow.make(turn);
          const password = performed.kind === 'made' ? await passwordOf(performed.result, turn, deed.index) : [];
          return { kind: 'performed' as const, performed, password };
        }),
      look: async (deed, view) =>
        attempt(deed, view, async (turn) => {
          pace.spend(1);
          const result = await performRow.lookUp(turn);
          return result && { kind: 'found' as const, result, password: await passwordOf(result, turn, deed.index) };
        }),
      settle(deed, answer, view) {
        const state = stateIn(view)!;
        const about = around(view);
        if (answer?.kind === 'performed') return afterPerformed(state, deed, answer, about);
        if (answer?.kind === 'found') return advanced(state, deed, answer.result, answer.password, about);
        if (answer?.kind === 'failed') return afterFailedRow(state, deed, { ...answer, phase: deed.phase }, about);
        if (state.batch.state === 'cancelled') return settled(state, deed, { kind: 'skipped' }, about);
        if (state.tries >= triesAtMost) return settled(state, deed, { kind: 'failed', error: neverAnswered }, about);
        const again = withOutcome(state, deed.index, { ...outcomeOf(state, deed.index), kind: 'waiting' });
        return keepBatch(again, about.now, { isShown: false });
      },
    },
  };
}

const takenOver = 'The bot ended in the middle, and goes on:';
const neverAnswered = say`The quiz service didn’t answer, and the change wasn’t made.`;

/** Undefined also for one that was called off. */
function stateIn({ state }: BatchView): StoredBatch | undefined {
  return state ?? undefined;
}

/** Whether it is about to take over what a request is still making. */
function isHeld({ batch, toRecord }: StoredBatch): boolean {
  return batch.takesOver !== undefined && toRecord === 'begun';
}

function takeEvents(state: StoredBatch | undefined, mail: readonly QueueEntry[], { rows, now }: AroundRow): BatchStep {
  let next = state;
  for (const { content } of mail) {
    if (content.kind !== 'batch-event') continue;
    const { event } = content;
    if (event.kind === 'start') next ??= { ...newBatch(event.batch, rows), toRecord: 'begun' };
    else if (event.kind !== 'call off') next = next && applyEvent(next, event);
    else if (next && isHeld(next)) next = undefined;
  }
  const take = mail.map(({ position }) => position);
  return next ? keepBatch(next, now, { take, isShown: !isHeld(next) }) : { kind: 'keep', state: null, take };
}

function finished(state: StoredBatch, now: number): BatchStep {
  const isCancelled = state.batch.state === 'cancelled';
  const batch = { ...state.batch, state: isCancelled ? ('cancelled' as const) : ('finished' as const), endedAt: now };
  return keepBatch({ ...state, batch, toRecord: isCancelled ? 'stopped' : 'done' }, now);
}

function entryOf({ batch }: StoredBatch, at: number): Omit<AuditEntry, 'action' | 'message' | 'correlationId'> {
  return {
    at,
    ...(batch.approvedBy === undefined ? { by: batch.ownerId } : { approvedBy: batch.approvedBy }),
    operation: runBatch.name,
    change: inEnglish(batch.action),
    through: 'batch',
    details: [{ label: 'Batch', value: batch.id }],
  };
}

/** As many as the action names. */
function changesInWords({ first }: BatchView): string {
  const count = (first?.rows ?? []).filter(({ kind }) => kind === 'change').length;
  return count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`;
}

/** Whether nothing was made of what was to be made. */
function isInVain(state: StoredBatch, { first, now }: BatchView): boolean {
  const { done, failed, imported } = progressOf(state, first?.rows ?? [], now);
  return failed > 0 && done === 0 && (imported?.created.done ?? 0) === 0;
}

function progressInWords(state: StoredBatch, { first, now }: BatchView): string {
  return progressCounts(progressOf(state, first?.rows ?? [], now)).join(', ');
}

type RequestPace = ReturnType<typeof createRequestPace>;

/** The pace of all batches of an instance. Short batches need no spreading. */
export const servicePace = { atOnce: 10, perMinute: backgroundPerMinute() };

/** After so long without a request, some requests may be sent at once again. */
const restMs = 60_000;

/**
 * Spreads requests evenly. The first ones after a rest are sent at once, so that a short batch is through at once. Without the
 * spreading, a batch would use up the minute’s requests in some seconds, and a person who needs more than the reserve would
 * wait for the end of the minute.
 */
export function createRequestPace({
  atOnce,
  perMinute,
  now,
}: {
  atOnce: number;
  perMinute: number;
  now: () => number;
}) {
  const eachMs = 60_000 / perMinute;
  let nextAt = -Infinity;
  let extra = 0;
  let seenAt = -Infinity;

  function rest(): void {
    const isSetBack = now() < seenAt;
    seenAt = now();
    if (!isSetBack && now() - nextAt < restMs) return;
    extra = atOnce - 1;
    nextAt = now();
  }

  return {
    /** When the next request may be sent, in milliseconds since the epoch; undefined: now. */
    turn(): number | undefined {
      rest();
      return extra > 0 || nextAt <= now() ? undefined : Math.ceil(nextAt);
    },
    /** Counts requests that are about to be sent. */
    spend(requests: number): void {
      rest();
      const atOnceNow = Math.min(extra, requests);
      extra -= atOnceNow;
      // A request that is late by less than the distance does not delay those after it.
      nextAt = Math.max(nextAt, now() - eachMs) + (requests - atOnceNow) * eachMs;
    },
  };
}

/** The batches of every workspace, and what carries each on. */
export function createBatches({
  storage,
  ...deps
}: Omit<Parameters<typeof createBatchService>[0], 'outbox' | 'rows'> & { storage: Pick<Storage, 'kv' | 'outbox'> }) {
  const rows = createBatchRows(storage.kv<StoredRows>('batch-rows'));
  const { now } = deps;
  return {
    ...createBatchService({ ...deps, outbox: storage.outbox, rows }),
    machine: (its: Omit<Parameters<typeof batchMachine>[0], 'rows' | 'pace' | 'now'>): AnyMachine =>
      batchMachine({ ...its, rows, pace: createRequestPace({ ...servicePace, now }), now }),
  };
}
