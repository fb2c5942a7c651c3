import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import type { RedisConnection } from '../../src/storage/redis/connection.ts';
import type { GuardedConnection } from '../../src/storage/redis/guarded-connection.ts';
import { findFreePort } from './loopback.ts';
import { read } from './project-files.ts';

/** The reason why tests over Redis cannot run on this machine, or null. CI never skips them. */
export const redisMissing: string | null = findRedis();

function findRedis(): string | null {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  if (isInstalled) return null;
  if (process.env['CI'] === 'true') throw new Error('redis-server is missing, and CI runs every test');
  return 'redis-server is missing: install it to run the tests over Redis';
}

export interface TestRedis {
  url: string;
  /** The address of its socket in a directory, where it has one. */
  socketUrl: string | undefined;
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Restarts the server with its data if it has a directory, and empty otherwise. Resolves when it is ready. */
  startAgain(): Promise<void>;
}

/**
 * Starts a Redis server on a free port.
 *
 * @param directory persists writes in an append-only file there, and has a socket; without it, Redis keeps its data in memory only
 * @param sync when a write is on the disk: before its answer, or within a second
 */
export async function startRedis(directory?: string, sync: 'always' | 'everysec' = 'always'): Promise<TestRedis> {
  const port = await findFreePort();
  const keeping =
    directory === undefined
      ? []
      : ['--appendonly', 'yes', '--appendfsync', sync, '--dir', directory, '--unixsocket', `${directory}/redis.sock`];
  const begin = () => runRedis(['--save', '', '--bind', '127.0.0.1', '--port', String(port), ...keeping]);
  let server = await begin();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    socketUrl: directory && `unix://${directory}/redis.sock`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async startAgain() {
      server = await begin();
    },
  };
}

async function runRedis(parameters: string[]): Promise<ChildProcess> {
  const server = spawn('redis-server', parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    log += String(chunk);
    if (!log.includes('Ready to accept connections')) continue;
    server.stdout.resume();
    return server;
  }
  throw new Error(`redis-server did not start: ${log}`);
}

/** A connection that can be used whenever it is open. */
export function unguarded(client: RedisConnection): Pick<GuardedConnection, 'client' | 'isUsable' | 'onUsable'> {
  return {
    client,
    isUsable: () => client.isReady,
    onUsable(callback) {
      client.on('ready', callback);
      return () => client.off('ready', callback);
    },
  };
}

export async function connectRedis(url: string) {
  return createClient({ url }).connect();
}

/**
 * Creates the user that docs/operations.md describes.
 * @returns the address with which a bot is that user, and what it was refused so far
 */
export async function createRedisUser(url: string): Promise<{ url: string; refused: () => Promise<string[]> }> {
  const [, rule = ''] = /^ACL (SETUSER invigilator .+)$/m.exec(read('docs/operations.md'))!;
  const withClient = async <Answer>(work: (client: Awaited<ReturnType<typeof connectRedis>>) => Promise<Answer>) => {
    const client = await connectRedis(url);
    const answer = await work(client);
    await client.close();
    return answer;
  };
  await withClient(async (client) => client.sendCommand(['ACL', ...rule.split(' ')]));
  const ofUser = new URL(url);
  [ofUser.username, ofUser.password] = ['invigilator', 'password'];
  return {
    url: ofUser.href,
    refused: async () => withClient(async (client) => (await client.aclLog()).map(({ object }) => object)),
  };
}
