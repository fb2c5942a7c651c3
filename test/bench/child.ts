import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a file of this folder in a process of its own. */
export function start(file: string, ...parameters: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), parameters);
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}
