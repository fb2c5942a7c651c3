import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';

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
