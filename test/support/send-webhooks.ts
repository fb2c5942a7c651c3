import * as z from 'zod';
import { nextMessage, forkProgram } from './child-process.ts';

interface WebhookLoad {
  /** The webhook receivers, used in turn. */
  urls: readonly string[];
  count: number;
  /** Separates the events of this load from those of other loads. */
  eventIdPrefix: string;
  /** The quizzes of the submissions, used in turn. Default: one sample quiz. */
  quizzes?: readonly { id: string; name: string }[];
  /** Where the receivers take them, and how they are signed. Default: as a bot that is alone in its process. */
  path?: string;
  secret?: string;
}

/**
 * Sends webhooks from a separate process, as fast as the receivers answer.
 *
 * @param onBegin called when every request is signed and before the first is sent
 * @returns the time until the last response, in milliseconds
 * @throws if a response is not 200
 */
export async function sendWebhooks(load: WebhookLoad, onBegin: () => void = () => {}): Promise<number> {
  const child = forkProgram('test/support/webhook-load.ts', JSON.stringify({ quizzes: [], ...load }));
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
