import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { createClient } from '@redis/client';

/** Why tests over Redis cannot run here; null when they can. CI never skips them. */
export const redisMissing: string | null = findRedis();

function findRedis(): string | null {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  if (isInstalled) return null;
  if (process.env['CI'] === 'true') throw new Error('redis-server is missing, and CI runs every test');
  return 'redis-server is missing: install it to run the tests over Redis';
}

export interface TestRedis {
  url: string;
  stop(): Promise<void>;
  /** As it was, where it has a directory; empty otherwise. */
  startAgain(): Promise<void>;
}

/** A Redis of one's own, which keeps nothing, or everything in an append-only file of a directory. */
export async function startRedis(directory?: string): Promise<TestRedis> {
  const port = await findFreePort();
  const keeping = directory === undefined ? [] : ['--appendonly', 'yes', '--dir', directory];
  const begin = () => runRedis(['--save', '', '--bind', '127.0.0.1', '--port', String(port), ...keeping]);
  let stop = await begin();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => stop(),
    startAgain: async () => {
      stop = await begin();
    },
  };
}

async function runRedis(parameters: string[]): Promise<() => Promise<void>> {
  const server = spawn('redis-server', parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  let log = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    log += String(chunk);
    if (log.includes('Ready to accept connections')) break;
  }
  if (server.exitCode !== null) throw new Error(`redis-server did not start: ${log}`);
  server.stdout.resume();
  return async () => {
    server.kill();
    await exited;
  };
}

export async function connectRedis(url: string) {
  return createClient({ url }).connect();
}

/** A port that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
