import { describe, expect, test } from 'vitest';
import { takenEvent } from '../../support/taken-event.ts';
import type { OpenedStore } from './opened-store.ts';

export function inboxCases(store: OpenedStore): void {
  const inbox = () => store.storage().inbox;
  const remember = (id: string, overrides = {}) => inbox().remember(takenEvent({ id, ...overrides }));
  const settle = (...ids: string[]) => store.storage().outbox.fanOut(ids.map((eventId) => ({ eventId, entries: [] })));
  const waitingIds = async () => (await inbox().waiting(1_000)).map(({ id }) => id);

  describe('the inbox', () => {
    test('remembers an event once, whether it still waits or is dealt with', async () => {
      expect(await remember('a')).toBe(true);
      expect(await remember('a')).toBe(false);
      await settle('a');
      expect(await remember('a')).toBe(false);
      expect(await inbox().countWaiting()).toBe(0);
    });

    test('remembers an event once, of any number that come at the same time', async () => {
      const tries = await Promise.all(Array.from({ length: 20 }, () => remember('a')));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await waitingIds()).toEqual(['a']);
    });

    test('gives what waits in the order it came, whatever its time', async () => {
      for (const [id, takenAt] of [['c', 3_000], ['a', 1_000], ['b', 2_000]] as const) await remember(id, { takenAt });
      await settle('a');
      expect(await waitingIds()).toEqual(['c', 'b']);
      expect(await inbox().waiting(1)).toEqual([takenEvent({ id: 'c', takenAt: 3_000 })]);
      expect(await inbox().countWaiting()).toBe(2);
    });

    test('keeps the order of events that come at the same time', async () => {
      const ids = Array.from({ length: 300 }, (_, n) => `e-${n}`);
      expect(await Promise.all(ids.map((id) => remember(id)))).not.toContain(false);
      expect(await waitingIds()).toEqual(ids);
    });

    test('is as it was after the process ended', async () => {
      const kept = takenEvent({ id: 'b', trusted: false, subject: '', body: 'Ω “\u0000” 🎓' });
      await remember('a');
      await inbox().remember(kept);
      await settle('a');
      await store.restart();
      expect(await inbox().waiting(10)).toEqual([kept]);
      expect(await remember('a')).toBe(false);
      expect(await inbox().firstOf(['q-1/a'])).toEqual(new Map([['q-1/a', 'a']]));
    });

    test('tells which event of a subject was the first, by its place in line', async () => {
      await remember('webhook', { subject: 'q-1/r-1', takenAt: 2_000 });
      await remember('late:q-1:r-1', { subject: 'q-1/r-1', takenAt: 1_000 });
      await remember('late:q-1:r-2', { subject: 'q-1/r-2' });
      await settle('late:q-1:r-2');
      await remember('other', { subject: 'q-1/r-2' });
      expect(await inbox().firstOf(['q-1/r-1', 'q-1/r-2', 'q-1/r-3'])).toEqual(
        new Map([
          ['q-1/r-1', 'webhook'],
          ['q-1/r-2', 'late:q-1:r-2'],
        ]),
      );
      expect(await inbox().firstOf([])).toEqual(new Map());
    });

    test('does not take events without a subject for the same', async () => {
      await remember('a', { subject: '' });
      await remember('b', { subject: '' });
      expect(await inbox().firstOf([''])).toEqual(new Map());
    });

    test('forgets what was dealt with before a time, and nothing that waits', async () => {
      for (const [id, takenAt] of [['old', 1_000], ['waits', 1_000], ['new', 2_000]] as const) await remember(id, { takenAt });
      await settle('old', 'new');
      await inbox().forgetBefore(2_000);
      expect(await inbox().firstOf(['q-1/old', 'q-1/waits', 'q-1/new'])).toEqual(
        new Map([
          ['q-1/waits', 'waits'],
          ['q-1/new', 'new'],
        ]),
      );
      expect(await remember('waits')).toBe(false);
      expect(await remember('new')).toBe(false);
      expect(await remember('old')).toBe(true);
      expect(await waitingIds()).toEqual(['waits', 'old']);
    });

    test('keeps the order of what comes after something was forgotten', async () => {
      for (const id of ['a', 'b', 'c']) await remember(id);
      await settle('a', 'b');
      await inbox().forgetBefore(Number.MAX_SAFE_INTEGER);
      for (const id of ['d', 'e']) await remember(id);
      expect(await waitingIds()).toEqual(['c', 'd', 'e']);
    });

    test('says when it cannot keep an event', async () => {
      await store.storage().close();
      await expect(remember('a')).rejects.toThrow();
      await expect(store.storage().ping()).rejects.toThrow();
    });
  });
}
