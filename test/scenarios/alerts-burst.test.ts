import { expect, inject, test } from 'vitest';
import { runBurst } from '../support/burst.ts';

test.each([1, 15])(
  'posts a few messages with every name for a burst of 300 submissions to %i quizzes',
  async (quizzes) => {
    const { messages, announced, unnamed, sentMs } = await runBurst({
      events: 300,
      channels: 0,
      quizzes,
      installation: inject('installation'),
    });
    expect([announced, unnamed]).toEqual([300, 0]);
    // One message per second while webhooks arrive, which takes longer on a busy machine, and up to three more.
    expect(messages).toBeLessThanOrEqual(3 + Math.ceil(sentMs / 1_000));
  },
);
