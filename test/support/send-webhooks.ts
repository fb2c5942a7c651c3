import * as z from 'zod';
import { nextMessage, start } from './child.ts';

export interface WebhookLoad {
  /** Where they go, in turn. */
  urls: readonly string[];
  count: number;
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
  const child = start('test/support/webhook-load.ts', JSON.stringify({ quizzes: [], ...load }));
  try {
    await nextMessage(child);
    onBegin();
    child.send('go');
    const { ms, refused } = z.object({ ms: z.number(), refused: z.number() }).parse(await nextMessage(child));
    if (refused > 0) throw new Error(`${refused} of ${load.count} webhooks were not answered 200`);
    return ms;
  } finally {
    if (child.connected) child.disconnect();
  }
}
