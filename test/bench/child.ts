import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** Starts a file of this folder in a process of its own. */
export function start(file: string, ...parameters: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), parameters);
}

export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}

/** Of a server that tells its port first. */
export async function urlOf(server: ChildProcess): Promise<string> {
  const { port } = z.object({ port: z.number() }).parse(await nextMessage(server));
  return `http://127.0.0.1:${port}`;
}
