import type { RedisConnection } from './connection.ts';
import { redisKey } from './schema.ts';

type Step = ReturnType<RedisConnection['multi']>;

/** Where an unreadable text is kept, and how it is taken out of its place in the same step. */
interface SetAside {
  name: string;
  text: string | null | undefined;
  remove: (step: Step) => void;
}

/** Keeps what cannot be read from holding up the rest. @param onError called with each text that is set aside */
export function createUnreadableTexts(
  client: RedisConnection,
  prefix: string,
  onError: (error: unknown) => void = () => {},
) {
  const hash = redisKey(prefix, '{alerts}:unreadable');

  function setAside({ name, text, remove }: SetAside, cause: unknown): void {
    onError(new Error(`what the store has cannot be read and is set aside in ${hash} as ${name}`, { cause }));
    const step = client.multi().hSet(hash, name, text ?? '');
    remove(step);
    step.exec().catch(onError);
  }

  return {
    /** Reads what a script returns. What `itemOf` throws for goes to the hash `unreadable`, and is left out. */
    read: <Reply, Item>(
      replies: readonly Reply[],
      itemOf: (reply: Reply) => Item,
      asideOf: (reply: Reply) => SetAside,
    ): Item[] =>
      replies.flatMap((reply) => {
        try {
          return [itemOf(reply)];
        } catch (cause) {
          setAside(asideOf(reply), cause);
          return [];
        }
      }),
  };
}
