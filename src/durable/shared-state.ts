import type { NewQueueEntry } from '../domain/queue-entry.ts';
import type { Outbox } from '../storage/storage.ts';
import type { Mail } from './mail.ts';

/** A state that no machine has for itself: each change starts from what it is then. */
export interface SharedState {
  read<State>(queue: string): Promise<State | undefined>;
  /** Keeps the changed state and puts entries into mailboxes in one step. `change` runs again where another has changed it meanwhile. */
  change<State>(
    queue: string,
    change: (state: State | undefined) => { state: State; put?: readonly NewQueueEntry[] },
  ): Promise<void>;
}

export function createSharedState({
  outbox,
  mail,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'commit'>;
  mail: Pick<Mail, 'wake'>;
}): SharedState {
  return {
    read: async <State>(queue: string) => (await outbox.stateOf<State>(queue)).state,
    async change<State>(
      queue: string,
      change: (state: State | undefined) => { state: State; put?: readonly NewQueueEntry[] },
    ) {
      for (;;) {
        const { version, state: known } = await outbox.stateOf<State>(queue);
        const { state, put = [] } = change(known);
        if (!(await outbox.commit(queue, { version, state, isBusy: false, put }))) continue;
        return mail.wake(put);
      }
    },
  };
}
