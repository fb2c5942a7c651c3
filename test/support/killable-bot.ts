import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { programEnv } from './child-process.ts';
import { findFreePort } from './loopback.ts';
import { startPollMs, untilSo } from './watchdog.ts';
import { onTestFinished } from 'vitest';

/** A bot in its own process that keeps its URL when it is killed and restarted. */
export interface KillableBot {
  readonly url: string;
  /** Of its process; undefined before its first start. */
  pid(): number | undefined;
  /** Resolves when the bot answers, or at once when it is killed first. Rejects if it exits by itself. */
  start(): Promise<void>;
  /** Sends SIGKILL before it returns. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Sends SIGTERM. Resolves when the process is gone. */
  stop(): Promise<void>;
  /** Sends SIGSTOP: the process stands still, and its connections stay open. */
  freeze(): void;
  thaw(): void;
  /** The last lines of the log, which spans all restarts. */
  lastLogLines(): string;
}

const lineCount = 40;

export async function createKillableBot(options: {
  env: Record<string, string>;
  logFile: string;
  nodeOptions?: readonly string[];
  /** The clock that the bot follows, through restarts too. Default: the system's. */
  clock?: Pick<SandboxClock, 'nodeFlags' | 'lead'> | undefined;
}): Promise<KillableBot> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...programEnv, ...options.env, HOST: '127.0.0.1', PORT: String(port) };
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const startFlags = scripts.start.replace(/\$\(.*?\)/, '').match(/--[\w-]+(?:=\S+)?/g) ?? [];
  let child: ChildProcess | undefined;
  const stopping = new WeakSet<ChildProcess>();

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (ending === undefined || isGone(ending)) return;
    stopping.add(ending);
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  }

  const lastLogLines = () => readFileSync(options.logFile, 'utf8').trimEnd().split('\n').slice(-lineCount).join('\n');

  return {
    url,
    pid: () => child?.pid,
    async start() {
      const log = openSync(options.logFile, 'a');
      const flags = [...startFlags, ...(options.clock?.nodeFlags() ?? []), ...(options.nodeOptions ?? [])];
      const started = spawn(process.execPath, [...flags, 'src/main.ts'], {
        env,
        stdio: ['ignore', log, log, ...(options.clock ? (['ipc'] as const) : [])],
      });
      closeSync(log);
      options.clock?.lead(started);
      child = started;
      await untilSo(async () => {
        // It can be killed while it is asked.
        if ((await isAlive(url)) || stopping.has(started)) return true;
        if (isGone(started))
          throw new Error(`the bot exited by itself (${started.exitCode ?? started.signalCode}):\n${lastLogLines()}`);
        return false;
      }, startPollMs);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    lastLogLines,
  };
}

const isGone = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

export async function untilReady(bot: Pick<KillableBot, 'url'>): Promise<void> {
  await untilSo(() => isReady(bot), startPollMs);
}

/** Whether the bot of a process is ready, or every bot of a file of tenants: it answers before its store is open. */
export async function isReady({ url }: Pick<KillableBot, 'url'>): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`);
    const { tenants = {} } = (await answer.json()) as { tenants?: Record<string, string> };
    return answer.ok && Object.values(tenants).every((state) => state === 'up');
  } catch {
    return false;
  }
}

async function isAlive(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** A program of the project in its own process. The test kills it when it ends. */
interface ProgramRun {
  /** The output so far. */
  output: () => { stdout: string; stderr: string };
  exit: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Runs a program with nothing else in its environment than `env` and what all programs of tests have.
 *
 * @param onOutput called with all of stdout so far each time it grows
 * @param onClose registers its end; tests that run at the same time pass their own `onTestFinished`
 */
export function runProgram(
  file: string,
  env: Record<string, string>,
  onOutput: (stdout: string) => void = () => {},
  onClose: (cleanUp: () => Promise<void>) => void = onTestFinished,
): ProgramRun {
  const child = spawn(process.execPath, [file], { env: { ...programEnv, ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => onOutput((written.stdout += chunk.toString())));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  onClose(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { output: () => written, exit, kill: (signal) => void child.kill(signal) };
}

/** The bot as `npm start` runs it. */
export interface BotRun extends ProgramRun {
  /** Resolves with the bot's URL when it is ready. Rejects if it exits first. */
  up: Promise<string>;
}

export function runBot(
  env: Record<string, string>,
  { onClose }: { onClose?: (cleanUp: () => Promise<void>) => void } = {},
): BotRun {
  const up = Promise.withResolvers<string>();
  const onOutput = (stdout: string): void => {
    const port = /"port":(\d+).*"msg":"the bot is up"/.exec(stdout)?.[1];
    if (port) up.resolve(`http://127.0.0.1:${port}`);
  };
  const run = runProgram('src/main.ts', { HOST: '127.0.0.1', PORT: '0', ...env }, onOutput, onClose);
  void run.exit.then((code) =>
    up.reject(new Error(`the bot exited with ${code}: ${run.output().stderr}${run.output().stdout}`)),
  );
  up.promise.catch(() => {});
  return { ...run, up: up.promise };
}
