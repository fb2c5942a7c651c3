import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LaneEntry, NewLaneEntry } from '../../../src/storage/lane-entry.ts';
import type { Outbox } from '../../../src/storage/storage.ts';
import { laneEntry, namesOf } from '../../support/lane-entry.ts';
import { takenEvent } from '../../support/taken-event.ts';
import type { OpenedStore } from './opened-store.ts';

const laneCount = 3;
const subscriptionCount = 3;
const laneIndex = fc.nat(laneCount - 1);
const subscriptionIndex = fc.nat(subscriptionCount - 1);
const puts = fc.array(fc.record({ lane: laneIndex, subscription: subscriptionIndex }), { maxLength: 4 });

/** What can be done to an outbox. Commits begin from the lane's version, or from `staleBy` beside it. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), event: fc.nat(9) }),
  fc.record({ kind: fc.constant('distribute' as const), distributions: fc.array(fc.record({ event: fc.nat(9), puts }), { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('commit' as const),
    lane: laneIndex,
    staleBy: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1)),
    isBusy: fc.boolean(),
    removes: fc.array(fc.nat(6), { maxLength: 4 }),
    puts,
  }),
  fc.record({ kind: fc.constant('drop' as const), subscription: subscriptionIndex, agoSteps: fc.nat(5) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** An outbox as one would write it where nothing is ever lost. */
interface Model {
  taken: Set<string>;
  waitingEvents: Set<string>;
  lanes: Map<string, { entries: NewLaneEntry[]; version: number; state: unknown; isBusy: boolean }>;
}

export function outboxModelCases(store: OpenedStore): void {
  test('does what a plain model does, whatever is done to it', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        run += 1;
        const names = namesOfRun(run);
        const model: Model = {
          taken: new Set(),
          waitingEvents: new Set(),
          lanes: new Map(Array.from({ length: laneCount }, (_, n) => [names.lane(n), { entries: [], version: 0, state: undefined, isBusy: false }])),
        };
        for (const [index, one] of steps.entries()) {
          await takeStep(store, model, names, one, index);
          await expectSame(store.storage().outbox, model);
        }
      }),
      { numRuns: 60 },
    );
  });
}

/** Every run has lanes, subscriptions and events of its own. */
function namesOfRun(run: number) {
  return {
    lane: (n: number) => `channel/T${run}/C${n}`,
    subscription: (n: number) => `s-${run}-${n}`,
    event: (n: number) => `e-${run}-${n}`,
  };
}

async function takeStep(store: OpenedStore, model: Model, names: ReturnType<typeof namesOfRun>, one: Step, now: number): Promise<void> {
  const { inbox, outbox } = store.storage();
  const entriesOf = (list: readonly { lane: number; subscription: number }[]) =>
    list.map(({ lane, subscription }, n) => laneEntry({ lane: names.lane(lane), subscriptionId: names.subscription(subscription), at: now, name: `${now}.${n}` }));
  const put = (entries: readonly NewLaneEntry[]) => {
    for (const entry of entries) model.lanes.get(entry.lane)!.entries.push(entry);
  };

  if (one.kind === 'take') {
    const id = names.event(one.event);
    expect(await inbox.remember(takenEvent({ id }))).toBe(!model.taken.has(id));
    if (!model.taken.has(id)) model.waitingEvents.add(id);
    model.taken.add(id);
  } else if (one.kind === 'distribute') {
    const distributions = one.distributions.map(({ event, puts: list }) => ({ eventId: names.event(event), entries: entriesOf(list) }));
    await outbox.distribute(distributions);
    for (const { eventId, entries } of distributions) if (model.waitingEvents.delete(eventId)) put(entries);
  } else if (one.kind === 'commit') {
    const name = names.lane(one.lane);
    const lane = model.lanes.get(name)!;
    const waiting = await outbox.waiting(name, { limit: 1_000 });
    const removed = [...new Set(one.removes)].filter((n) => n < waiting.length);
    const entries = entriesOf(one.puts).filter((entry) => entry.lane !== name);
    const done = await outbox.commit(name, {
      version: lane.version + one.staleBy,
      state: { at: now },
      isBusy: one.isBusy,
      remove: [...removed.map((n) => waiting[n]!.position), 9e15],
      put: entries,
    });
    expect(done).toBe(one.staleBy === 0);
    if (!done) return;
    Object.assign(lane, { version: lane.version + 1, state: { at: now }, isBusy: one.isBusy, entries: lane.entries.filter((_, n) => !removed.includes(n)) });
    put(entries);
  } else {
    const subscriptionId = names.subscription(one.subscription);
    const isDropped = (entry: NewLaneEntry) => entry.subscriptionId === subscriptionId && entry.at < now - one.agoSteps;
    const expected = [...model.lanes.values()].flatMap(({ entries }) => entries.filter(isDropped)).length;
    expect(await outbox.drop(subscriptionId, now - one.agoSteps)).toBe(expected);
    for (const lane of model.lanes.values()) lane.entries = lane.entries.filter((entry) => !isDropped(entry));
  }
}

async function expectSame(outbox: Outbox, model: Model): Promise<void> {
  const facts = await outbox.lanes();
  for (const [name, { entries, version, state, isBusy }] of model.lanes) {
    const waiting = await outbox.waiting(name, { limit: 1_000 });
    expect(waiting.map(whatItIs)).toEqual(entries.map(whatItIs));
    expect(isGrowing(waiting.map(({ position }) => position))).toBe(true);
    expect(await outbox.stateOf(name)).toEqual({ version, state });
    const oldestAt = entries.length === 0 ? undefined : Math.min(...entries.map(({ at }) => at));
    expect(facts.filter(({ lane }) => lane === name)).toEqual(entries.length > 0 || isBusy ? [{ lane: name, waiting: entries.length, oldestAt }] : []);
  }
}

function whatItIs(entry: LaneEntry | NewLaneEntry) {
  return { subscriptionId: entry.subscriptionId, at: entry.at, names: namesOf([entry]) };
}

function isGrowing(positions: readonly number[]): boolean {
  return positions.every((position, n) => n === 0 || position > positions[n - 1]!);
}
