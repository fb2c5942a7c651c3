import { expect, test } from 'vitest';
import { runBurst } from '../support/burst.ts';

test('posts a few messages with every name for a burst of 300 submissions', { timeout: 60_000 }, async () => {
  const { messages, announced, sentMs } = await runBurst({ events: 300, channels: 0 });
  expect(announced).toBe(300);
  // One message per second while webhooks arrive, which takes longer on a busy machine, and up to three more.
  expect(messages).toBeLessThanOrEqual(3 + Math.ceil(sentMs / 1_000));
});
