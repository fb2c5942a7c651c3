import { describe, expect, test } from 'vitest';
import { verifyChain, type ChainLink } from '../../../src/domain/audit-chain.ts';
import { namedPerson } from '../../../src/domain/said.ts';
import type { Storage } from '../../../src/storage/records.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { wholeTrail } from '../../support/opened-links.ts';
import type { createHandTimers } from '../../support/virtual-clock.ts';

/** The store of the test that runs. */
export interface OpenedStore {
  storage(): Storage;
  /** Those of its leases. */
  timers(): ReturnType<typeof createHandTimers>;
  /** Closes the store and opens what was kept. */
  restart(): Promise<void>;
}

export function subscriptionsCases(store: OpenedStore): void {
  const subscriptions = () => store.storage().subscriptions;

  describe('subscriptions', () => {
    test('are stored by workspace, across a restart, in the order of creation', async () => {
      const [first, second, third] = [1, 2, 3].map((createdAt) =>
        subscription({ id: `s-${4 - createdAt}`, createdAt }),
      );
      const full = subscription({
        id: 's-9',
        teamId: 'T2',
        ownerId: null,
        quiz: { id: 'q-1', name: 'Fire “safety” Ω' },
        filter: { kind: 'below', percentage: 49.5 },
        delivery: { kind: 'digest', every: 'day', at: '08:30' },
        timeZone: 'Europe/Berlin',
        showsNames: false,
        pause: { since: 1, until: null, by: null, code: 'is_archived', isOwnerNotified: false },
      });
      for (const one of [third!, first!, full, second!]) await subscriptions().add(one);
      await store.restart();
      expect(await subscriptions().all('T1')).toEqual([first, second, third]);
      expect(await subscriptions().all('T2')).toEqual([full]);
      expect(await subscriptions().all('T3')).toEqual([]);
    });

    test('do not change when they are added again', async () => {
      await subscriptions().add(subscription({ showsNames: false }));
      await subscriptions().add(subscription({ showsNames: true }));
      expect(await subscriptions().all('T1')).toEqual([subscription({ showsNames: false })]);
    });

    test('can be paused and resumed without other changes', async () => {
      await subscriptions().add(subscription({ id: 's-1' }));
      await subscriptions().add(subscription({ id: 's-2' }));
      const pause = { since: 1_000, until: 2_000, by: 'U00000ADA' };
      expect(await subscriptions().setPause('T1', 's-1', pause)).toBe(true);
      expect(await subscriptions().all('T1')).toEqual([
        subscription({ id: 's-1', pause }),
        subscription({ id: 's-2' }),
      ]);
      expect(await subscriptions().setPause('T1', 's-1', null)).toBe(true);
      expect(await subscriptions().all('T1')).toEqual([subscription({ id: 's-1' }), subscription({ id: 's-2' })]);
    });

    test('are not recreated by a pause after their removal', async () => {
      await subscriptions().add(subscription());
      expect(await subscriptions().remove('T2', 's-1')).toBe(false);
      expect(await subscriptions().remove('T1', 's-1')).toBe(true);
      expect(await subscriptions().remove('T1', 's-1')).toBe(false);
      expect(await subscriptions().setPause('T1', 's-1', null)).toBe(false);
      expect(await subscriptions().all('T1')).toEqual([]);
    });
  });
}

export function approvalsCases(store: OpenedStore): void {
  describe('requests for approval', () => {
    test('are stored by workspace and id, across a restart', async () => {
      const request = approvalRequest({ id: 'a', teamId: 'T1' });
      await store.storage().approvals.add(request);
      await store.restart();
      expect(await store.storage().approvals.byId('T1', 'a')).toEqual({ request, version: 1 });
      expect(await store.storage().approvals.byId('T2', 'a')).toBeUndefined();
      expect(await store.storage().approvals.byId('T1', 'b')).toBeUndefined();
      await expect(store.storage().approvals.add(request)).rejects.toThrow();
    });

    test('are replaced only from the version last read', async () => {
      const request = approvalRequest({ id: 'a' });
      await store.storage().approvals.add(request);
      expect(await store.storage().approvals.replace({ ...request, state: 'decided' }, 1)).toBe(true);
      expect(await store.storage().approvals.replace({ ...request, state: 'closed' }, 1)).toBe(false);
      expect(await store.storage().approvals.byId(request.teamId, 'a')).toMatchObject({
        request: { state: 'decided' },
        version: 2,
      });
    });

    test('are added once by a hundred concurrent attempts of one person for the same change', async () => {
      const request = approvalRequest({ teamId: 'T1', input: { users: ['u-2', 'u-1'], name: ['“é”'], none: [] } });
      const attempts = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          store.storage().approvals.addUnlessOpen({ ...request, id: `r-${n}`, reason: String(n) }),
        ),
      );
      const [first, ...more] = await store.storage().approvals.pending('T1');
      expect(more).toEqual([]);
      expect(attempts.filter((open) => open === undefined)).toHaveLength(1);
      expect(attempts.filter((open) => open !== undefined)).toEqual(
        Array.from({ length: 99 }, () => ({ request: first, version: 1 })),
      );
    });

    test.each<[string, object]>([
      ['another person', { requesterId: 'U0OTHER' }],
      ['another operation', { operation: 'delete-user' }],
      ['another workspace', { teamId: 'T2' }],
      ['another input', { input: { user: ['u-rosa', 'u-ravi'] } }],
      ['an input with one field more', { input: { user: ['u-rosa'], name: ['x'] } }],
      ['an input without a field', { input: {} }],
    ])('are added beside an open one of %s', async (_, other) => {
      const request = approvalRequest({ id: 'a', teamId: 'T1' });
      const { approvals } = store.storage();
      await approvals.add(request);
      expect(await approvals.addUnlessOpen({ ...request, id: 'b', ...other })).toBeUndefined();
      expect(await approvals.byId('T1', 'a')).toEqual({ request, version: 1 });
    });

    test('are added beside the same ones that are not open any more, and not under a taken id', async () => {
      const request = approvalRequest({ id: 'a' });
      const { approvals } = store.storage();
      await approvals.add({ ...request, state: 'decided' });
      await expect(approvals.addUnlessOpen(request)).rejects.toThrow();
      expect(await approvals.addUnlessOpen({ ...request, id: 'b' })).toBeUndefined();
      await approvals.replace({ ...request, id: 'b', reason: 'Another' }, 1);
      expect(await approvals.addUnlessOpen({ ...request, id: 'c' })).toEqual({
        request: { ...request, id: 'b', reason: 'Another' },
        version: 2,
      });
    });

    test('are pending until they are announced, oldest first', async () => {
      const [first, second, third] = [3, 1, 2].map((createdAt) => approvalRequest({ id: `r-${createdAt}`, createdAt }));
      for (const request of [first!, second!, third!]) await store.storage().approvals.add(request);
      await store.storage().approvals.replace({ ...third!, state: 'closed' }, 1);
      expect((await store.storage().approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual([
        'r-1',
        'r-2',
        'r-3',
      ]);
      await store.storage().approvals.replace({ ...third!, state: 'announced' }, 2);
      expect((await store.storage().approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual(['r-1', 'r-3']);
      expect(await store.storage().approvals.pending('T-other')).toEqual([]);
    });
  });
}

export function auditCases(store: OpenedStore): void {
  describe('the audit trail', () => {
    const appendMany = (count: number, teamId = 'T1') =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          store.storage().audit.append(teamId, auditEntry({ correlationId: String(n) })),
        ),
      );

    test('is one chain per workspace, even with concurrent writers', async () => {
      await appendMany(20);
      await appendMany(2, 'T2');
      await store.restart();
      expect(
        await verifyChain(wholeTrail(store.storage().audit, 'T1'), await store.storage().audit.head('T1')),
      ).toMatchObject({ kind: 'whole', count: 20 });
      expect(
        await verifyChain(wholeTrail(store.storage().audit, 'T2'), await store.storage().audit.head('T2')),
      ).toMatchObject({ kind: 'whole', count: 2 });
      expect(
        await verifyChain(wholeTrail(store.storage().audit, 'T3'), await store.storage().audit.head('T3')),
      ).toMatchObject({ kind: 'whole', count: 0 });
    });

    test('can be read from its end and from a position', async () => {
      await appendMany(5);
      const positions = async (links: Promise<ChainLink[]>) => (await links).map(({ position }) => position);
      expect(await positions(store.storage().audit.latest('T1', 2))).toEqual([5, 4]);
      expect(await positions(store.storage().audit.latest('T1', 9, 3))).toEqual([2, 1]);
      expect(await positions(store.storage().audit.latest('T1', 9, 1))).toEqual([]);
      expect(await positions(store.storage().audit.since('T1', 3, 9))).toEqual([4, 5]);
      expect(await positions(store.storage().audit.since('T1', 0, 2))).toEqual([1, 2]);
    });

    const rosa = { kind: 'user', id: '17', name: 'Rosa Almeida' };
    const ravi = { kind: 'user', id: '18', name: 'Ravi Shah' };

    test('keeps names sealed, and tells them to its readers', async () => {
      const { audit } = store.storage();
      const entry = auditEntry({ targets: [rosa, ravi], message: 'Both left' });
      await Promise.all([1, 2, 3].map(() => audit.append('T1', entry)));
      await store.restart();
      const links = await store.storage().audit.latest('T1', 9);
      expect(links.map((link) => link.entry)).toEqual([entry, entry, entry]);
      expect(links.map(({ text }) => text).join('')).not.toMatch(/Rosa|Ravi|left/);
    });

    test('loses a person who is erased, for good, and stays whole', async () => {
      const { audit } = store.storage();
      await audit.append('T1', auditEntry({ targets: [rosa], message: 'She left' }));
      await audit.append('T1', auditEntry({ targets: [ravi], message: 'He left' }));
      await audit.append('T1', auditEntry({ targets: [rosa, ravi], message: 'Both left' }));
      await audit.append('T1', auditEntry({ targets: [], message: 'Ravi asked', request: 'r-2' }));
      await audit.append('T1', auditEntry({ targets: [], message: 'Create her', request: 'r-1' }));
      await audit.append('T1', auditEntry({ targets: [rosa], request: 'r-1' }));
      expect(await audit.erase('T1', '17')).toBe(2);
      expect(await audit.erase('T1', '17')).toBe(0);
      await audit.append('T1', auditEntry({ targets: [{ ...rosa, name: 'Rosa again' }] }));
      await store.restart();
      const again = store.storage().audit;
      const kept = await again.since('T1', 0, 9);
      expect(kept.map(({ entry: { targets, message } }) => [targets?.map(({ name }) => name), message])).toEqual([
        [['an erased person'], 'erased'],
        [['Ravi Shah'], 'He left'],
        [['an erased person', 'Ravi Shah'], 'Both left'],
        [[], 'Ravi asked'],
        [[], 'erased'],
        [['an erased person'], undefined],
        [['an erased person'], undefined],
      ]);
      expect(await again.erase('T1', '18')).toBe(2);
      expect((await again.since('T1', 2, 1))[0]?.entry.message).toBe('erased');
      expect(await verifyChain(wholeTrail(again, 'T1'), await again.head('T1'))).toMatchObject({ kind: 'whole' });
    });

    test('loses what is said of a person by their address, and in a request about them that made nobody', async () => {
      const { audit } = store.storage();
      const change = `create ${namedPerson({ userId: 'address:hash', name: 'Rosa Almeida' })}`;
      await audit.append('T1', auditEntry({ targets: [], change, message: 'She comes back', request: 'r-3' }));
      expect(await audit.erase('T1', '17', ['U0000ROSA', 'request:r-3', 'address:hash'])).toBe(2);
      const [link] = await store.storage().audit.since('T1', 0, 9);
      expect(JSON.stringify(link?.entry)).not.toMatch(/Rosa|comes/);
    });

    test('with all its entries has no missing end, also after a restart and with concurrent writers', async () => {
      expect(await store.storage().audit.missingEnd('T1')).toBeUndefined();
      await appendMany(5);
      expect(await store.storage().audit.missingEnd('T1')).toBeUndefined();
      await store.restart();
      await Promise.all([appendMany(5), store.storage().audit.missingEnd('T1')]);
      expect(await store.storage().audit.missingEnd('T1')).toBeUndefined();
      expect(await store.storage().audit.missingEnd('T2')).toBeUndefined();
    });
  });
}
