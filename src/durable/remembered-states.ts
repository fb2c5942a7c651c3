import { readQueue } from '../domain/queue-names.ts';
import type { Outbox, QueueState } from '../storage/storage.ts';

const rememberedAtMost = 50;

/**
 * An outbox that remembers the states of some kinds of mailboxes as they were read last: of one that has not changed since,
 * only the version is read. For states that grow large and are read much more often than they change. States are never edited.
 */
export function rememberStates(outbox: Outbox, kinds: readonly string[]): Outbox {
  const remembered = new Map<string, QueueState<unknown>>();

  return {
    ...outbox,
    async stateOf<State>(queue: string): Promise<QueueState<State>> {
      if (!kinds.includes(readQueue(queue).kind)) return outbox.stateOf<State>(queue);
      const known = remembered.get(queue) as QueueState<State> | undefined;
      remembered.delete(queue);
      const isSame = known !== undefined && known.version === (await outbox.versionOf(queue));
      const kept = isSame ? known : await outbox.stateOf<State>(queue);
      remembered.set(queue, kept);
      for (const oldest of [...remembered.keys()].slice(0, -rememberedAtMost)) remembered.delete(oldest);
      return kept;
    },
  };
}
