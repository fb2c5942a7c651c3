import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { programEnv } from '../../../support/child-process.ts';

const mainFile = 'src/sandbox/quiz-service/main.ts';

interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** Resolves when the process has exited. @returns its exit code or signal */
  end: (signal: NodeJS.Signals) => Promise<number | string>;
  /** The output so far. */
  lines: string[];
}

/** Starts the service in a process of its own, on any free port. */
export async function startServiceProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [mainFile], {
    env: { ...programEnv, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      const match = /^Quiz service: (.+)$/.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
    child.once('exit', () => reject(new Error('The service did not start.')));
  });
  return {
    url,
    child,
    lines,
    async end(signal) {
      child.kill(signal);
      const [code, killedBy]: (number | string | null)[] = await exited;
      return code ?? killedBy ?? '';
    },
  };
}
