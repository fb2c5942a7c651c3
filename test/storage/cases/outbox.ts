import { describe, expect, test } from 'vitest';
import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import { newEvent, takeMatched } from '../../support/event.ts';
import { digest, digestOfQuiz, queueEntry, namesOf } from '../../support/builders/alerts.ts';
import type { OpenedStore } from './records.ts';
import { outboxModelCases } from './outbox-model.ts';

const queue = 'channel/T1/C1';
const otherQueue = 'channel/T1/C2';

export function outboxCases(store: OpenedStore): void {
  const outbox = () => store.storage().outbox;
  let events = 0;
  /** Takes an event for each list of entries. */
  async function fill(...lists: NewQueueEntry[][]): Promise<void> {
    for (const entries of lists) await takeMatched(store.storage(), newEvent({ id: `e-${(events += 1)}` }), entries);
  }
  const waiting = (name = queue) => outbox().waiting(name, { limit: 1_000 });
  const waitingNames = async (name = queue) => namesOf(await waiting(name));

  describe('the outbox', () => {
    test('gives an entry as it was put there', async () => {
      const quiz = digestOfQuiz({ quizName: '“Ω” <!channel> 🎓', percentages: [99, 0], failedNames: ['Rosa'] });
      const put = queueEntry({
        subscriptionId: 's-2',
        at: 1_234,
        content: { kind: 'digest', digest: digest({ quizzes: [quiz] }) },
      });
      await fill([put]);
      const { queue: _, ...entry } = put;
      expect(await waiting()).toEqual([{ ...entry, position: expect.any(Number) }]);
    });

    test('finds what waits behind thousands of a paused subscription', async () => {
      await fill([
        ...Array.from({ length: 3_000 }, () => queueEntry({ subscriptionId: 's-paused' })),
        queueEntry({ name: 'last' }),
      ]);
      expect(namesOf(await outbox().waiting(queue, { limit: 1, exceptSubscriptions: ['s-paused'] }))).toEqual(['last']);
    });

    test('never gives a position in a queue twice, also when the queue was empty in between', async () => {
      await fill([queueEntry({ name: 'a' })]);
      const [a] = await waiting();
      await outbox().commit(queue, { version: 0, state: {}, isBusy: false, remove: [a!.position] });
      await store.restart();
      await fill([queueEntry({ name: 'b' })]);
      expect((await waiting())[0]!.position).toBeGreaterThan(a!.position);
    });

    test('keeps the order of tens of thousands of entries in several queues, over a restart', async () => {
      const names = Array.from({ length: 21_000 }, (_, n) => String(n));
      const isOther = (name: string) => Number(name) % 3 === 0;
      const entries = names.map((name) => queueEntry({ name, queue: isOther(name) ? otherQueue : queue }));
      await fill(entries.slice(0, 9_999));
      await store.restart();
      await outbox().put(entries.slice(9_999));
      const [own, others] = await Promise.all(
        [queue, otherQueue].map((one) => outbox().waiting(one, { limit: 30_000 })),
      );
      expect(namesOf(own!)).toEqual(names.filter((name) => !isOther(name)));
      expect(namesOf(others!)).toEqual(names.filter(isOther));
      expect(new Set([...own!, ...others!].map(({ position }) => position)).size).toBe(21_000);
    });

    test('keeps the parts of a state in one step with it, and writes only those that are given', async () => {
      const kept = async () => {
        const { parts, ...state } = await outbox().stateWithParts(queue);
        return { ...state, parts: Object.fromEntries(parts) };
      };
      const commit = async (version: number, count: number, changed: Record<number, unknown>) =>
        outbox().commit(queue, {
          version,
          state: { version },
          isBusy: true,
          parts: { count, changed: new Map(Object.entries(changed).map(([part, value]) => [Number(part), value])) },
        });
      expect(await kept()).toEqual({ version: 0, state: undefined, parts: {} });
      expect(await commit(0, 12, Object.fromEntries('abcdefghijkl'.split('').entries()))).toBe(true);
      expect(await commit(1, 11, { 2: { name: '“Ω” 🎓' }, 10: null })).toBe(true);
      await store.restart();
      const parts = Object.fromEntries(
        ['a', 'b', { name: '“Ω” 🎓' }, 'd', 'e', 'f', 'g', 'h', 'i', 'j', null].entries(),
      );
      expect(await kept()).toEqual({ version: 2, state: { version: 1 }, parts });
      expect(await commit(1, 0, { 0: 'stale' })).toBe(false);
      expect(await outbox().commit(queue, { version: 2, state: 'as they are', isBusy: true })).toBe(true);
      expect(await kept()).toEqual({ version: 3, state: 'as they are', parts });
      expect((await outbox().stateWithParts(otherQueue)).parts.size).toBe(0);
      expect(await commit(3, 0, {})).toBe(true);
      expect(await kept()).toEqual({ version: 4, state: { version: 3 }, parts: {} });
    });

    test('keeps thousands of parts', async () => {
      const parts = new Map(Array.from({ length: 6_000 }, (_, part) => [part, { part }]));
      await outbox().commit(queue, { version: 0, state: {}, isBusy: true, parts: { count: 6_000, changed: parts } });
      expect((await outbox().stateWithParts(queue)).parts).toEqual(parts);
      await outbox().commit(queue, { version: 1, state: {}, isBusy: true, parts: { count: 1, changed: new Map() } });
      expect((await outbox().stateWithParts(queue)).parts).toEqual(new Map([[0, { part: 0 }]]));
    });

    test('takes one commit of a hundred from the same version', async () => {
      await fill([queueEntry({ name: 'a' })]);
      const [a] = await waiting();
      const tries = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          outbox().commit(queue, {
            version: 0,
            state: n,
            isBusy: false,
            remove: [a!.position],
            put: [queueEntry({ name: String(n), queue: otherQueue })],
          }),
        ),
      );
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await outbox().stateOf(queue)).toEqual({ version: 1, state: tries.indexOf(true) });
      expect(await waitingNames(otherQueue)).toEqual([String(tries.indexOf(true))]);
      expect(await waiting()).toEqual([]);
    });

    test('forgets the states of queues at rest that have not changed for long, by the kind of queue', async () => {
      const begin = Date.now();
      const over = Array.from({ length: 230 }, (_, n) => `step/T1/over-${n}`);
      for (const name of over) await outbox().commit(name, { version: 0, state: 'over', isBusy: false });
      await outbox().commit('step/T1/busy', { version: 0, state: 'busy', isBusy: true });
      await outbox().commit('step/T1/waits', { version: 0, state: 'waits', isBusy: false });
      await outbox().commit('batch/T1/over', { version: 0, state: 'over', isBusy: false });
      await outbox().put([queueEntry({ queue: 'step/T1/waits' })]);
      const known = async (...names: string[]) =>
        Promise.all(names.map(async (name) => (await outbox().stateOf(name)).state));

      await outbox().forgetStates({ step: begin });
      expect(await known(over[0]!, over[229]!)).toEqual(['over', 'over']);
      await store.restart();
      await outbox().forgetStates({ step: Date.now() + 1, campaign: Date.now() + 1 });
      expect(new Set(await known(...over))).toEqual(new Set([undefined]));
      expect(await known('step/T1/busy', 'step/T1/waits', 'batch/T1/over')).toEqual(['busy', 'waits', 'over']);

      await outbox().drop('s-1', Number.MAX_SAFE_INTEGER);
      await outbox().forgetStates({ step: Date.now() + 1 });
      expect(await known('step/T1/busy', 'step/T1/waits')).toEqual(['busy', undefined]);
      expect(await outbox().commit(over[0]!, { version: 1, state: 'stale', isBusy: false })).toBe(false);
      expect(await outbox().commit(over[0]!, { version: 0, state: 'new', isBusy: false })).toBe(true);
    });

    test('forgets the parts of a state with it', async () => {
      const parts = { count: 2, changed: new Map([0, 1].map((part) => [part, 'of a person'])) };
      await outbox().commit('step/T1/over', { version: 0, state: 'over', isBusy: false, parts });
      await outbox().commit('step/T1/busy', { version: 0, state: 'busy', isBusy: true, parts });
      await outbox().forgetStates({ step: Date.now() + 1 });
      expect(await outbox().stateWithParts('step/T1/over')).toEqual({
        version: 0,
        state: undefined,
        parts: new Map(),
      });
      expect((await outbox().stateWithParts('step/T1/busy')).parts.size).toBe(2);
    });

    outboxModelCases(store);
  });
}
