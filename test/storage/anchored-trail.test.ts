import { Keyv } from 'keyv';
import { beforeEach, describe, expect, test, onTestFinished } from 'vitest';
import { emptyChain, nextLink, verifyChain, type ChainHead, type ChainLink } from '../../src/domain/audit-chain.ts';
import { anchorTrail } from '../../src/storage/audit.ts';
import type { SealedTrail } from '../../src/storage/storage.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { wholeTrail } from '../support/opened-links.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readSqlite } from '../../src/storage/sqlite/doctor.ts';
import { readOnlyChecks } from '../../src/storage/checks.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function chainOf(...texts: string[]): { links: ChainLink[]; head: ChainHead } {
  const links: ChainLink[] = [];
  for (const text of texts) links.push(nextLink(links.at(-1) ?? emptyChain, text));
  return { links, head: links.at(-1) ?? emptyChain };
}

async function* each(links: readonly ChainLink[]): AsyncGenerator<ChainLink> {
  yield* links;
}

describe('a chain of audit entries', () => {
  const { links, head } = chainOf('one', 'two', 'three');

  const [one, , three] = links;

  test('is valid when unmodified', async () => {
    expect(await verifyChain(each(links), head)).toEqual({ kind: 'whole', count: 3, hash: head.hash });
    expect(await verifyChain(each([]), emptyChain)).toMatchObject({ kind: 'whole', count: 0 });
  });

  test.each<[string, readonly ChainLink[], number, string]>([
    ['a modified entry', links.with(1, { ...links[1]!, text: 'TWO' }), 2, 'change'],
    ['an entry that was modified together with its hash', links.with(1, nextLink(one!, 'TWO')), 3, 'change'],
    ['a missing entry', [one!, three!], 2, 'gap'],
    ['a missing entry after renumbering', [one!, { ...three!, position: 2 }], 2, 'change'],
    ['a missing start', links.slice(1), 1, 'gap'],
    ['a missing end', links.slice(0, 2), 3, 'gap'],
    ['entries after the head', [...links, nextLink(head, 'four')], 4, 'end'],
  ])('detects %s', async (_, changed, at, problem) => {
    expect(await verifyChain(each(changed), head)).toEqual({ kind: 'broken', at, problem });
  });
});

let links: ChainLink[];
let anchors: Keyv<ChainHead>;
beforeEach(() => {
  links = [];
  anchors = new Keyv();
});

/** A trail in `links`, in which a test can change what it likes. */
const plain: SealedTrail = {
  async append(_, entry) {
    const link = nextLink(links.at(-1) ?? emptyChain, JSON.stringify(entry));
    links.push(link);
    return link;
  },
  latest: async () => [],
  since: async (_, after, limit) => links.slice(after, after + limit),
  head: async () => links.at(-1) ?? emptyChain,
};

/** The trail of a bot that has just started. */
const start = () => anchorTrail(plain, anchors);
let appended = 0;
const append = async (trail: SealedTrail, count: number) => {
  for (let n = 0; n < count; n += 1) await trail.append('T1', auditEntry({ correlationId: String((appended += 1)) }));
};
const isWhole = async () => (await verifyChain(wholeTrail(plain, 'T1'), await plain.head('T1'))).kind === 'whole';

describe('a trail that was cut at its end, with its head set back', () => {
  test.each([0, 1, 3, 4, 20])(
    'verifies, and is noticed for good, also after a restart and %i new entries',
    async (count) => {
      const trail = start();
      await append(trail, 10);
      await trail.missingEnd('T1');
      links.splice(7);
      await append(trail, count);
      const missing = { knownPosition: 10, lastPosition: 7 + count };
      expect(await isWhole()).toBe(true);
      expect(await trail.missingEnd('T1')).toEqual(missing);
      expect(await start().missingEnd('T1')).toEqual(missing);
    },
  );

  test('is noticed although nobody looked at it before the cut', async () => {
    const trail = start();
    await append(trail, 10);
    links.splice(7);
    await append(trail, 20);
    expect(await trail.missingEnd('T1')).toEqual({ knownPosition: 10, lastPosition: 27 });
  });
});

test('a trail that was written anew with all its hashes is noticed', async () => {
  const before = start();
  await append(before, 10);
  await before.missingEnd('T1');
  links = [];
  for (let n = 0; n < 12; n += 1) await plain.append('T1', auditEntry({ correlationId: `other ${n}` }));
  expect(await isWhole()).toBe(true);
  expect(await start().missingEnd('T1')).toEqual({ knownPosition: 10, lastPosition: 12 });
});

async function openWithEntries(count: number) {
  const dataDir = temporaryDirectory();
  const timers = createHandTimers();
  const open = async () => {
    const storage = openSqliteStorage(dataDir, { now: Date.now, setTimer: timers.setTimer });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    return storage;
  };
  const storage = await open();
  for (let n = 0; n < count; n += 1) await storage.audit.append('T1', auditEntry({ correlationId: String(n) }));
  const deleteFile = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `invigilator.sqlite${end}`), { force: true });
  };
  return { dataDir, storage, timers, open, deleteFile };
}

test('an audit trail whose file was deleted while the bot was stopped is known to have had entries', async () => {
  const { storage, deleteFile, open } = await openWithEntries(3);
  await storage.close();
  deleteFile();
  const again = await open();
  expect(await again.audit.missingEnd('T1')).toEqual({ knownPosition: 3, lastPosition: 0 });
  await again.audit.append('T1', auditEntry({ correlationId: 'later' }));
  await again.close();
  expect(await (await open()).audit.missingEnd('T1')).toEqual({ knownPosition: 3, lastPosition: 1 });
});

test('the last entry is known outside the file within a second, also where the bot is killed after that', async () => {
  const { dataDir, timers } = await openWithEntries(2);
  const trailCheck = readOnlyChecks(
    {
      ...readSqlite(dataDir),
      text: async () => undefined,
      trail: async (read) => read({ head: async () => ({ position: 0, hash: '' }), since: async () => [] }),
    },
    join(dataDir, 'known-store.json'),
    { workspace: 'T1', userIds: async () => undefined },
  ).find(({ name }) => name === 'auditTrail');
  expect(await trailCheck?.look()).toBeUndefined();
  timers.fire(1_000);
  expect(await trailCheck?.look()).toMatchObject({ code: 'audit_trail_cut' });
});
