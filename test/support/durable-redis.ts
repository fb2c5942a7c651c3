import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from './redis.ts';

/** A Redis that keeps what it was told on disk, and can be killed. */
export interface DurableRedis {
  url: string;
  /** SIGKILL, and a new start over the same files. Resolves when it can be used again. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startDurableRedis(directory: string): Promise<DurableRedis> {
  const port = await findFreePort();
  let server = await start(port, directory);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    async killAndRestart() {
      await end('SIGKILL');
      server = await start(port, directory);
    },
    stop: () => end('SIGTERM'),
  };
}

async function start(port: number, directory: string): Promise<ChildProcess> {
  const server = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--dir', directory, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let log = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    log += String(chunk);
    if (log.includes('Ready to accept connections')) {
      server.stdout.resume();
      return server;
    }
  }
  throw new Error(`redis-server did not start: ${log}`);
}
