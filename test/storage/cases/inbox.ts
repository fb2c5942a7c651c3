import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../../src/domain/queues.ts';
import { hintEvent, newEvent, takeMatched } from '../../support/event.ts';
import { namesOf, queueEntry } from '../../support/builders/alerts.ts';
import type { OpenedStore } from './records.ts';

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
  const queued = async () => namesOf(await store.storage().outbox.waiting(queue, { limit: 1_000 }));

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

    test('decides on each event by what those before it did, also of those that come at the same moment', async () => {
      const { subscriptions } = store.storage();
      const version = await subscriptions.version('T1');
      const matched = (id: string, of = version) =>
        inbox().take(
          newEvent({ id }),
          [queueEntry({ name: id, queue }), queueEntry({ name: id, queue: 'channel/T1/C2' })],
          { teamId: 'T1', version: of },
        );
      const results = await Promise.all([
        matched('a'),
        matched('outdated', version + 1),
        matched('b'),
        matched('a'),
        inbox().take(newEvent({ id: 'other team' }), [], { teamId: 'T2', version: -1 }),
        inbox().take(newEvent({ id: 'c' }), [queueEntry({ name: 'c', queue })]),
        matched('d'),
      ]);
      expect(results).toEqual(['taken', 'outdated', 'taken', 'known', 'outdated', 'taken', 'taken']);
      expect(await queued()).toEqual(['a', 'b', 'c', 'd']);
      expect(namesOf(await store.storage().outbox.waiting('channel/T1/C2', { limit: 10 }))).toEqual(['a', 'b', 'd']);
    });

    test('is as it was after the process ended', async () => {
      await takeId('a');
      await inbox().take(hintEvent({ id: 'b' }), [queueEntry({ name: 'b', queue })]);
      await store.restart();
      expect(await queued()).toEqual(['a', 'b']);
      expect([await takeId('a'), await takeId('d')]).toEqual(['known', 'taken']);
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

    test('replaces what is known of a response that was found without a webhook, and announces what replaces it', async () => {
      const about = (id: string, result: string, more: Partial<NewEvent> = {}) =>
        takeId(id, { subject: 'q-1/r-1', result, ...more });
      expect(await about('found', 'failed', { isBackfilled: true })).toBe('taken');
      expect(await about('again', 'failed', {})).toEqual({ knownResult: 'failed' });
      expect(await about('a', 'passed', { replaces: 'failed' })).toBe('taken');
      expect(await queued()).toEqual(['found', 'a']);
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
      const ids = Array.from({ length: 12_000 }, (_, n) => `e-${n}`);
      for (let first = 0; first < ids.length; first += 4_000) {
        await Promise.all(
          ids
            .slice(first, first + 4_000)
            .map((id, n) => inbox().take(newEvent({ id, takenAt: first + n, content: undefined }))),
        );
      }
      for (let call = 0; call < 3; call += 1) await inbox().forgetBefore(11_000);
      expect(await inbox().knownIds(ids)).toEqual(new Set(ids.slice(11_000)));
    });
  });
}
