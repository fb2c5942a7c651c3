import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** A program of the project in a process of its own, told everything by its environment; gone when the test ends. */
export interface ProgramRun {
  /** Everything it wrote so far. */
  output: () => { stdout: string; stderr: string };
  exit: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** @param onOutput hears of all that was written to stdout, each time it is more */
export function runProgram(file: string, env: Record<string, string>, onOutput: (stdout: string) => void = () => {}): ProgramRun {
  const child = spawn(process.execPath, [file], { env: { PATH: process.env['PATH'], ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => onOutput((written.stdout += chunk.toString())));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { output: () => written, exit, kill: (signal) => void child.kill(signal) };
}
