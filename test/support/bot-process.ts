import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { programEnv } from './child-process.ts';

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
