import { expect, test } from 'vitest';
import { createRateLimitFetch } from '../../src/slack/connection/client.ts';

/** A Slack that returns these answers in order. */
function setUp(...answers: [status: number, retryAfter?: string][]) {
  const waits: number[] = [];
  let calls = 0;
  const fetch = createRateLimitFetch(
    async () => {
      const [status, retryAfter] = answers[Math.min(calls, answers.length - 1)]!;
      calls += 1;
      return new Response('', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
    },
    async (ms) => void waits.push(ms),
  );
  return { ask: async () => (await fetch('https://slack.test/api/x')).status, waits, calls: () => calls };
}

test('waits when Slack asks for one second', async () => {
  const { ask, waits } = setUp([429, '1'], [429, '2'], [200]);
  expect(await ask()).toBe(200);
  expect(waits).toEqual([1_000, 2_000]);
});

test('returns a 429 with a longer wait, with a repeated wait or without a time', async () => {
  for (const answers of [[[429, '3']], [[429]], [[429, 'soon']]] as [number, string?][][]) {
    const { ask, calls } = setUp(...answers);
    expect([await ask(), calls()]).toEqual([429, 1]);
  }
  const { ask, calls } = setUp([429, '1']);
  expect([await ask(), calls()]).toEqual([429, 3]);
});

test('returns other answers unchanged', async () => {
  const { ask, calls } = setUp([500, '1']);
  expect([await ask(), calls()]).toEqual([500, 1]);
});
