import { expect, test, vi } from 'vitest';
import { createCachedList } from '../../src/directory/named-list.ts';

function setUp() {
  const flights: { resolve: (items: string[]) => void; reject: (error: Error) => void }[] = [];
  const clock = { now: 0 };
  const onBackgroundError = vi.fn();
  const load = vi.fn(() => new Promise<string[]>((resolve, reject) => flights.push({ resolve, reject })));
  const list = createCachedList<string>({
    load,
    agesAfterMs: 60_000,
    agesInBackgroundAfterMs: 180_000,
    now: () => clock.now,
    onBackgroundError,
  });
  return { list, load, flights, clock, onBackgroundError };
}

test('callers at the same time share one request', async () => {
  const { list, load, flights } = setUp();
  const both = Promise.all([list.get(), list.fresh()]);
  flights[0]!.resolve(['a']);
  expect(await both).toEqual([['a'], ['a']]);
  expect(load).toHaveBeenCalledTimes(1);
});

test('an aged list is given at once and loaded anew behind it', async () => {
  const { list, load, flights, clock } = setUp();
  const first = list.get();
  flights[0]!.resolve(['a']);
  await first;
  clock.now = 60_001;
  expect(await list.get()).toEqual(['a']);
  expect(load).toHaveBeenLastCalledWith({ priority: 'background' });
  flights[1]!.resolve(['b']);
  await expect.poll(() => list.known()).toEqual(['b']);
});

test('background work is content with an older list', async () => {
  const { list, load, flights, clock } = setUp();
  const first = list.get();
  flights[0]!.resolve(['a']);
  await first;
  clock.now = 180_000;
  await list.get({ priority: 'background' });
  expect(load).toHaveBeenCalledTimes(1);
  clock.now = 180_001;
  await list.get({ priority: 'background' });
  expect(load).toHaveBeenCalledTimes(2);
});

test('fresh means no older than a few seconds', async () => {
  const { list, load, flights, clock } = setUp();
  const first = list.fresh();
  flights[0]!.resolve(['a']);
  await first;
  clock.now = 5_000;
  await list.fresh();
  expect(load).toHaveBeenCalledTimes(1);
  clock.now = 5_001;
  void list.fresh();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a failed load leaves what is known and is tried again the next time', async () => {
  const { list, load, flights, clock, onBackgroundError } = setUp();
  const failed = list.get();
  flights[0]!.reject(new Error('down'));
  await expect(failed).rejects.toThrow('down');
  const again = list.get();
  flights[1]!.resolve(['a']);
  await again;
  clock.now = 60_001;
  await list.get();
  flights[2]!.reject(new Error('down again'));
  await expect.poll(() => onBackgroundError).toHaveBeenCalled();
  expect(list.known()).toEqual(['a']);
  expect(load).toHaveBeenCalledTimes(3);
});
