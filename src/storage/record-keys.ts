import { randomBytes } from 'node:crypto';
import { keyQueue } from '../domain/queue-names.ts';
import type { Outbox } from './storage.ts';

/** The key of an owner of texts on the record, as the state of a queue in which nothing waits. */
export type KeyState = { key: string } | { isErased: true };

/** The keys under which texts on the record are sealed, one for each owner. */
export interface RecordKeys {
  /** The keys of those who have one. */
  of(teamId: string, owners: Iterable<string>): Promise<ReadonlyMap<string, Buffer>>;
  /** The keys of owners, made where there are none. An owner who was erased gets none. */
  forSealing(teamId: string, owners: Iterable<string>): Promise<ReadonlyMap<string, Buffer>>;
  /** Destroys the key of an owner for good. @returns false where there was none any more */
  destroy(teamId: string, owner: string): Promise<boolean>;
}

function newKeyState(): KeyState & { key: string } {
  return { key: randomBytes(32).toString('base64') };
}

function keyOf(state: KeyState | undefined): Buffer | undefined {
  return state && 'key' in state ? Buffer.from(state.key, 'base64') : undefined;
}

export function createRecordKeys(outbox: Pick<Outbox, 'stateOf' | 'commit'>): RecordKeys {
  const keyIn = async (queue: string) => keyOf((await outbox.stateOf<KeyState>(queue)).state);

  async function madeKey(queue: string): Promise<Buffer | undefined> {
    const { version, state } = await outbox.stateOf<KeyState>(queue);
    if (version > 0) return keyOf(state);
    const made = newKeyState();
    // Where another instance makes it at the same time, the first one counts.
    return (await outbox.commit(queue, { version, state: made, isBusy: false })) ? keyOf(made) : keyIn(queue);
  }

  async function each(
    teamId: string,
    owners: Iterable<string>,
    key: (queue: string) => Promise<Buffer | undefined>,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const keys = await Promise.all(
      [...new Set(owners)].map(async (owner) => [owner, await key(keyQueue(teamId, owner))] as const),
    );
    return new Map(keys.flatMap(([owner, one]) => (one === undefined ? [] : [[owner, one]])));
  }

  return {
    of: (teamId, owners) => each(teamId, owners, keyIn),
    forSealing: (teamId, owners) => each(teamId, owners, madeKey),
    async destroy(teamId, owner) {
      const queue = keyQueue(teamId, owner);
      for (;;) {
        const { version, state } = await outbox.stateOf<KeyState>(queue);
        if (state && 'isErased' in state) return false;
        if (await outbox.commit(queue, { version, state: { isErased: true }, isBusy: false })) return version > 0;
      }
    },
  };
}
