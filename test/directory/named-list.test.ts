import { expect, test, vi, describe } from 'vitest';
import { createCachedList, createNamedList, isSameRecord } from '../../src/directory/named-list.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallOptions } from '../../src/quiz-api/transport.ts';
import { createInFlight } from '../../src/time/timers.ts';
import { eventually } from '../support/watchdog.ts';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { runs } from '../support/drawn.ts';

function openCached() {
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
  const { list, load, flights } = openCached();
  const both = Promise.all([list.get(), list.fresh()]);
  flights[0]!.resolve(['a']);
  expect(await both).toEqual([['a'], ['a']]);
  expect(load).toHaveBeenCalledTimes(1);
});

test('an aged list is given at once and loaded anew behind it', async () => {
  const { list, load, flights, clock } = openCached();
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
  const { list, load, flights, clock } = openCached();
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
  const { list, load, flights, clock } = openCached();
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
  const { list, load, flights, clock, onBackgroundError } = openCached();
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

interface Thing {
  id: string;
  name: string;
  tags: string[];
}

const minuteMs = 60_000;
const thing = (n: number, name = `Thing ${String(n).padStart(6, '0')}`): Thing => ({ id: `t-${n}`, name, tags: ['a'] });

/** A service that makes its records anew for each reading, and gives the caller's own record where that is equal. */
function setUp(count: number) {
  let things = Array.from({ length: count }, (_, n) => thing(n));
  const clock = { now: 0 };
  let readings: Promise<void> = Promise.resolve();
  const load = vi.fn(async (_call: CallOptions | undefined, known: (item: Thing) => Thing | undefined) => {
    await readings;
    return structuredClone(things).map((item) => known(item) ?? item);
  });
  const names = vi.fn(({ name }: Thing) => [name]);
  const onBackgroundError = vi.fn();
  const list = createNamedList<Thing>({
    load,
    names,
    id: ({ id }) => id,
    agesAfterMs: 5 * minuteMs,
    now: () => clock.now,
    onBackgroundError,
  });
  return {
    list,
    load,
    names,
    clock,
    onBackgroundError,
    setThings: (next: Thing[]) => void (things = next),
    holdReadings: (held: Promise<void>) => void (readings = held),
  };
}

describe('a long list that is read again', () => {
  test('keeps its items and its index where nothing changed', async () => {
    const { list, names } = setUp(3_000);
    const [before, index] = [await list.get(), await list.names()];
    names.mockClear();
    const after = await list.refresh();
    expect(after).not.toBe(before);
    expect(after.every((item, at) => item === before[at])).toBe(true);
    expect(await list.names()).toBe(index);
    expect(names).not.toHaveBeenCalled();
  });

  test('changes its index only where the list did', async () => {
    const { list, names, setThings } = setUp(3_000);
    const before = await list.get();
    await list.names();
    names.mockClear();
    setThings(
      [...Array.from({ length: 2_990 }, (_, n) => thing(n)), thing(7, 'Renamed'), thing(5_000, 'New')].filter(
        ({ id, name }) => id !== 't-7' || name === 'Renamed',
      ),
    );
    const after = await list.refresh();
    const index = await list.names();
    expect(new Set(names.mock.calls.map(([{ name }]) => name))).toEqual(new Set(['Renamed', 'New']));
    expect(after[0]).toBe(before[0]);
    expect(index.match('renamed')).toMatchObject({ kind: 'one', item: { id: 't-7' } });
    expect(index.match('new')).toMatchObject({ kind: 'one' });
    expect(index.byId('t-2995')).toBeUndefined();
    expect(index.count('')).toBe(after.length);
  });

  test('has its items in order again a quarter of an hour later', async () => {
    const { list, clock, setThings } = setUp(3_000);
    await list.names();
    setThings([thing(9_000, 'A first'), ...Array.from({ length: 3_000 }, (_, n) => thing(n))]);
    const first = async () => (await list.names()).search('', { limit: 1 })[0]?.name;
    await list.refresh();
    expect(await first()).toBe('Thing 000000');
    clock.now += 15 * minuteMs;
    await list.refresh();
    await expect.poll(first).toBe('A first');
  });

  test('shows what the bot wrote while it was read', async () => {
    const { list, holdReadings } = setUp(3_000);
    await list.names();
    const held = Promise.withResolvers<void>();
    holdReadings(held.promise);
    const reading = list.refresh();
    list.put(thing(7, 'Our own'));
    list.remove(thing(8));
    for (let time = 0; time < 2; time += 1) {
      const { names } = await list.recentNames();
      expect([names.match('our own').kind, names.byId('t-8')]).toEqual(['one', undefined]);
      held.resolve();
      await reading;
    }
    expect((await list.names()).byId('t-8')).toBeUndefined();
  });

  test('edits an item as the service gives it, while the list is read', async () => {
    const { list, holdReadings, setThings } = setUp(2);
    await list.names();
    const held = Promise.withResolvers<void>();
    holdReadings(held.promise);
    const reading = list.refresh();
    list.edit('t-1', (known) => ({ ...known, name: 'Renamed' }));
    setThings([thing(0), { ...thing(1), tags: ['from the service'] }]);
    held.resolve();
    await reading;
    expect((await list.names()).byId('t-1')).toEqual({ id: 't-1', name: 'Renamed', tags: ['from the service'] });
  });

  test('has slices that do not grow with its length', async () => {
    const longestSlice = async (count: number) => {
      const { list, names } = setUp(count);
      const items = await list.get();
      let longest = 0;
      const indexed = list.names();
      for (let before = 0; before < items.length; before = names.mock.calls.length) {
        longest = Math.max(longest, names.mock.calls.length - before);
        await nextTurn();
      }
      expect((await indexed).count('')).toBe(items.length);
      return longest;
    };
    expect(await longestSlice(12_000)).toBeLessThanOrEqual((await longestSlice(4_000)) + 1);
  });

  test('is compared in slices that do not grow with its length', async () => {
    const mostAtOnce = async (count: number) => {
      const things = Array.from({ length: count }, (_, n) => thing(n));
      let compared = 0;
      const list = createNamedList<Thing>({
        load: async () => [...things],
        id: ({ id }) => ((compared += 1), id),
        names: ({ name }) => [name],
        agesAfterMs: 5 * minuteMs,
        now: () => 0,
        onBackgroundError() {},
      });
      await list.get();
      list.onChanged(() => {});
      const reading = createInFlight();
      void reading.track(list.refresh());
      let most = 0;
      for (let before = 0; reading.count() > 0; before = compared) {
        await nextTurn();
        most = Math.max(most, compared - before);
      }
      return most;
    };
    expect(await mostAtOnce(60_000)).toBe(await mostAtOnce(30_000));
  });
});

describe('the list that a person reads', () => {
  test('is the service’s where it is short', async () => {
    const { list, load, clock } = setUp(10);
    await list.recentNames();
    clock.now += 6_000;
    expect((await list.recentNames()).readAt).toBeUndefined();
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('is the one at hand where it is long, says its age from a minute on, and is read again meanwhile', async () => {
    const { list, load, clock, setThings, holdReadings } = setUp(3_000);
    await list.names();
    setThings([thing(1, 'Only this')]);
    clock.now += minuteMs;
    expect((await list.recentNames()).readAt).toBeUndefined();
    expect(load).toHaveBeenCalledTimes(1);
    const held = Promise.withResolvers<void>();
    holdReadings(held.promise);
    clock.now += 1;
    const { names, readAt } = await list.recentNames();
    expect([names.count(''), readAt]).toEqual([3_000, 0]);
    expect(load).toHaveBeenCalledTimes(2);
    expect(load.mock.lastCall?.[0]).toEqual({ priority: 'background' });
    held.resolve();
    await expect.poll(async () => (await list.recentNames()).names.count('')).toBe(1);
  });

  test('is also given while the service is away', async () => {
    const { list, load, clock, onBackgroundError } = setUp(3_000);
    await list.names();
    load.mockRejectedValue(new Error('away'));
    clock.now += 30 * minuteMs;
    expect((await list.recentNames()).names.count('')).toBe(3_000);
    await expect.poll(() => onBackgroundError).toHaveBeenCalled();
  });
});

describe('an item that is read by itself', () => {
  test('is read again where the bot changed it meanwhile', async () => {
    const { list } = setUp(2);
    await list.names();
    const answers = [Promise.withResolvers<Thing>(), Promise.withResolvers<Thing>()];
    const load = vi.fn(() => answers[load.mock.calls.length - 1]!.promise);
    const reading = list.read('t-1', load);
    list.edit('t-1', (known) => ({ ...known, tags: ['ours'] }));
    answers[0]!.resolve(thing(1, 'From before'));
    await eventually(() => expect(load).toHaveBeenCalledTimes(2));
    expect((await list.names()).byId('t-1')).toMatchObject({ tags: ['ours'] });
    answers[1]!.resolve({ ...thing(1, 'From after'), tags: ['ours'] });
    expect(await reading).toMatchObject({ name: 'From after' });
    expect((await list.names()).byId('t-1')).toEqual({ id: 't-1', name: 'From after', tags: ['ours'] });
  });

  test('is old five minutes after the list or the item itself was read', async () => {
    const { list, clock } = setUp(2);
    expect(list.isOld('1')).toBe(true);
    await list.get();
    clock.now += 5 * minuteMs + 1;
    await list.read('1', async () => thing(1));
    expect([list.isOld('0'), list.isOld('1')]).toEqual([true, false]);
    await list.refresh();
    expect([list.isOld('0'), list.isOld('1')]).toEqual([false, false]);
    clock.now += 5 * minuteMs + 1;
    expect(list.isOld('1')).toBe(true);
  });

  test('is read once where only others changed', async () => {
    const { list } = setUp(2);
    await list.names();
    const load = vi.fn(async () => {
      list.remove(thing(0));
      return undefined;
    });
    expect(await list.read('t-1', load)).toBeUndefined();
    expect(load).toHaveBeenCalledTimes(1);
    expect((await list.names()).byId('t-1')).toBeUndefined();
  });
});

describe('who follows a list', () => {
  test('gets what distinguishes a list that is read again, and nothing of the first reading', async () => {
    const { list, setThings } = setUp(3);
    const changes: string[] = [];
    list.onChanged((some) =>
      changes.push(...some.map(({ before, after }) => `${before?.name ?? '–'} → ${after?.name ?? '–'}`)),
    );
    await list.names();
    await list.refresh();
    expect(changes).toEqual([]);
    setThings([thing(0), thing(1, 'Renamed'), thing(3, 'New')]);
    await list.refresh();
    expect(changes).toEqual(['Thing 000001 → Renamed', '– → New', 'Thing 000002 → –']);
  });

  test('gets our own changes at once', async () => {
    const { list } = setUp(2);
    await list.names();
    const changes: string[] = [];
    list.onChanged((some) =>
      changes.push(...some.map(({ before, after }) => `${before?.name ?? '–'} → ${after?.name ?? '–'}`)),
    );
    list.put(thing(5, 'Five'));
    list.edit('t-5', (item) => ({ ...item, name: 'Fifth' }));
    list.remove(thing(5));
    expect(changes).toEqual(['– → Five', 'Five → Fifth', 'Fifth → –']);
  });
});

const anyRecord = fc.letrec((again) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', 1, 2, true, false, null, undefined),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(2) }),
    fc.array(again('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), again('value'), { noNullPrototype: true }),
  ),
})).value;

test('two records are the same exactly where Node says so', () => {
  fc.assert(
    fc.property(anyRecord, anyRecord, (a, b) => isSameRecord(a, b) === isDeepStrictEqual(a, b)),
    { numRuns: runs(2_000) },
  );
  fc.assert(fc.property(anyRecord, (a) => isSameRecord(a, structuredClone(a))));
});

test.each([
  [[], {}],
  [{}, []],
  [new Date(0), {}],
  [{}, new Date(0)],
  [
    { x: undefined, y: 1 },
    { y: 1, z: 2 },
  ],
  [null, {}],
])('%j and %j differ', (a, b) => {
  expect(isSameRecord(a, b)).toBe(false);
});
