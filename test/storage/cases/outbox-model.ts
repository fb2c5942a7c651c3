import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Storage } from '../../../src/storage/records.ts';
import { hintEvent, newEvent } from '../../support/event.ts';
import { queueEntry } from '../../support/builders/alerts.ts';
import { createPlainOutbox, type EventsAndQueues } from '../../support/memory-outbox.ts';
import type { OpenedStore } from './records.ts';
import { runs } from '../../support/drawn.ts';

const queueNames = [0, 1, 2] as const;
const queue = fc.constantFrom(...queueNames);
const subscription = fc.nat(2);
const puts = fc.array(fc.record({ queue, subscription }), { maxLength: 4 });

/**
 * What can be done to an inbox and an outbox. An event is matched with the subscriptions as they are, with others, or not at all.
 * A commit begins from the queue's version, or from one `staleBy` beside it, and takes out what stands at some places.
 */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('take' as const),
    event: fc.nat(9),
    subject: fc.nat(5),
    what: fc.constantFrom(
      'webhook' as const,
      'webhook' as const,
      'backfilled' as const,
      'hint' as const,
      'nothing' as const,
    ),
    match: fc.constantFrom('current' as const, 'current' as const, 'outdated' as const, 'none' as const),
    puts,
  }),
  fc.record({ kind: fc.constant('forget' as const), stepsAgo: fc.nat(8) }),
  fc.record({
    kind: fc.constant('commit' as const),
    queue,
    staleBy: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1)),
    isBusy: fc.boolean(),
    removes: fc.array(fc.nat(6), { maxLength: 4 }),
    puts,
  }),
  fc.record({ kind: fc.constant('put' as const), puts }),
  fc.record({ kind: fc.constant('drop' as const), subscription, stepsAgo: fc.nat(5) }),
  fc.record({ kind: fc.constant('forget-states' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
export const outboxSteps = fc.array(step, { minLength: 1, maxLength: 15 });

export function outboxModelCases(store: OpenedStore): void {
  test('does what a plain one does, whatever is done to it', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(outboxSteps, async (steps) => {
        run += 1;
        await expectTheSame(
          store.storage(),
          createPlainOutbox(() => plainVersion),
          steps,
          { run },
        );
      }),
      { numRuns: runs(60) },
    );
  });
}

/** Takes the steps with a store and with a plain implementation: after each, the two answer and look the same. Steps go on from `after` earlier ones. */
export async function expectTheSame(
  storage: Storage,
  plain: EventsAndQueues,
  steps: readonly Step[],
  { run, after = 0 }: { run: number; after?: number },
): Promise<void> {
  const version = await storage.subscriptions.version('T-model');
  for (const [n, one] of steps.entries()) {
    expect(await takeStep(storage, one, { now: after + n, run, version })).toEqual(
      await takeStep(plain, one, { now: after + n, run, version: plainVersion }),
    );
    expect(await look(storage, run)).toEqual(await look(plain, run));
  }
}

/** The version that subscriptions have in the plain implementation. */
export const plainVersion = 7;

const nameOfQueue = (run: number, n: number) => `channel/T${run}/C${n}`;

/** Every run has queues, subscriptions and events of its own, so that all can share a store. */
async function takeStep(
  { inbox, outbox }: EventsAndQueues,
  one: Step,
  { now, run, version }: { now: number; run: number; version: number },
): Promise<unknown> {
  const entriesOf = (list: readonly { queue: number; subscription: number }[]) =>
    list.map((put, n) =>
      queueEntry({
        queue: nameOfQueue(run, put.queue),
        subscriptionId: `s-${run}-${put.subscription}`,
        at: now,
        name: `${now}.${n}`,
      }),
    );

  switch (one.kind) {
    case 'take': {
      const event = { id: `e-${run}-${one.event}`, takenAt: now };
      const matched = { teamId: 'T-model', version: version + Number(one.match === 'outdated') };
      const about = { subject: `q-${run}/${one.subject}`, isBackfilled: one.what === 'backfilled' };
      if (one.what === 'hint') return inbox.take(hintEvent(event), entriesOf(one.puts));
      return inbox.take(
        newEvent({ ...event, ...about, ...(one.what === 'nothing' && { content: undefined }) }),
        one.what === 'nothing' ? [] : entriesOf(one.puts),
        one.match === 'none' || one.what === 'nothing' ? undefined : matched,
      );
    }
    case 'forget':
      return inbox.forgetBefore(now - one.stepsAgo);
    case 'commit': {
      const name = nameOfQueue(run, one.queue);
      const [waiting, foreign] = await Promise.all(
        [name, nameOfQueue(run, (one.queue + 1) % queueNames.length)].map((each) =>
          outbox.waiting(each, { limit: 1_000 }).then((entries) => entries.map(({ position }) => position)),
        ),
      );
      // What waits elsewhere stays there. A store may give the same position in two queues.
      const positions = [...waiting!, ...foreign!.filter((position) => !waiting!.includes(position))];
      return outbox.commit(name, {
        version: (await outbox.stateOf(name)).version + one.staleBy,
        state: { at: now },
        isBusy: one.isBusy,
        remove: one.removes.map((n) => positions[n] ?? Number.MAX_SAFE_INTEGER),
        put: entriesOf(one.puts.filter((put) => put.queue !== one.queue)),
      });
    }
    case 'put':
      return outbox.put(entriesOf(one.puts));
    case 'drop':
      return outbox.drop(`s-${run}-${one.subscription}`, now - one.stepsAgo);
    case 'forget-states':
      return outbox.forgetStates({ channel: Number.MAX_SAFE_INTEGER });
  }
}

/** All that can be seen of a run's events and queues; of positions, whether they grow. */
async function look({ inbox, outbox }: EventsAndQueues, run: number) {
  const facts = await outbox.queues();
  const events = Array.from({ length: 10 }, (_, n) => `e-${run}-${n}`);
  const subjects = Array.from({ length: 6 }, (_, n) => `q-${run}/${n}`);
  const queues = await Promise.all(
    queueNames.map(async (n) => {
      const name = nameOfQueue(run, n);
      const entries = await outbox.waiting(name, { limit: 1_000 });
      const without = async (...subscriptions: number[]) => {
        const exceptSubscriptions = subscriptions.map((one) => `s-${run}-${one}`);
        return (await outbox.waiting(name, { limit: 2, exceptSubscriptions })).map(
          ({ position: _, ...entry }) => entry,
        );
      };
      return {
        others: [await without(0), await without(1, 2), await without(0, 1, 2)],
        entries: entries.map(({ position, ...entry }, index) => ({
          ...entry,
          isAfterTheLast: index === 0 || position > entries[index - 1]!.position,
        })),
        state: await outbox.stateOf(name),
        facts: facts.filter((fact) => fact.queue === name),
      };
    }),
  );
  return {
    queues,
    known: await inbox.knownIds(events),
    subjects: await inbox.knownSubjects(subjects),
  };
}
