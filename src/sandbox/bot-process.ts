import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { SandboxClock } from './clock/sandbox-clock.ts';

const root = new URL('../../', import.meta.url);

/**
 * Starts the bot as its own process, as in production: with the command of `npm start`. It writes its log to a file. It follows the clock, if there is one. It reads no file
 * `.env`: that is for a bot with a real account.
 */
export function startBot(options: { env: Record<string, string | undefined>; logFile: string; clock?: SandboxClock }) {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: { start: string } };
  const child = spawn('/bin/sh', ['-c', scripts.start.replace(/\$\(.*?\) /, '')], {
    cwd: root,
    env: {
      ...options.env,
      PATH: dirname(process.execPath),
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_OPTIONS: options.clock?.nodeFlags().join(' '),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  options.clock?.lead(child);
  const { stdout } = child;
  if (stdout === null) throw new Error('the bot has no standard output');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  stdout.pipe(createWriteStream(options.logFile, { flags: 'a' }));

  return {
    pid: child.pid,
    /**
     * Resolves with the bot's URL, for example `http://127.0.0.1:40123`, or with undefined when the bot exits before it
     * is up.
     */
    up: Promise.race([portIn(stdout).then((port) => `http://127.0.0.1:${port}`), ended.then(() => undefined)]),
    /** Resolves with the exit code. */
    ended,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Reads the port from the bot's log. */
function portIn(log: NodeJS.ReadableStream): Promise<number> {
  return new Promise((resolve) => {
    createInterface({ input: log }).on('line', (line) => {
      const up = /"port":(\d+).*"msg":"the bot is up"/.exec(line);
      if (up) resolve(Number(up[1]));
    });
  });
}
