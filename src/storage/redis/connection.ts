import { createClient, ErrorReply } from '@redis/client';
import { backoffMs } from '../../time/timers.ts';
import { withTimeout } from '../../time/clock.ts';
import { StoreAwayError, StoreFullError } from '../storage.ts';
import { createHash } from 'node:crypto';

export type RedisConnection = ReturnType<typeof connectionTo>;

/**
 * Every key of a bot begins with this and a colon. Names of tenants have no slash, so no beginning is that of another one.
 *
 * @param tenant undefined: the only bot of its process
 */
export function keyPrefix(tenant?: string): string {
  return tenant === undefined ? 'invigilator' : `invigilator/${tenant}`;
}

const reconnectBackoff = { firstMs: 50, longestMs: 2_000 };

/** Without an answer for this long, Redis counts as away, even if the connection is open. Redis may still run the command. */
const timeoutMs = 5_000;
/** Commands that wait for an answer. */
const commandsAtMost = 20_000;
/** Each namespace of keyed values listens to the connection. */
const listenersAtMost = 100;

/** Error replies of a Redis that is up but does not serve the bot: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
const notNow =
  /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|NOAUTH|WRONGPASS|NOPERM|MISCONF|BUSY|NOREPLICAS|TRYAGAIN|ERR Protocol error: unauthenticated)\b/;
const full = /^OOM\b/;

/**
 * A connection whose commands fail at once with {@link StoreAwayError} while Redis is away, since a person may wait for them.
 * @param whyNotReady asked before each command; with a reason it fails likewise
 */
export function createFailFastConnection(url: string, whyNotReady: () => unknown = () => undefined): RedisConnection {
  const client = connectionTo(url);
  client.setMaxListeners(listenersAtMost);
  // Every command of the client ends here, and `createClient` gives an object that merely inherits from the client.
  const itself = Object.getPrototypeOf(client) as RedisConnection;
  const send = itself.sendCommand.bind(itself);
  itself.sendCommand = async <Reply>(...command: Parameters<typeof send>): Promise<Reply> => {
    const reason = whyNotReady();
    if (reason !== undefined) throw reason instanceof StoreAwayError ? reason : new StoreAwayError(reason);
    try {
      return await withTimeout(timeoutMs, send<Reply>(...command));
    } catch (error) {
      if (error instanceof ErrorReply && full.test(error.message)) throw new StoreFullError(error);
      throw isAway(error) ? new StoreAwayError(error) : error;
    }
  };
  return client;
}

/** Connects once, for work of a command line. @throws where Redis does not answer, with the reason */
export async function withRedis<Answer>(
  url: string,
  work: (client: RedisConnection) => Promise<Answer>,
): Promise<Answer> {
  const client = createFailFastConnection(url);
  const failed = new Promise<never>((_, reject) =>
    client.once('error', (error: Error) =>
      reject(new Error(`Redis does not answer (${error.message || error.name})`, { cause: error })),
    ),
  );
  client.on('error', () => {});
  try {
    await Promise.race([client.connect(), failed]);
    return await work(client);
  } finally {
    if (client.isReady) await client.close();
    else client.destroy();
  }
}

/** A `unix://` address is a socket of this machine; its query can name the database, as in `unix:///run/redis.sock?db=1`. */
function connectionTo(address: string) {
  const url = new URL(address);
  const options = { disableOfflineQueue: true, commandsQueueMaxLength: commandsAtMost };
  const reconnecting = {
    connectTimeout: 5_000,
    reconnectStrategy: (attempts: number) => backoffMs(attempts + 1, reconnectBackoff),
  };
  if (url.protocol !== 'unix:') return createClient({ url: address, ...options, socket: reconnecting });
  const { username, password, pathname, searchParams } = url;
  return createClient({
    ...options,
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    database: Number(searchParams.get('db') ?? 0),
    socket: { path: decodeURIComponent(pathname), ...reconnecting },
  });
}

function isAway(error: unknown): boolean {
  if (error instanceof ErrorReply) return notNow.test(error.message);
  // A command that cannot be written is a fault of the bot.
  return !(error instanceof TypeError);
}

type Run = (client: RedisConnection, parameters: { keys: string[]; arguments: string[] }) => Promise<unknown>;

/** A script for frequent use: its text is sent only if Redis has not cached it, for example after a restart. */
export function createScript(text: string): Run {
  const sha1 = createHash('sha1').update(text).digest('hex');
  return async (client, parameters) => {
    try {
      return await client.evalSha(sha1, parameters);
    } catch (error) {
      if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
      return client.eval(text, parameters);
    }
  };
}

/**
 * Lets a script write in a Redis that has reached `maxmemory`, for steps that free memory and for what is bounded. Redis
 * refuses the first command of a script that needs memory, and none after a command that has written, such as this one.
 * The flag `allow-oom` of Redis 7 is turned down, since older versions and scripts of BullMQ do not have it.
 */
export function evenWhenFull(script: string): string {
  return `redis.call('DEL', KEYS[1] .. ':none')\n${script}`;
}

/** Splits the flat list that a script returns. */
export function chunksOf<Value>(list: readonly Value[], size: number): Value[][] {
  return Array.from({ length: list.length / size }, (_, n) => list.slice(n * size, (n + 1) * size));
}
