import { createClient, ErrorReply } from '@redis/client';
import { backoffMs } from '../../time/backoff.ts';
import { withTimeout } from '../../time/clock.ts';
import { StoreAwayError } from '../storage.ts';

export type RedisConnection = ReturnType<typeof connectionTo>;

/** Every key of the bot begins with this and a colon. */
export const prefix = 'invigilator';

const reconnectBackoff = { firstMs: 50, longestMs: 2_000 };

/** Without an answer for this long, Redis counts as away, even if the connection is open. Redis may still run the command. */
const timeoutMs = 5_000;
/** Commands that wait for an answer. */
const commandsAtMost = 20_000;

/** Error replies of a Redis that is up but cannot serve commands yet. */
const notYet = /^(LOADING|MASTERDOWN|CLUSTERDOWN|READONLY) /;

/**
 * A connection whose commands fail at once with {@link StoreAwayError} while Redis is away, since a person may wait for them.
 * @param whyNotReady asked before each command; with a reason it fails likewise
 */
export function createFailFastConnection(url: string, whyNotReady: () => unknown = () => undefined): RedisConnection {
  const client = connectionTo(url, { disableOfflineQueue: true, commandsQueueMaxLength: commandsAtMost });
  // Every command of the client ends here, and `createClient` gives an object that merely inherits from the client.
  const itself = Object.getPrototypeOf(client) as RedisConnection;
  const send = itself.sendCommand.bind(itself);
  itself.sendCommand = async <Reply>(...command: Parameters<typeof send>): Promise<Reply> => {
    const reason = whyNotReady();
    if (reason !== undefined) throw new StoreAwayError(reason);
    try {
      return await withTimeout(timeoutMs, send<Reply>(...command));
    } catch (error) {
      throw isAway(error) ? new StoreAwayError(error) : error;
    }
  };
  return client;
}

/** A connection whose commands wait until Redis is back, for background work. */
export function createQueueingConnection(url: string): RedisConnection {
  return connectionTo(url, { disableOfflineQueue: false });
}

function connectionTo(url: string, options: { disableOfflineQueue: boolean; commandsQueueMaxLength?: number }) {
  return createClient({
    url,
    ...options,
    socket: { connectTimeout: 5_000, reconnectStrategy: (attempts: number) => backoffMs(attempts + 1, reconnectBackoff) },
  });
}

function isAway(error: unknown): boolean {
  if (error instanceof ErrorReply) return notYet.test(error.message);
  // A command that cannot be written is a fault of the bot.
  return !(error instanceof TypeError);
}
