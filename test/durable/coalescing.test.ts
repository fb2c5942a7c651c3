import { expect, test } from 'vitest';
import { createCoalescing } from '../../src/durable/mail.ts';

function setUp() {
  const acts: PromiseWithResolvers<void>[] = [];
  const collected: string[][] = [];
  const pauses: number[] = [];
  const call = createCoalescing(
    async (items: ReadonlySet<string>) => {
      collected.push([...items]);
      const act = Promise.withResolvers<void>();
      acts.push(act);
      await act.promise;
    },
    50,
    async (ms) => void pauses.push(ms),
  );
  const end = async () => {
    acts.at(-1)!.resolve();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { acts, collected, pauses, call, end };
}

test('the first item is acted on at once, and all that come meanwhile once more, each once', async () => {
  const { acts, collected, pauses, call, end } = setUp();
  call('a');
  expect(acts).toHaveLength(1);
  call('b');
  call('a');
  call('b');
  expect(acts).toHaveLength(1);
  await end();
  expect(acts).toHaveLength(2);
  await end();
  expect(acts).toHaveLength(2);
  expect(pauses).toEqual([]);
  call('c');
  expect(collected).toEqual([['a'], ['b', 'a'], ['c']]);
});

test('where many came, more of them can come before the next', async () => {
  const { acts, pauses, call, end } = setUp();
  call('a');
  for (let count = 0; count < 20; count += 1) call('a');
  await end();
  await end();
  expect([acts.length, pauses]).toEqual([2, [50]]);
});

test.each([
  [4, []],
  [5, [50]],
])('pauses only after more than four calls: %i calls', async (count, expected) => {
  const { pauses, call, end } = setUp();
  call('first');
  for (let n = 0; n < count; n += 1) call(`${n}`);
  await end();
  await end();
  expect(pauses).toEqual(expected);
});
