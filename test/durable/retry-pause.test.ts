import { expect, test } from 'vitest';
import { retryPauseMs } from '../../src/durable/retry-pause.ts';

test('a call without an answer is tried again after five seconds at most, for ten minutes', () => {
  const pauses = (failures: number) => retryPauseMs(failures, { kind: 'unclear', retryAfterMs: undefined });
  expect([1, 2, 3, 4, 120, 121].map(pauses)).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 300_000]);
});

test('a call that was refused is tried again after five minutes at most, or when the platform asks for it', () => {
  expect(
    [1, 9, 10, 99].map((failures) => retryPauseMs(failures, { kind: 'refused', retryAfterMs: undefined })),
  ).toEqual([1_000, 256_000, 300_000, 300_000]);
  expect(retryPauseMs(9, { kind: 'rate_limited', retryAfterMs: 17 })).toBe(17);
});
