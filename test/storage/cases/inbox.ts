import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../../src/storage/storage.ts';
import { hintEvent, newEvent, takeMatched } from '../../support/new-event.ts';
import { namesOf, queueEntry } from '../../support/builders/alerts.ts';
import type { OpenedStore } from './opened-store.ts';

const queue = 'channel/T1/C1';

export function inboxCases(store: OpenedStore): void {
  const inbox = () => store.storage().inbox;
  const take = (event: NewEvent, ...names: string[]) =>
    takeMatched(
      store.storage(),
      event,
      names.map((name) => queueEntry({ name, queue })),
    );
  const takeId = (id: string, overrides: Partial<NewEvent> = {}) => take(newEvent({ id, ...overrides }), id);
  const hold = (id: string, overrides: Partial<NewEvent> = {}) => inbox().take(newEvent({ id, ...overrides }));
  const hint = (id: string, overrides: Partial<NewEvent> = {}) => inbox().take(hintEvent({ id, ...overrides }));
  const queued = async () => namesOf(await store.storage().outbox.waiting(queue, { limit: 1_000 }));
  const waitingIds = async () => (await inbox().waiting(1_000, 0)).map(({ id }) => id);
  const settle = async (...ids: string[]) => {
    const waiting = (await inbox().waiting(1_000, 0)).filter(({ id }) => ids.includes(id));
    return inbox().settle(
      waiting.map(({ position, id }) => ({ position, entries: [queueEntry({ name: id, queue })] })),
    );
  };

  describe('the inbox', () => {
    test('takes an event once, of any number that come at the same time', async () => {
      const tries = await Promise.all(Array.from({ length: 20 }, () => takeId('a')));
      expect(tries.map(String).toSorted()).toEqual([...Array<string>(19).fill('known'), 'taken']);
      expect(await queued()).toEqual(['a']);
    });

    test('keeps the order of events that come at the same time', async () => {
      const ids = Array.from({ length: 300 }, (_, n) => `e-${n}`);
      expect(new Set(await Promise.all(ids.map((id) => takeId(id))))).toEqual(new Set(['taken']));
      expect(await queued()).toEqual(ids);
    });

    test('holds a submission without a match, and those behind it, in the order they came', async () => {
      for (const [id, takenAt] of [
        ['c', 3_000],
        ['a', 1_000],
      ] as const)
        expect(await hold(id, { takenAt })).toBe('held');
      expect(await takeId('b', { takenAt: 2_000 })).toBe('held');
      expect(await inbox().take(newEvent({ id: 'outdated' }), { teamId: 'T1', version: -1, entries: [] })).toBe('held');
      expect(await hold('a')).toBe('known');
      expect(await waitingIds()).toEqual(['c', 'a', 'b', 'outdated']);
      const { content } = newEvent({ id: 'c' });
      expect(await inbox().waiting(1, 0)).toEqual([{ position: expect.any(Number), id: 'c', takenAt: 3_000, content }]);
      expect(await inbox().countWaiting()).toMatchObject({ count: 4 });
      await settle('c', 'a', 'b', 'outdated');
      expect(await takeId('d')).toBe('taken');
      expect(await queued()).toEqual(['c', 'a', 'b', 'outdated', 'd']);
    });

    test('decides on each event by what those before it did, also of those that come at the same moment', async () => {
      const { subscriptions } = store.storage();
      const version = await subscriptions.version('T1');
      const matched = (id: string, of = version) =>
        inbox().take(newEvent({ id }), {
          teamId: 'T1',
          version: of,
          entries: [queueEntry({ name: id, queue }), queueEntry({ name: id, queue: 'channel/T1/C2' })],
        });
      const results = await Promise.all([
        matched('a'),
        matched('outdated', version + 1),
        hint('h'),
        matched('b'),
        matched('a'),
        inbox().take(newEvent({ id: 'other team' }), { teamId: 'T2', version: -1, entries: [] }),
        hold('c'),
        matched('d'),
      ]);
      expect(results).toEqual(['taken', 'outdated', 'held', 'taken', 'known', 'outdated', 'held', 'held']);
      expect([await waitingIds(), await queued()]).toEqual([
        ['c', 'd', 'h'],
        ['a', 'b'],
      ]);
      expect(namesOf(await store.storage().outbox.waiting('channel/T1/C2', { limit: 10 }))).toEqual(['a', 'b']);
    });

    test('holds hints behind the submissions, and lets submissions pass them', async () => {
      expect([await hint('h'), await takeId('a'), await hold('b'), await hint('h')]).toEqual([
        'held',
        'taken',
        'held',
        'known',
      ]);
      expect(await waitingIds()).toEqual(['b', 'h']);
      expect((await inbox().waiting(1, 0)).map(({ id }) => id)).toEqual(['b']);
      expect((await inbox().waiting(2, 0))[1]?.content).toEqual({ kind: 'hint', quizId: 'q-1', responseId: 'h' });
      expect(await inbox().knownSubjects(['q-1/h'])).toEqual(new Set());
    });

    test('postpones an event until it is due, behind what waits, and lets others pass it', async () => {
      await hint('a', { takenAt: 1_000 });
      await hold('b', { takenAt: 2_000 });
      await hint('c', { takenAt: 3_000 });
      const [b, a] = await inbox().waiting(10, 0);
      await inbox().postpone(a!, { count: 1, since: 10, looks: 3, dueAt: 500 });
      await inbox().postpone(b!, { count: 2, since: 20, dueAt: 400 });
      expect(await inbox().countWaiting()).toEqual({ count: 1, oldestAt: 3_000, postponed: 2 });
      expect(await takeId('d')).toBe('taken');
      expect((await inbox().waiting(10, 399)).map(({ id }) => id)).toEqual(['c']);
      expect(await inbox().waiting(10, 400)).toMatchObject([
        { id: 'c' },
        { ...b, failures: { count: 2, since: 20, dueAt: 400 } },
      ]);
      expect(new Set((await inbox().waiting(10, 500)).slice(1).map(({ id }) => id))).toEqual(new Set(['a', 'b']));
      expect(await inbox().waiting(1, 500)).toHaveLength(1);
      await store.restart();
      expect((await inbox().waiting(10, 500)).filter(({ id }) => id === 'a')).toEqual([
        { ...a, failures: { count: 1, since: 10, looks: 3, dueAt: 500 } },
      ]);
      await inbox().postpone(a!, { count: 2, since: 10, dueAt: 600 });
      expect((await inbox().waiting(10, 599)).map(({ id }) => id)).toEqual(['c', 'b']);
      await inbox().forgetBefore(9_000);
      expect(await hint('a')).toBe('known');
      expect(
        await inbox().settle(
          [a!, b!].map(({ position, id }) => ({ position, entries: [queueEntry({ name: id, queue })] })),
        ),
      ).toBe(true);
      expect([await inbox().countWaiting(), await queued()]).toEqual([
        { count: 1, oldestAt: 3_000, postponed: 0 },
        ['d', 'a', 'b'],
      ]);
      await inbox().postpone(a!, { count: 3, since: 10, dueAt: 0 });
      expect(await inbox().countWaiting()).toMatchObject({ postponed: 0 });
    });

    test('settles an event once, of any number who try at the same time', async () => {
      await hold('a');
      expect(new Set(await Promise.all(Array.from({ length: 10 }, () => settle('a'))))).toEqual(new Set([true]));
      expect(await queued()).toEqual(['a']);
      expect(await hold('a')).toBe('known');
    });

    test('is as it was after the process ended', async () => {
      const kept = newEvent({
        id: 'b',
        takenAt: 5,
        content: { kind: 'hint', quizId: 'Ω “\u0000” 🎓', responseId: '' },
      });
      await takeId('a');
      await inbox().take(kept);
      await hold('c');
      await store.restart();
      expect(await waitingIds()).toEqual(['c', 'b']);
      expect((await inbox().waiting(10, 0))[1]).toEqual({
        position: expect.any(Number),
        id: 'b',
        takenAt: 5,
        content: kept.content,
      });
      expect([await takeId('a'), await takeId('d')]).toEqual(['known', 'held']);
      expect(await inbox().knownIds(['a', 'b', 'x'])).toEqual(new Set(['a', 'b']));
      expect(await inbox().knownSubjects(['q-1/a', 'q-1/x'])).toEqual(new Set(['q-1/a']));
      expect([await inbox().knownIds([]), await inbox().knownSubjects([])]).toEqual([new Set(), new Set()]);
    });

    test('gives back what is known of a response that another event reports, until that event replaces it', async () => {
      const about = (id: string, result: string, more: Partial<NewEvent> = {}) =>
        takeId(id, { subject: 'q-1/r-1', result, ...more });
      expect(await about('a', 'failed')).toBe('taken');
      expect([await about('b', 'failed'), await about('b', 'passed')]).toEqual([
        { knownResult: 'failed' },
        { knownResult: 'failed' },
      ]);
      expect(await inbox().knownIds(['b'])).toEqual(new Set());
      expect([await about('b', 'passed', { replaces: 'failed' }), await about('b', 'passed')]).toEqual([
        'taken',
        'known',
      ]);
      await store.restart();
      expect([await about('a', 'failed'), await about('c', 'failed', { replaces: 'failed' })]).toEqual([
        'known',
        { knownResult: 'passed' },
      ]);
      expect(await about('c', 'passed', { replaces: 'passed', content: undefined })).toBe('taken');
      expect([await about('c', 'other'), await about('found', 'other', { isBackfilled: true })]).toEqual([
        'known',
        'known',
      ]);
      expect(await queued()).toEqual(['a', 'b', 'c']);
    });

    test('replaces what is known of a response that was found without a webhook, and holds what replaces it', async () => {
      const about = (id: string, result: string, more: Partial<NewEvent> = {}) =>
        hold(id, { subject: 'q-1/r-1', result, ...more });
      expect(await about('found', 'failed', { isBackfilled: true })).toBe('held');
      expect(await about('a', 'passed', { replaces: 'failed' })).toBe('held');
      expect(await about('b', 'passed', { replaces: 'passed', content: undefined })).toBe('taken');
      expect(await waitingIds()).toEqual(['found', 'a']);
    });

    test('lets one of many events replace what is known of a response', async () => {
      await takeId('first', { subject: 'q-1/r-1', result: 'failed' });
      const tries = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          takeId(`e-${n}`, { subject: 'q-1/r-1', result: `passed ${n}`, replaces: 'failed' }),
        ),
      );
      expect(tries.filter((result) => result === 'taken')).toHaveLength(1);
      expect(await queued()).toHaveLength(2);
    });

    test('forgets what is known of a response with the last event that reports it', async () => {
      const about = (id: string, takenAt: number, more: Partial<NewEvent> = {}) =>
        takeId(id, { subject: 'q-1/r-1', result: id, takenAt, ...more });
      await about('a', 1_000);
      await about('b', 3_000, { replaces: 'a' });
      await inbox().forgetBefore(2_000);
      expect(await about('c', 4_000)).toEqual({ knownResult: 'b' });
      await inbox().forgetBefore(4_000);
      expect(await about('c', 4_000)).toBe('taken');
    });

    test('knows nothing of a response whose events tell nothing of it', async () => {
      await takeId('a', { subject: 'q-1/r-1' });
      expect(await takeId('b', { subject: 'q-1/r-1', result: 'passed' })).toBe('taken');
      expect(await takeId('c', { subject: 'q-1/r-1', result: 'failed' })).toEqual({ knownResult: 'passed' });
    });

    test('forgets all of many in some calls', async () => {
      const ids = Array.from({ length: 25_000 }, (_, n) => `e-${n}`);
      for (let first = 0; first < ids.length; first += 5_000) {
        await Promise.all(
          ids
            .slice(first, first + 5_000)
            .map((id, n) => inbox().take(newEvent({ id, takenAt: first + n, content: undefined }))),
        );
      }
      for (let call = 0; call < 4; call += 1) await inbox().forgetBefore(24_000);
      expect(await inbox().knownIds(ids)).toEqual(new Set(ids.slice(24_000)));
    });

    test('says when it cannot keep an event', async () => {
      await store.storage().close();
      await expect(hold('a')).rejects.toThrow();
      await expect(store.storage().ping()).rejects.toThrow();
    });
  });
}
