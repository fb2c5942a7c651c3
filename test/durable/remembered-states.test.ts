import { expect, test } from 'vitest';
import { rememberStates } from '../../src/durable/remembered-states.ts';
import { createMemoryOutbox } from '../support/memory-outbox.ts';

const queue = 'campaign/T1/c-1';

function setUp() {
  const stored = createMemoryOutbox();
  const read: string[] = [];
  const outbox = rememberStates(
    {
      ...stored,
      async stateOf<State>(name: string) {
        read.push(name);
        return stored.stateOf<State>(name);
      },
    },
    ['campaign'],
  );
  return { stored, read, outbox };
}

test('a state is read again only where another version was kept', async () => {
  const { stored, read, outbox } = setUp();
  await stored.commit(queue, { version: 0, state: 'first', isBusy: true });
  expect(await outbox.stateOf(queue)).toEqual({ version: 1, state: 'first' });
  expect(await outbox.stateOf(queue)).toEqual({ version: 1, state: 'first' });
  expect(read).toEqual([queue]);
  await stored.commit(queue, { version: 1, state: 'second', isBusy: true });
  expect(await outbox.stateOf(queue)).toEqual({ version: 2, state: 'second' });
  expect(read).toEqual([queue, queue]);
});

test('states of other kinds are read each time', async () => {
  const { read, outbox } = setUp();
  await outbox.stateOf('person/T1/u-1');
  await outbox.stateOf('person/T1/u-1');
  expect(read).toHaveLength(2);
});

test('fifty states are remembered, those that were read last', async () => {
  const { read, outbox } = setUp();
  const names = Array.from({ length: 51 }, (_, number) => `campaign/T1/c-${number}`);
  for (const name of names) await outbox.stateOf(name);
  read.length = 0;
  await outbox.stateOf(names[50]!);
  expect(read).toEqual([]);
  await outbox.stateOf(names[0]!);
  expect(read).toEqual([names[0]]);
});
