import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';

/** Starts a file, named from the project's folder, in a process of its own. */
export function start(file: string, ...parameters: string[]): ChildProcess {
  return fork(file, parameters);
}

/** @throws where the process ends without another word */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'disconnect').then(() => Promise.reject(new Error(`${child.spawnargs.join(' ')} ended`)));
  const [message]: unknown[] = await Promise.race([once(child, 'message'), ended]);
  return message;
}

/** Of a server that tells its port first. */
export async function urlOf(server: ChildProcess): Promise<string> {
  const { port } = z.object({ port: z.number() }).parse(await nextMessage(server));
  return `http://127.0.0.1:${port}`;
}
