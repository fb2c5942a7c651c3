import { expect, test } from 'vitest';
import { createTurns } from '../../../src/features/webhooks/route.ts';

test('so many run at a time, the others in the order in which they came, and a failure gives its turn to the next', async () => {
  const takeTurn = createTurns(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const results = Array.from({ length: 5 }, async (_, number) =>
    takeTurn(async () => {
      begun.push(number);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return number;
    }),
  );
  const outcomes = Promise.allSettled(results);
  await expect.poll(() => begun).toEqual([0, 1]);
  ends[1]!.reject(new Error('it failed'));
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[0]!.resolve();
  ends[2]!.resolve();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4]);
  for (const end of ends) end.resolve();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(await takeTurn(async () => 'free again')).toBe('free again');
});

test('what waited begins in a later turn of the event loop, after what others asked for meanwhile', async () => {
  const takeTurn = createTurns(1);
  const order: string[] = [];
  const first = takeTurn(async () => {
    order.push('first');
    setImmediate(() => order.push('another tenant'));
  });
  const second = takeTurn(async () => void order.push('second'));
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'another tenant', 'second']);
});
