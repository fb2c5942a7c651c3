import type { EventMail, Events, NewQueueEntry, QueueEntry } from '../domain/queues.ts';
import type { Log } from '../observability/log.ts';
import type { Outbox, Queues } from '../storage/storage.ts';
import { changeState } from '../storage/records.ts';

/** The mailboxes of one kind: what is put into them, and what they got. @param owner stands in the place of a subscription */
export function mailboxes<Kind extends keyof Events>(kind: Kind, owner: string) {
  const ofKind = `${kind}-event`;
  return {
    /** @param at now, in milliseconds since the epoch */
    entry: (queue: string, event: Events[Kind], at: number): NewQueueEntry => ({
      queue,
      subscriptionId: owner,
      at,
      content: { kind: ofKind, event } as EventMail,
    }),
    events: (mail: readonly Pick<QueueEntry, 'content'>[]): Events[Kind][] =>
      mail.flatMap(({ content }) =>
        content.kind === ofKind ? [(content as unknown as { event: Events[Kind] }).event] : [],
      ),
  };
}

export type Mail = ReturnType<typeof createMail>;

/** Puts mail into mailboxes, and has these run. */
export function createMail({
  outbox,
  queues,
  log,
}: {
  outbox: Pick<Outbox, 'put'>;
  queues: Pick<Queues, 'wake'>;
  log: Log;
}) {
  const mail = {
    /** Puts entries in one step. When this resolves, they survive a crash. */
    async put(entries: readonly NewQueueEntry[]): Promise<void> {
      await outbox.put(entries);
      await mail.wake(entries);
    },
    /** Has the mailboxes run into which something was put. The sweep wakes those that are not woken here. */
    async wake(put: readonly Pick<NewQueueEntry, 'queue'>[]): Promise<void> {
      const names = [...new Set(put.map(({ queue }) => queue))];
      const woken = await Promise.allSettled(names.map(async (queue) => queues.wake(queue)));
      for (const one of woken)
        if (one.status === 'rejected') log.warn({ error: one.reason as unknown }, 'a queue is woken later');
    },
  };
  return mail;
}

/** Up to so many calls at a time are few. */
const few = 4;

/**
 * Collects items and acts on them: at once on the first, and on all that come while `act` runs together after it. After
 * many calls it pauses for `pauseMs`, so that more of them share the next `act`.
 */
export function createCoalescing<Item>(
  act: (items: ReadonlySet<Item>) => Promise<void>,
  pauseMs: number,
  sleep: (ms: number) => Promise<void>,
): (item: Item) => void {
  let isRunning = false;
  let calls = 0;
  let items = new Set<Item>();

  async function keepUp(): Promise<void> {
    isRunning = true;
    while (calls > 0) {
      const areMany = calls > few;
      const collected = items;
      calls = 0;
      items = new Set();
      await act(collected);
      if (areMany) await sleep(pauseMs);
    }
    isRunning = false;
  }

  return (item) => {
    calls += 1;
    items.add(item);
    if (!isRunning) void keepUp();
  };
}

export type SharedState = ReturnType<typeof createSharedState>;

/** States that no machine has for itself: each change starts from what the state is then. */
export function createSharedState({
  outbox,
  mail,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'commit'>;
  mail: Pick<Mail, 'wake'>;
}) {
  return {
    read: async <State>(queue: string) => (await outbox.stateOf<State>(queue)).state,
    /** Keeps the changed state and puts entries into mailboxes in one step. `change` runs again where another has changed it meanwhile. */
    async change<State>(
      queue: string,
      change: (state: State | undefined) => { state: State; put?: readonly NewQueueEntry[] },
    ): Promise<void> {
      let sent: readonly NewQueueEntry[] = [];
      await changeState<State>(outbox, queue, (known) => {
        const { state, put = [] } = change(known);
        sent = put;
        return { state, put, isBusy: false };
      });
      return mail.wake(sent);
    },
  };
}
