import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/storage.ts';
import { queueEntry } from '../../support/builders/alerts.ts';
import { createPlainOutbox, type EventsAndQueues } from '../../support/plain-outbox.ts';
import { takenEvent } from '../../support/taken-event.ts';
import type { OpenedStore } from './opened-store.ts';

const queueNames = [0, 1, 2] as const;
const queue = fc.constantFrom(...queueNames);
const subscription = fc.nat(2);
const puts = fc.array(fc.record({ queue, subscription }), { maxLength: 4 });

/** What can be done to an outbox. A commit begins from the queue's version, or from one `staleBy` beside it, and takes out what stands at some places. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), event: fc.nat(9) }),
  fc.record({ kind: fc.constant('distribute' as const), distributions: fc.array(fc.record({ event: fc.nat(9), puts }), { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('commit' as const),
    queue,
    staleBy: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1)),
    isBusy: fc.boolean(),
    removes: fc.array(fc.nat(6), { maxLength: 4 }),
    puts,
  }),
  fc.record({ kind: fc.constant('drop' as const), subscription, stepsAgo: fc.nat(5) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
export const outboxSteps = fc.array(step, { minLength: 1, maxLength: 15 });

export function outboxModelCases(store: OpenedStore): void {
  test('does what a plain one does, whatever is done to it', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(outboxSteps, async (steps) => {
        run += 1;
        await expectTheSame(store.storage(), createPlainOutbox(), steps, { run });
      }),
      { numRuns: 60 },
    );
  });
}

/** Takes the steps with a store and with a plain outbox: after each the two answer and look the same. Steps go on from `after` earlier ones. */
export async function expectTheSame(storage: Storage, plain: EventsAndQueues, steps: readonly Step[], { run, after = 0 }: { run: number; after?: number }): Promise<void> {
  const real = { ...storage.outbox, remember: storage.inbox.remember };
  for (const [n, one] of steps.entries()) {
    expect(await takeStep(real, one, after + n, run)).toEqual(await takeStep(plain, one, after + n, run));
    expect(await look(real, run)).toEqual(await look(plain, run));
  }
}

const nameOfQueue = (run: number, n: number) => `channel/T${run}/C${n}`;

/** Every run has queues, subscriptions and events of its own, so that all can share a store. */
async function takeStep(outbox: EventsAndQueues, one: Step, now: number, run: number): Promise<unknown> {
  const entriesOf = (list: readonly { queue: number; subscription: number }[]) =>
    list.map((put, n) => queueEntry({ queue: nameOfQueue(run, put.queue), subscriptionId: `s-${run}-${put.subscription}`, at: now, name: `${now}.${n}` }));

  switch (one.kind) {
    case 'take':
      return outbox.remember(takenEvent({ id: `e-${run}-${one.event}` }));
    case 'distribute':
      return outbox.fanOut(one.distributions.map((distribution) => ({ eventId: `e-${run}-${distribution.event}`, entries: entriesOf(distribution.puts) })));
    case 'commit': {
      const name = nameOfQueue(run, one.queue);
      const waiting = await outbox.waiting(name, { limit: 1_000 });
      return outbox.commit(name, {
        version: (await outbox.stateOf(name)).version + one.staleBy,
        state: { at: now },
        isBusy: one.isBusy,
        remove: one.removes.map((n) => waiting[n]?.position ?? Number.MAX_SAFE_INTEGER),
        put: entriesOf(one.puts.filter((put) => put.queue !== one.queue)),
      });
    }
    case 'drop':
      return outbox.drop(`s-${run}-${one.subscription}`, now - one.stepsAgo);
  }
}

/** All that can be seen of a run's queues; of positions, whether they grow. */
async function look(outbox: EventsAndQueues, run: number) {
  const facts = await outbox.queues();
  return Promise.all(
    queueNames.map(async (n) => {
      const name = nameOfQueue(run, n);
      const entries = await outbox.waiting(name, { limit: 1_000 });
      return {
        entries: entries.map(({ position, ...entry }, index) => ({ ...entry, isAfterTheLast: index === 0 || position > entries[index - 1]!.position })),
        state: await outbox.stateOf(name),
        facts: facts.filter((fact) => fact.queue === name),
      };
    }),
  );
}
