import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { PATH = '', TZ, NODE_OPTIONS } = process.env;

/**
 * What programs of tests have in their environment. As with `npm start`, Node keeps compiled code, so they start in half the
 * time. With `npm run days`, they are in the zone and at the time of the tests.
 */
export const programEnv = {
  PATH,
  NODE_COMPILE_CACHE: 'node_modules/.cache/invigilator',
  ...(TZ !== undefined && { TZ }),
  ...(NODE_OPTIONS !== undefined && { NODE_OPTIONS }),
};

/** Forks a program. `file` is relative to the project root. */
export function forkProgram(file: string, ...parameters: string[]): ChildProcess {
  return fork(file, parameters);
}

/** @throws if the process ends without another message */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'disconnect').then(() => Promise.reject(new Error(`${child.spawnargs.join(' ')} ended`)));
  const [message]: unknown[] = await Promise.race([once(child, 'message'), ended]);
  return message;
}

/** The URL of a forked server whose first message is its port. */
export async function serverUrl(server: ChildProcess): Promise<string> {
  const { port } = z.object({ port: z.number() }).parse(await nextMessage(server));
  return `http://127.0.0.1:${port}`;
}

/** The sandbox as its command starts it, in a process group of its own and an empty data folder. */
export function startSandbox(env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'invigilator-sandbox-'));
  chmodSync(dataDir, 0o755);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/sandbox/main.ts'], {
    env: { ...programEnv, PORT: '0', DATA_DIR: dataDir, ...env },
    detached: true,
  });
  const isAnybodyLeft = () => {
    try {
      return process.kill(-child.pid!, 0);
    } catch {
      return false;
    }
  };
  const exit = once(child, 'exit');
  return {
    child,
    exit,
    dataDir,
    isAnybodyLeft,
    /** Waits until it is up. @returns what it has printed */
    async up(): Promise<string> {
      let output = '';
      for await (const chunk of child.stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        output += chunk.toString();
        if (output.includes('is up')) return output;
      }
      throw new Error(`the sandbox ended: ${output}`);
    },
    /** Kills what is left of it, and deletes its folder. */
    async end(): Promise<void> {
      if (isAnybodyLeft()) process.kill(-child.pid!, 'SIGKILL');
      await exit;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The addresses of the pages, in what the sandbox has printed. */
export const addressesIn = (output: string): string[] => output.match(/http:\/\/\S+/g) ?? [];
