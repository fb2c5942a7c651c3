import type { DatabaseSync } from 'node:sqlite';
import type { NewQueueEntry } from '../../domain/queues.ts';
import type { GroupCommit } from './group-commit.ts';

/** Positions are reserved on the disk in blocks, so that an entry costs no second write. */
const blockSize = 10_000;

export type QueueEntryWriter = ReturnType<typeof createQueueEntryWriter>;

/** Puts entries into queues, within a transaction of the caller. */
export function createQueueEntryWriter(database: DatabaseSync, index: Pick<QueueIndex, 'put'>) {
  const insert = database.prepare(
    'INSERT INTO queue_entries (position, queue, subscription_id, at, content) VALUES (?, ?, ?, ?, ?)',
  );
  const selectReserved = database.prepare('SELECT reserved FROM positions');
  const reserve = database.prepare('UPDATE positions SET reserved = ?');
  const readReserved = () => Number(selectReserved.get()?.['reserved']);
  let last = readReserved();
  /** What the disk says for sure; a transaction that was rolled back has reserved nothing. */
  let reserved = last;

  /** Greater than every position before it, also of entries that are gone and of another run of the bot. */
  function nextPosition(): number {
    last += 1;
    if (last > reserved) {
      const onDisk = readReserved();
      if (last > onDisk) reserve.run(last + blockSize);
      else reserved = onDisk;
    }
    return last;
  }

  return {
    put(entries: readonly NewQueueEntry[]): void {
      let content: NewQueueEntry['content'] | undefined;
      let text = '';
      for (const entry of entries) {
        // The entries of a submission share its content.
        if (entry.content !== content) {
          content = entry.content;
          text = JSON.stringify(content);
        }
        const { queue, subscriptionId, at } = entry;
        const position = nextPosition();
        index.put(queue, position, { subscriptionId, at });
        insert.run(position, queue, subscriptionId, at, text);
      }
    },
  };
}

interface Waiting {
  subscriptionId: string;
  /** Milliseconds since the epoch. */
  at: number;
}

interface Known {
  /** By queue and position, in the order of the positions. */
  waiting: Map<string, Map<number, Waiting>>;
  busy: Set<string>;
}

export type QueueIndex = ReturnType<typeof createQueueIndex>;

/**
 * What waits in which queue, and which queues are busy, in memory: only this process writes the file. An index in it, or looking
 * through all states for the busy ones, would cost more than all else.
 */
export function createQueueIndex(database: DatabaseSync) {
  const selectEntries = database.prepare(
    'SELECT position, queue, subscription_id, at FROM queue_entries ORDER BY position',
  );
  const selectBusy = database.prepare('SELECT queue FROM queue_states WHERE is_busy = 1');
  let current: Known | undefined;

  function known(): Known {
    current ??= { waiting: readWaiting(), busy: new Set(selectBusy.all().map(({ queue }) => String(queue))) };
    return current;
  }

  function readWaiting(): Known['waiting'] {
    const waiting: Known['waiting'] = new Map();
    for (const row of selectEntries.iterate()) {
      const { position, subscription_id: subscriptionId, at } = row;
      entriesOf(waiting, String(row['queue'])).set(Number(position), {
        subscriptionId: String(subscriptionId),
        at: Number(at),
      });
    }
    return waiting;
  }

  return {
    /** The first positions of a queue, without those of some subscriptions. */
    first(queue: string, limit: number, exceptSubscriptions: readonly string[]): number[] {
      const found: number[] = [];
      for (const [position, { subscriptionId }] of known().waiting.get(queue) ?? []) {
        if (found.length >= limit) break;
        if (!exceptSubscriptions.includes(subscriptionId)) found.push(position);
      }
      return found;
    },
    hasWaiting: (queue: string) => known().waiting.has(queue),
    /** The queues in which something waits, or that are busy. */
    queues() {
      const { waiting, busy } = known();
      return [...new Set([...waiting.keys(), ...busy])].map((queue) => {
        const entries = waiting.get(queue);
        if (entries === undefined) return { queue, waiting: 0, oldestAt: undefined };
        let oldestAt = Infinity;
        for (const { at } of entries.values()) oldestAt = Math.min(oldestAt, at);
        return { queue, waiting: entries.size, oldestAt };
      });
    },
    /** By queue, the positions of what was put for a subscription before a time. */
    ofSubscription: (subscriptionId: string, before: number) =>
      [...known().waiting].flatMap(([queue, entries]) => {
        const own = [...entries].filter(([, entry]) => entry.subscriptionId === subscriptionId && entry.at < before);
        return own.length === 0 ? [] : [{ queue, positions: own.map(([position]) => position) }];
      }),
    /** Call before the entry is put into the file. Positions grow. */
    put: (queue: string, position: number, entry: Waiting) =>
      void entriesOf(known().waiting, queue).set(position, entry),
    /** @returns those of the positions that were in the queue */
    remove(queue: string, positions: readonly number[]): number[] {
      const { waiting } = known();
      const entries = waiting.get(queue);
      if (entries === undefined) return [];
      const gone = positions.filter((position) => entries.delete(position));
      if (entries.size === 0) waiting.delete(queue);
      return gone;
    },
    setBusy: (queue: string, isBusy: boolean) => void known().busy[isBusy ? 'add' : 'delete'](queue),
    /** The file is read again before the next answer, such as after a transaction that was rolled back. */
    readAgain(): void {
      current = undefined;
    },
  };
}

function entriesOf(waiting: Known['waiting'], queue: string): Map<number, Waiting> {
  const entries = waiting.get(queue) ?? new Map<number, Waiting>();
  if (entries.size === 0) waiting.set(queue, entries);
  return entries;
}

type Row = Record<string, unknown>;

/** The columns by which a row is known. */
const keyColumns = {
  queue_entries: ['position'],
  queue_states: ['queue'],
  queue_state_parts: ['queue', 'part'],
} as const;

export type UnreadableRows = ReturnType<typeof createUnreadableRows>;

/**
 * Keeps rows that cannot be read from holding up the others.
 *
 * @param onError called with each row that is set aside
 * @param onSetAside called when it is gone from its table
 */
export function createUnreadableRows(
  database: DatabaseSync,
  { write }: GroupCommit,
  onError: (error: unknown) => void,
  onSetAside: () => void,
) {
  const keep = database.prepare('INSERT OR REPLACE INTO keyed_values VALUES (?, ?, NULL)');

  function setAside(table: keyof typeof keyColumns, row: Row, cause: unknown): void {
    const columns = keyColumns[table];
    const values = columns.map((column) => row[column] as string | number);
    const key = `unreadable:${table}/${values.join('/')}`;
    const where = columns.map((column) => `${column} = ?`).join(' AND ');
    onError(new Error(`a row of the store cannot be read and is set aside as ${key}`, { cause }));
    write(() => {
      const whole = database.prepare(`SELECT * FROM ${table} WHERE ${where}`).get(...values);
      if (whole === undefined) return;
      // In the form of Keyv, with which the state can be moved to Redis.
      keep.run(key, JSON.stringify({ value: whole }));
      database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...values);
      onSetAside();
    }).catch(onError);
  }

  return {
    /** Reads rows, which have the columns of their key. Those of which `itemOf` throws go to `keyed_values` under `unreadable:`, and are left out. */
    read<Item>(table: keyof typeof keyColumns, rows: readonly Row[], itemOf: (row: Row) => Item): Item[] {
      return rows.flatMap((row) => {
        try {
          return [itemOf(row)];
        } catch (cause) {
          setAside(table, row, cause);
          return [];
        }
      });
    },
  };
}
