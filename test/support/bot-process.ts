import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** The bot as `npm start` runs it: its own process, told everything by its environment. */
export interface BotRun {
  /** Everything it wrote so far. */
  output: () => { stdout: string; stderr: string };
  /** Resolves with its address when it says it is up. */
  up: Promise<string>;
  exit: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

export function runBot(env: Record<string, string>): BotRun {
  const child = spawn(process.execPath, ['src/main.ts'], { env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', ...env } });
  const written = { stdout: '', stderr: '' };
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const up = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      written.stdout += chunk.toString();
      const port = /"port":(\d+).*"msg":"the bot is up"/.exec(written.stdout)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
    void exit.then((code) => reject(new Error(`the bot ended with ${code}: ${written.stderr}${written.stdout}`)));
  });
  up.catch(() => {});
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { output: () => written, up, exit, kill: (signal) => void child.kill(signal) };
}
