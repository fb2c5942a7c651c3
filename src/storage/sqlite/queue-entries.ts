import type { DatabaseSync } from 'node:sqlite';
import type { NewQueueEntry } from '../../domain/queue-entry.ts';
import type { QueueIndex } from './queue-index.ts';

/** Positions are reserved on the disk in blocks, so that an entry costs no second write. */
const blockSize = 10_000;

/** Puts entries into queues and gives out positions, within a transaction of the caller. */
export interface QueueEntryWriter {
  put(entries: readonly NewQueueEntry[]): void;
  /** Greater than every position before it, also of entries that are gone and of another run of the bot. */
  nextPosition(): number;
}

export function createQueueEntryWriter(database: DatabaseSync, index: Pick<QueueIndex, 'put'>): QueueEntryWriter {
  const insert = database.prepare(
    'INSERT INTO queue_entries (position, queue, subscription_id, at, content) VALUES (?, ?, ?, ?, ?)',
  );
  const selectReserved = database.prepare('SELECT reserved FROM positions');
  const reserve = database.prepare('UPDATE positions SET reserved = ?');
  const readReserved = () => Number(selectReserved.get()?.['reserved']);
  let last = readReserved();
  /** What the disk says for sure; a transaction that was rolled back has reserved nothing. */
  let reserved = last;

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
    nextPosition,
    put(entries) {
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
