import { Keyv } from 'keyv';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyChain, nextLink, verifyChain, type ChainHead, type ChainLink } from '../../src/domain/audit-chain.ts';
import { anchorTrail } from '../../src/storage/audit.ts';
import type { SealedTrail } from '../../src/storage/storage.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { wholeTrail } from '../support/whole-trail.ts';

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
  test('verifies, and is noticed by the bot that appended to it', async () => {
    const trail = start();
    await append(trail, 10);
    links.splice(7);
    expect(await isWhole()).toBe(true);
    expect(await trail.missingEnd('T1')).toEqual({ knownPosition: 10, lastPosition: 7 });
  });

  test('is noticed after a restart', async () => {
    const before = start();
    await append(before, 10);
    await before.missingEnd('T1');
    links.splice(7);
    expect(await start().missingEnd('T1')).toEqual({ knownPosition: 10, lastPosition: 7 });
  });

  test.each([1, 3, 4, 20])('is noticed for good, also after %i new entries', async (count) => {
    const trail = start();
    await append(trail, 10);
    await trail.missingEnd('T1');
    links.splice(7);
    await append(trail, count);
    const missing = { knownPosition: 10, lastPosition: 7 + count };
    expect(await isWhole()).toBe(true);
    expect(await trail.missingEnd('T1')).toEqual(missing);
    expect(await start().missingEnd('T1')).toEqual(missing);
  });

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
