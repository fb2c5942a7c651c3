import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyChain, type ChainLink } from '../../src/storage/audit-chain.ts';
import { createRedisStorage } from '../../src/storage/redis.ts';
import { openSqliteStorage } from '../../src/storage/sqlite.ts';
import type { AuditTrail, Storage } from '../../src/storage/storage.ts';
import { approvalRequest } from '../support/approval-request.ts';
import { auditEntry } from '../support/audit-entry.ts';
import { redisMissing, startRedis } from '../support/redis.ts';

const event = (id: string) => ({ id, type: 'response.submitted', body: `{"event_id":"${id}"}`, trusted: true });

/** `open` opens what there is: a second call stands for a restart, or another instance. */
function holdsFor(open: () => Promise<Storage>) {
  let storage: Storage;
  beforeEach(async () => {
    storage = await open();
  });
  afterEach(() => storage.close().catch(() => {}));

  async function restart(): Promise<void> {
    await storage.close();
    storage = await open();
  }

  describe('the inbox', () => {
    test('remembers an event once, whether it still waits or is settled', async () => {
      expect(await storage.inbox.remember(event('a'))).toBe(true);
      expect(await storage.inbox.remember(event('a'))).toBe(false);
      await storage.inbox.settle('a');
      expect(await storage.inbox.remember(event('a'))).toBe(false);
      expect(await storage.inbox.countWaiting()).toBe(0);
    });

    test('gives what waits in the order it came', async () => {
      for (const id of ['c', 'a', 'b']) await storage.inbox.remember(event(id));
      await storage.inbox.settle('a');
      expect((await storage.inbox.waiting(10)).map(({ id }) => id)).toEqual(['c', 'b']);
      expect(await storage.inbox.waiting(1)).toEqual([event('c')]);
    });

    test('is as it was after the process ended', async () => {
      await storage.inbox.remember(event('a'));
      await storage.inbox.remember({ ...event('b'), trusted: false });
      await storage.inbox.settle('a');
      await restart();
      expect(await storage.inbox.waiting(10)).toEqual([{ ...event('b'), trusted: false }]);
      expect(await storage.inbox.remember(event('a'))).toBe(false);
    });

    test('says when it cannot keep an event', async () => {
      await storage.close();
      await expect(storage.inbox.remember(event('a'))).rejects.toThrow();
      await expect(storage.ping()).rejects.toThrow();
    });
  });

  describe('keyed values', () => {
    test('are kept by name space, over a restart', async () => {
      await storage.keyed('one').set('key', { n: 1 });
      await storage.keyed('two').set('key', { n: 2 });
      await restart();
      expect(await storage.keyed('one').get('key')).toEqual({ n: 1 });
      expect(await storage.keyed('two').get('key')).toEqual({ n: 2 });
      expect(await storage.keyed('one').get('missing')).toBeUndefined();
    });

    test('are cleared by name space, also where one is the beginning of another', async () => {
      const [one, oneMore] = [storage.keyed('one'), storage.keyed('one-more')];
      await one.set('key', 1);
      await oneMore.set('key', 2);
      await one.clear();
      expect(await one.get('key')).toBeUndefined();
      expect(await oneMore.get('key')).toBe(2);
    });
  });

  describe('requests for approval', () => {
    test('are kept by workspace and id, over a restart', async () => {
      const request = approvalRequest({ id: 'a', teamId: 'T1' });
      await storage.approvals.add(request);
      await restart();
      expect(await storage.approvals.byId('T1', 'a')).toEqual({ request, version: 1 });
      expect(await storage.approvals.byId('T2', 'a')).toBeUndefined();
      expect(await storage.approvals.byId('T1', 'b')).toBeUndefined();
      await expect(storage.approvals.add(request)).rejects.toThrow();
    });

    test('are replaced only from the version that was read', async () => {
      const request = approvalRequest({ id: 'a' });
      await storage.approvals.add(request);
      expect(await storage.approvals.replace({ ...request, state: 'decided' }, 1)).toBe(true);
      expect(await storage.approvals.replace({ ...request, state: 'closed' }, 1)).toBe(false);
      expect(await storage.approvals.byId(request.teamId, 'a')).toMatchObject({ request: { state: 'decided' }, version: 2 });
    });

    test('are replaced by one of a hundred who try at once', async () => {
      const request = approvalRequest({ id: 'a' });
      await storage.approvals.add(request);
      const tries = await Promise.all(Array.from({ length: 100 }, (_, n) => storage.approvals.replace({ ...request, reason: String(n) }, 1)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect((await storage.approvals.byId(request.teamId, 'a'))?.request.reason).toBe(String(tries.indexOf(true)));
    });

    test('are pending, oldest first, until they are announced', async () => {
      const [first, second, third] = [3, 1, 2].map((createdAt) => approvalRequest({ id: `r-${createdAt}`, createdAt }));
      for (const request of [first!, second!, third!]) await storage.approvals.add(request);
      await storage.approvals.replace({ ...third!, state: 'closed' }, 1);
      expect((await storage.approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual(['r-1', 'r-2', 'r-3']);
      await storage.approvals.replace({ ...third!, state: 'announced' }, 2);
      expect((await storage.approvals.pending(first!.teamId)).map(({ id }) => id)).toEqual(['r-1', 'r-3']);
      expect(await storage.approvals.pending('T-other')).toEqual([]);
    });
  });

  describe('the audit trail', () => {
    const appendMany = (count: number, teamId = 'T1') =>
      Promise.all(Array.from({ length: count }, (_, n) => storage.audit.append(teamId, auditEntry({ reference: String(n) }))));

    test('is one chain a workspace, whoever writes at the same time', async () => {
      await appendMany(20);
      await appendMany(2, 'T2');
      await restart();
      expect(await verifyChain(wholeTrail(storage.audit, 'T1'), await storage.audit.head('T1'))).toMatchObject({ kind: 'whole', count: 20 });
      expect(await verifyChain(wholeTrail(storage.audit, 'T2'), await storage.audit.head('T2'))).toMatchObject({ kind: 'whole', count: 2 });
      expect(await verifyChain(wholeTrail(storage.audit, 'T3'), await storage.audit.head('T3'))).toMatchObject({ kind: 'whole', count: 0 });
    });

    test('is read from its end and from a position', async () => {
      await appendMany(5);
      const positions = async (links: Promise<ChainLink[]>) => (await links).map(({ position }) => position);
      expect(await positions(storage.audit.latest('T1', 2))).toEqual([5, 4]);
      expect(await positions(storage.audit.latest('T1', 9, 3))).toEqual([2, 1]);
      expect(await positions(storage.audit.latest('T1', 9, 1))).toEqual([]);
      expect(await positions(storage.audit.since('T1', 3, 9))).toEqual([4, 5]);
      expect(await positions(storage.audit.since('T1', 0, 2))).toEqual([1, 2]);
    });
  });

  describe('a lease', () => {
    test('is one holder’s until they release it', async () => {
      expect(await storage.leases.take('a', 60_000)).toBe(true);
      expect(await storage.leases.take('a', 60_000)).toBe(false);
      expect(await storage.leases.take('b', 60_000)).toBe(true);
      await storage.leases.release('a');
      expect(await storage.leases.take('a', 60_000)).toBe(true);
    });

    test('ends by itself', async () => {
      await storage.leases.take('a', 1);
      await expect.poll(() => storage.leases.take('a', 60_000)).toBe(true);
    });
  });
}

async function* wholeTrail(audit: AuditTrail, teamId: string): AsyncGenerator<ChainLink> {
  for (let after = 0; ; ) {
    const links = await audit.since(teamId, after, 7);
    yield* links;
    after = links.at(-1)?.position ?? Infinity;
    if (after === Infinity) return;
  }
}

describe('SQLite', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'invigilator-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  holdsFor(async () => openSqliteStorage(dataDir, Date.now));

  test('ends keyed values with their time to live, and sweeps those unread when the file is opened', async () => {
    let now = Date.now();
    let storage = openSqliteStorage(dataDir, () => now);
    await storage.keyed('one').set('gone', 1, -1);
    await storage.keyed('one').set('key', 'personal', 1_000);
    expect(await storage.keyed('one').get('gone')).toBeUndefined();
    await storage.close();
    now += 2_000;
    storage = openSqliteStorage(dataDir, () => now);
    await storage.close();
    storage = openSqliteStorage(dataDir, () => 0);
    expect(await storage.keyed('one').get('key')).toBeUndefined();
    await storage.close();
  });

  test('throws when the store is lost, instead of looking empty', async () => {
    const storage = openSqliteStorage(dataDir, Date.now);
    const values = storage.keyed('one');
    await storage.close();
    await expect(values.get('key')).rejects.toThrow();
    await expect(values.set('key', 1)).rejects.toThrow();
  });

  test('frees every lease with its process', async () => {
    const before = openSqliteStorage(dataDir, Date.now);
    await before.leases.take('a', 60_000);
    await before.close();
    const after = openSqliteStorage(dataDir, Date.now);
    expect(await after.leases.take('a', 60_000)).toBe(true);
    await after.close();
  });
});

describe.skipIf(redisMissing !== null)(`Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  const open = async () => {
    const storage = createRedisStorage({ url: redis.url, onError: () => {} });
    await storage.open();
    return storage;
  };
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    const storage = await open();
    await storage.client.flushAll();
    await storage.close();
  });

  holdsFor(open);

  test('ends keyed values with their time to live', async () => {
    const storage = await open();
    await storage.keyed('one').set('key', 1, 1);
    await expect.poll(() => storage.keyed('one').get('key')).toBeUndefined();
    await storage.close();
  });

  test('keeps one chain whatever instances write to it at once', async () => {
    const [one, two] = [await open(), await open()];
    await Promise.all([one, two].flatMap((storage) => Array.from({ length: 10 }, (_, n) => storage.audit.append('T1', auditEntry({ reference: String(n) })))));
    expect(await verifyChain(wholeTrail(one.audit, 'T1'), await two.audit.head('T1'))).toMatchObject({ kind: 'whole', count: 20 });
    await Promise.all([one.close(), two.close()]);
  });

  test('does not let an instance release another’s lease', async () => {
    const [one, two] = [await open(), await open()];
    await one.leases.take('a', 60_000);
    await two.leases.release('a');
    expect(await two.leases.take('a', 60_000)).toBe(false);
    await Promise.all([one.close(), two.close()]);
  });

  test('throws when the store is lost, instead of looking empty', async () => {
    const own = await startRedis();
    const storage = createRedisStorage({ url: own.url, onError: () => {} });
    await storage.open();
    const values = storage.keyed('one');
    await values.set('key', 1);
    await own.stop();
    await expect(values.get('key')).rejects.toThrow();
    await expect(values.set('key', 1)).rejects.toThrow();
    await storage.close();
  });

  test('fails at once while Redis is away, instead of waiting for it', async () => {
    const errors: unknown[] = [];
    const storage = createRedisStorage({ url: 'redis://127.0.0.1:1', onError: (error) => errors.push(error) });
    await storage.open();
    await expect(storage.ping()).rejects.toThrow();
    await expect(storage.keyed('one').get('key')).rejects.toThrow();
    await expect(storage.inbox.remember(event('a'))).rejects.toThrow();
    await storage.close();
    expect(errors).not.toEqual([]);
  });
});
