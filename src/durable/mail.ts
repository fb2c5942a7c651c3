import type { NewQueueEntry } from '../domain/queue-entry.ts';
import type { Log } from '../observability/log.ts';
import type { Outbox, Queues } from '../storage/storage.ts';

/** Puts mail into mailboxes, and has these run. */
export interface Mail {
  /** Puts entries in one step. When this resolves, they survive a crash. */
  put(entries: readonly NewQueueEntry[]): Promise<void>;
  /** Has the mailboxes run into which something was put. The sweep wakes those that are not woken here. */
  wake(put: readonly Pick<NewQueueEntry, 'queue'>[]): Promise<void>;
}

export function createMail({
  outbox,
  queues,
  log,
}: {
  outbox: Pick<Outbox, 'put'>;
  queues: Pick<Queues, 'wake'>;
  log: Log;
}): Mail {
  const mail: Mail = {
    async put(entries) {
      await outbox.put(entries);
      await mail.wake(entries);
    },
    async wake(put) {
      const names = [...new Set(put.map(({ queue }) => queue))];
      const woken = await Promise.allSettled(names.map(async (queue) => queues.wake(queue)));
      for (const one of woken)
        if (one.status === 'rejected') log.warn({ error: one.reason as unknown }, 'a queue is woken later');
    },
  };
  return mail;
}
