import { namedPerson } from '../../../src/domain/said.ts';
import { describe, expect, test } from 'vitest';
import { verifyChain, type ChainLink } from '../../../src/domain/audit-chain.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import { wholeTrail } from '../../support/opened-links.ts';
import type { OpenedStore } from './opened-store.ts';

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
