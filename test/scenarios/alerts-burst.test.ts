import { expect, test } from 'vitest';
import { runBurst } from '../support/burst.ts';

test('300 submissions at once are a few messages, and everybody is in them', { timeout: 60_000 }, async () => {
  const { messages, announced, sentMs } = await runBurst({ events: 300, channels: 0 });
  expect(announced).toBe(300);
  // One a second while they come, which on a busy machine takes longer than a second, and what is left after that.
  expect(messages).toBeLessThanOrEqual(3 + Math.ceil(sentMs / 1_000));
});
