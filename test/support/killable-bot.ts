import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './loopback.ts';

/** A bot as its own process, always at the same address, that can be killed and started again. */
export interface KillableBot {
  readonly url: string;
  /** Resolves when it answers; at once where it was killed before it did. Rejects where it ended by itself. */
  start(): Promise<void>;
  /** SIGKILL. The signal is sent before this returns; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM. */
  stop(): Promise<void>;
  /** The last lines of its log, over all its lives. */
  lastWords(): string;
}

const lineCount = 40;

export async function createKillableBot(options: { env: Record<string, string>; logFile: string; nodeOptions?: readonly string[] }): Promise<KillableBot> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env['PATH'], ...options.env, HOST: '127.0.0.1', PORT: String(port) };
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const startFlags = scripts.start.match(/--[\w-]+(?:=\S+)?/g) ?? [];
  let child: ChildProcess | undefined;
  const toBeGone = new WeakSet<ChildProcess>();

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (ending === undefined || isGone(ending)) return;
    toBeGone.add(ending);
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  }

  const lastWords = () => readFileSync(options.logFile, 'utf8').trimEnd().split('\n').slice(-lineCount).join('\n');

  return {
    url,
    async start() {
      const log = openSync(options.logFile, 'a');
      const started = spawn(process.execPath, [...startFlags, ...(options.nodeOptions ?? []), 'src/main.ts'], { env, stdio: ['ignore', log, log] });
      closeSync(log);
      child = started;
      while (!(await isAlive(url))) {
        if (toBeGone.has(started)) return;
        if (isGone(started)) throw new Error(`the bot ended by itself (${started.exitCode ?? started.signalCode}):\n${lastWords()}`);
        await pause(20);
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    lastWords,
  };
}

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function isAlive(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}
