import { expect, test } from 'vitest';
import { createChannelLanguages } from '../../../src/features/alerts/subscriptions.ts';
import type { Keyv } from 'keyv';

/** Keyed values that are in a map. */
function storeOf(values: Map<string, string>): Pick<Keyv<string>, 'get' | 'set' | 'delete'> {
  return {
    get: (async (key: string) => values.get(key)) as Keyv<string>['get'],
    set: async (key, value) => {
      values.set(key, String(value));
      return true;
    },
    delete: async (key) =>
      [key]
        .flat()
        .map((one) => values.delete(one))
        .includes(true),
  };
}

/** Two instances over one store, and how often it is read. */
function setUp() {
  const clock = { now: 1_000_000 };
  const values = new Map<string, string>();
  const reads: string[] = [];
  const kept = storeOf(values);
  const store = {
    ...kept,
    get: (async (key: string) => {
      reads.push(key);
      return kept.get(key);
    }) as typeof kept.get,
  };
  const instance = () => createChannelLanguages({ store, defaultLanguage: 'nl', now: () => clock.now });
  return { clock, values, reads, store, here: instance(), other: instance() };
}

test('a channel has the default language until one is chosen, and after the default is chosen', async () => {
  const { here, values } = setUp();
  expect(await here.of('C1')).toBe('nl');
  expect(await here.choose('C1', 'de')).toBe('default');
  expect(await here.of('C1')).toBe('de');
  expect(await here.of('C2')).toBe('nl');
  expect(await here.choose('C1', 'nl')).toBe('de');
  expect([...values]).toEqual([['C1', 'nl']]);
  expect(await here.choose('C1', 'default')).toBe('nl');
  expect(await here.of('C1')).toBe('nl');
  expect(values.size).toBe(0);
});

test('the store is asked once a minute for each channel, so a choice of another instance counts within one', async () => {
  const { here, other, clock, reads } = setUp();
  await Promise.all([here.of('C1'), here.of('C1'), here.of('C2')]);
  await here.of('C1');
  expect(reads).toEqual(['C1', 'C2']);
  await other.choose('C1', 'pl');
  expect(await other.of('C1')).toBe('pl');
  expect(await here.of('C1')).toBe('nl');
  await other.choose('C2', 'fr');
  clock.now += 59_999;
  expect(await here.of('C2')).toBe('nl');
  clock.now += 1;
  expect(await here.of('C2')).toBe('fr');
});

test('a choice wins over a reading that began before it', async () => {
  const { here, store, values } = setUp();
  const answers: (() => void)[] = [];
  const get = store.get;
  store.get = (async (key: string) => {
    const value = await get(key);
    if (answers.length === 0) await new Promise<void>((resolve) => answers.push(resolve));
    return value;
  }) as typeof get;
  const reading = here.of('C1');
  await expect.poll(() => answers.length).toBe(1);
  await here.choose('C1', 'es');
  answers[0]?.();
  expect(await reading).toBe('nl');
  expect(await here.of('C1')).toBe('es');
  expect([...values]).toEqual([['C1', 'es']]);
});

test('while the store is away, a channel keeps the language that was known, and the store is asked again', async () => {
  const { here, other, store, values, clock } = setUp();
  await here.choose('C1', 'de');
  const get = store.get;
  store.get = async () => {
    throw new Error('away');
  };
  clock.now += 60_000;
  expect(await here.of('C1')).toBe('de');
  expect(await here.of('C1')).toBe('de');
  expect(await here.of('C2')).toBe('nl');
  await expect(here.choose('C1', 'fr')).rejects.toThrow('away');
  store.get = get;
  await other.choose('C1', 'pl');
  values.set('C2', 'es');
  expect(await here.of('C1')).toBe('pl');
  expect(await here.of('C2')).toBe('es');
});

test('what the store holds that is no language is the default', async () => {
  const { here, values } = setUp();
  values.set('C1', 'xx');
  expect(await here.of('C1')).toBe('nl');
});
