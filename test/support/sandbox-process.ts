import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programEnv } from './child-process.ts';

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
