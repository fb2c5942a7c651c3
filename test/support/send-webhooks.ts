import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

export interface WebhookLoad {
  /** Where they go, in turn. */
  urls: readonly string[];
  count: number;
  /** Each has one request at a time under way. Default: 64. */
  connections?: number;
  /** Keeps the events of one load apart from those of another. */
  eventIdPrefix: string;
  /** Whose submissions they are, in turn; default: one quiz's. */
  quizzes?: readonly { id: string; name: string }[];
}

/**
 * Sends webhooks from a process of its own, as fast as they are answered. `onBegin` is called when all are signed and
 * the first is about to be sent.
 * @returns how long it took until the last was answered, in milliseconds
 * @throws where one is not answered 200
 */
export async function sendWebhooks(load: WebhookLoad, onBegin: () => void = () => {}): Promise<number> {
  const child = fork(fileURLToPath(new URL('webhook-load.ts', import.meta.url)), [JSON.stringify({ connections: 64, quizzes: [], ...load })]);
  try {
    await once(child, 'message');
    onBegin();
    child.send('go');
    const [told]: unknown[] = await once(child, 'message');
    const { ms, refused } = z.object({ ms: z.number(), refused: z.number() }).parse(told);
    if (refused > 0) throw new Error(`${refused} of ${load.count} webhooks were not answered 200`);
    return ms;
  } finally {
    child.disconnect();
  }
}
