import { expect, test } from 'vitest';
import { runBurst } from '../support/burst.ts';

test('300 submissions at once are at most four messages, and everybody is in them', { timeout: 60_000 }, async () => {
  const { messages, announced } = await runBurst({ events: 300, channels: 0 });
  expect(announced).toBe(300);
  expect(messages).toBeLessThanOrEqual(4);
});
