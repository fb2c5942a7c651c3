import { batchWords } from './operations/batch-words.ts';
import { restFor, type Rest } from '../../durable/machine.ts';
import type { Batch, BatchEvent, BatchRow, RowOutcome } from '../../domain/batch.ts';

/** What the queue of a batch stores beside its entries. It is stored with every row, so it is short. */
export interface StoredBatch extends Rest {
  /** Without its outcomes, which are in `kinds` and `details`. */
  batch: Batch;
  /** The outcomes’ kinds, a letter for each row. */
  kinds: string;
  /** What outcomes say besides their kinds, by the index of the row. */
  details: Readonly<Record<number, Omit<RowOutcome, 'kind'>>>;
  /** When it was started or resumed last, in milliseconds since the epoch. */
  since: number;
  /** Why it is stopped, as a sentence (`domain/said.ts`). */
  problem?: string;
  /** Calls of the service that failed in a row, for whatever reason. */
  failures: number;
  /** How often the present row was sent without a clear answer. */
  tries: number;
  /** What is still to be put on the record of it. */
  toRecord?: 'begun' | 'stopped' | 'done';
}

const letters: Readonly<Record<RowOutcome['kind'], string>> = {
  waiting: 'w',
  trying: 't',
  done: 'd',
  same: 's',
  failed: 'f',
  skipped: 'k',
};
const kindOf = Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind])) as Record<
  string,
  RowOutcome['kind']
>;

/** A batch before its first row. Rows with nothing to do have their outcomes. */
export function newBatch(batch: Batch, rows: readonly BatchRow[]): StoredBatch {
  const { startedAt, takesOver } = batch;
  const fresh: StoredBatch = {
    batch,
    kinds: letters.waiting.repeat(rows.length),
    details: {},
    since: startedAt,
    failures: 0,
    tries: 0,
    ...(takesOver ? restFor(takesOver.notBefore - startedAt, startedAt) : { notBefore: 0 }),
  };
  return rows.reduce(
    (state, row, index) => (row.kind === 'none' ? withOutcome(state, index, row.outcome) : state),
    fresh,
  );
}

/** The batch with another outcome of a row. */
export function withOutcome(state: StoredBatch, index: number, { kind, ...detail }: RowOutcome): StoredBatch {
  const { [index]: _, ...others } = state.details;
  const isPlain = Object.values(detail).every((fact) => fact === undefined);
  const details = isPlain ? others : { ...others, [index]: detail };
  return { ...state, kinds: state.kinds.slice(0, index) + letters[kind] + state.kinds.slice(index + 1), details };
}

export function outcomeOf({ kinds, details }: StoredBatch, index: number): RowOutcome {
  return { kind: kindOf[kinds.charAt(index)] ?? 'waiting', ...details[index] };
}

export function outcomesOf(state: StoredBatch): RowOutcome[] {
  return Array.from(state.kinds, (_, index) => outcomeOf(state, index));
}

export function countOf({ kinds }: StoredBatch, kind: RowOutcome['kind']): number {
  return kinds.split(letters[kind]).length - 1;
}

/** The row that is being tried, or else the first one that waits. Rows come one after the other. */
export function presentRow({ kinds }: StoredBatch): number | undefined {
  const index = kinds.search(/[tw]/);
  return index === -1 ? undefined : index;
}

/** The batch after a person’s event. An event that comes twice changes nothing the second time. */
export function applyEvent(
  state: StoredBatch,
  event: Exclude<BatchEvent, { kind: 'start' | 'call off' }>,
): StoredBatch {
  const { batch } = state;
  if (event.kind === 'unreached')
    return withOutcome(state, event.row, { ...outcomeOf(state, event.row), isWithoutPassword: true });
  if (event.kind === 'password shown') {
    const { isWithoutPassword: _, ...outcome } = outcomeOf(state, event.row);
    return withOutcome(state, event.row, { ...outcome, isPasswordShown: true });
  }
  const isOver = batch.state === 'cancelled' || batch.state === 'finished';
  if (isOver) return state;
  switch (event.kind) {
    case 'pause':
      return batch.state === 'running' ? { ...state, batch: { ...batch, state: 'paused' } } : state;
    case 'resume': {
      const { problem: _, ...resumed } = state;
      const approval = event.approval ?? batch.approval;
      const running: Batch = { ...batch, state: 'running', approval };
      return { ...resumed, batch: running, since: event.at, failures: 0, notBefore: 0 };
    }
    case 'cancel':
      // A row that may have been sent has its outcome looked up first.
      return withCutShort({
        ...state,
        batch: { ...batch, state: 'cancelled' },
        kinds: state.kinds.replaceAll(letters.waiting, letters.skipped),
      });
  }
}

/** A row of which a part is made is not left out. */
function withCutShort(state: StoredBatch): StoredBatch {
  return Object.entries(state.details).reduce((changed, [at, { made = 0, ...detail }]) => {
    const isCutShort = made > 0 && outcomeOf(state, Number(at)).kind === 'skipped';
    return isCutShort
      ? withOutcome(changed, Number(at), { ...detail, kind: 'failed', error: batchWords.cutShort })
      : changed;
  }, state);
}
