import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rememberStates, undivided } from '../../src/durable/remembered-states.ts';
import type { ChangedParts, Outbox } from '../../src/storage/storage.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';

const queue = 'crowd/T1/c-1';

interface Crowd {
  name: string;
  people: readonly unknown[];
}

const division = {
  divide: ({ people, ...crowd }: Crowd) => ({ head: { ...crowd, people: [] }, parts: people }),
  join: (crowd: Crowd, people: readonly unknown[]) => ({ ...crowd, people }),
};

function setUp() {
  const stored = createMemoryOutbox();
  const read: string[] = [];
  const written: (ChangedParts | undefined)[] = [];
  const watched: Outbox = {
    ...stored,
    async stateWithParts(name) {
      read.push(name);
      return stored.stateWithParts(name);
    },
    async commit(name, change) {
      written.push(change.parts);
      return stored.commit(name, change);
    },
  };
  const another = () => rememberStates(watched, { crowd: division, list: undivided });
  const lastWritten = () => ({ count: written.at(-1)?.count, parts: [...(written.at(-1)?.changed.keys() ?? [])] });
  return { stored, watched, read, written, lastWritten, another, outbox: another() };
}

const crowd = (...people: unknown[]): Crowd => ({ name: 'all', people });

test('a commit writes the parts that it changes, and what was committed is not read again', async () => {
  const { read, lastWritten, another, outbox } = setUp();
  await outbox.commit(queue, { version: 0, state: crowd('a', 'b', 'c'), isBusy: true });
  expect(lastWritten()).toEqual({ count: 3, parts: [0, 1, 2] });
  await outbox.commit(queue, { version: 1, state: crowd('a', 'B', 'c', 'd'), isBusy: true });
  expect(lastWritten()).toEqual({ count: 4, parts: [1, 3] });
  await outbox.commit(queue, { version: 2, state: crowd('a'), isBusy: true });
  expect(lastWritten()).toEqual({ count: 1, parts: [] });
  expect(await outbox.stateOf(queue)).toEqual({ version: 3, state: crowd('a') });
  expect(read).toEqual([]);
  expect(await another().stateOf(queue)).toEqual({ version: 3, state: crowd('a') });
});

test('a part that is another object with the same content is not written', async () => {
  const { lastWritten, outbox } = setUp();
  await outbox.commit(queue, { version: 0, state: crowd({ id: 1 }, { id: 2 }), isBusy: true });
  await outbox.commit(queue, { version: 1, state: crowd({ id: 1, left: undefined }, { id: 3 }), isBusy: true });
  expect(lastWritten()).toEqual({ count: 2, parts: [1] });
});

test('a state is read again only where another version was kept', async () => {
  const { read, another, outbox } = setUp();
  await outbox.commit(queue, { version: 0, state: crowd('a'), isBusy: true });
  await another().commit(queue, { version: 1, state: crowd('b'), isBusy: true });
  expect(await outbox.stateOf(queue)).toEqual({ version: 2, state: crowd('b') });
  expect(await outbox.stateOf(queue)).toEqual({ version: 2, state: crowd('b') });
  expect(read).toEqual([queue]);
});

test('a state that was kept whole is read, and divided when it changes', async () => {
  const { stored, lastWritten, another, outbox } = setUp();
  await stored.commit(queue, { version: 0, state: crowd('a', 'b'), isBusy: true });
  expect(await outbox.stateOf(queue)).toEqual({ version: 1, state: crowd('a', 'b') });
  await outbox.commit(queue, { version: 1, state: crowd('a', 'c'), isBusy: true });
  expect(lastWritten()).toEqual({ count: 2, parts: [0, 1] });
  expect(await stored.stateWithParts(queue)).toMatchObject({ state: crowd() });
  expect(await another().stateOf(queue)).toEqual({ version: 2, state: crowd('a', 'c') });
});

test('the state of a mailbox with nothing to do is kept whole', async () => {
  const { stored, another, outbox } = setUp();
  await outbox.commit(queue, { version: 0, state: crowd('a', 'b'), isBusy: true });
  await outbox.commit(queue, { version: 1, state: crowd('a', 'b'), isBusy: false });
  expect(await stored.stateWithParts(queue)).toEqual({ version: 2, state: crowd('a', 'b'), parts: new Map() });
  expect(await another().stateOf(queue)).toEqual({ version: 2, state: crowd('a', 'b') });
});

test('where a part could not be read, the others are written anew', async () => {
  const { watched, lastWritten, another, outbox } = setUp();
  await outbox.commit(queue, { version: 0, state: crowd('a', 'b', 'c'), isBusy: true });
  const ofDamaged = rememberStates(
    {
      ...watched,
      async stateWithParts(name) {
        const { parts, ...kept } = await watched.stateWithParts(name);
        return { ...kept, parts: new Map([...parts].filter(([part]) => part !== 1)) };
      },
    },
    { crowd: division },
  );
  const { state } = await ofDamaged.stateOf<Crowd>(queue);
  expect(state).toEqual(crowd('a', 'c'));
  await ofDamaged.commit(queue, { version: 1, state, isBusy: true });
  expect(lastWritten()).toEqual({ count: 2, parts: [0, 1] });
  expect(await another().stateOf(queue)).toEqual({ version: 2, state: crowd('a', 'c') });
});

test('other kinds are kept as they are', async () => {
  const { stored, written, outbox } = setUp();
  await outbox.commit('person/T1/u-1', { version: 0, state: crowd('a'), isBusy: true });
  expect(written).toEqual([undefined]);
  expect(await stored.stateOf('person/T1/u-1')).toEqual({ version: 1, state: crowd('a') });
  expect(await outbox.stateOf('person/T1/u-1')).toEqual({ version: 1, state: crowd('a') });
});

test('a state that is not divided is written whole, and not read again', async () => {
  const list = 'list/T1';
  const { read, stored, another, outbox } = setUp();
  await outbox.commit(list, { version: 0, state: ['a', 'b'], isBusy: true });
  expect(await outbox.stateOf(list)).toEqual({ version: 1, state: ['a', 'b'] });
  expect(read).toEqual([]);
  expect(await stored.stateOf(list)).toEqual({ version: 1, state: ['a', 'b'] });
  await another().commit(list, { version: 1, state: ['c'], isBusy: false });
  expect(await outbox.stateOf(list)).toEqual({ version: 2, state: ['c'] });
  expect(read).toEqual([list]);
});

test('fifty states are remembered, those that were read last', async () => {
  const { read, outbox } = setUp();
  const names = Array.from({ length: 51 }, (_, number) => `crowd/T1/c-${number}`);
  for (const name of names) await outbox.stateOf(name);
  read.length = 0;
  await outbox.stateOf(names[50]!);
  expect(read).toEqual([]);
  await outbox.stateOf(names[0]!);
  expect(read).toEqual([names[0]]);
});

test('of any states, kept by any instances, everyone reads the last', async () => {
  const step = fc.record({
    instance: fc.nat(2),
    people: fc.array(fc.nat(3), { maxLength: 5 }),
    isBusy: fc.boolean(),
    reads: fc.boolean(),
    staleBy: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constant(1)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { another } = setUp();
      const instances = [another(), another(), another()];
      const plain = createMemoryOutbox();
      for (const { instance, people, isBusy, reads, staleBy } of steps) {
        const outbox = instances[instance]!;
        const read = reads ? await outbox.stateOf(queue) : undefined;
        expect(read).toEqual(reads ? await plain.stateOf(queue) : undefined);
        const change = { version: (await plain.versionOf(queue)) - staleBy, state: crowd(...people), isBusy };
        expect(await outbox.commit(queue, change)).toBe(await plain.commit(queue, change));
      }
      for (const outbox of instances) expect(await outbox.stateOf(queue)).toEqual(await plain.stateOf(queue));
    }),
  );
});
