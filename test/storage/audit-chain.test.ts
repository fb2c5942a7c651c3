import { describe, expect, test } from 'vitest';
import { emptyChain, nextLink, verifyChain, type ChainHead, type ChainLink } from '../../src/domain/audit-chain.ts';

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

  test('is valid when unmodified', async () => {
    expect(await verifyChain(each(links), head)).toEqual({ kind: 'whole', count: 3, hash: head.hash });
    expect(await verifyChain(each([]), emptyChain)).toMatchObject({ kind: 'whole', count: 0 });
  });

  test('detects a modified entry', async () => {
    const changed = links.map((link) => (link.position === 2 ? { ...link, text: 'TWO' } : link));
    expect(await verifyChain(each(changed), head)).toEqual({ kind: 'broken', at: 2, problem: 'change' });
  });

  test('detects an entry that was modified together with its hash', async () => {
    const forged = links.with(1, nextLink(links[0]!, 'TWO'));
    expect(await verifyChain(each(forged), head)).toEqual({ kind: 'broken', at: 3, problem: 'change' });
  });

  test('detects a missing entry, also after renumbering', async () => {
    expect(await verifyChain(each([links[0]!, links[2]!]), head)).toEqual({ kind: 'broken', at: 2, problem: 'gap' });
    expect(await verifyChain(each([links[0]!, { ...links[2]!, position: 2 }]), head)).toEqual({
      kind: 'broken',
      at: 2,
      problem: 'change',
    });
  });

  test('detects a missing start and a missing end', async () => {
    expect(await verifyChain(each(links.slice(1)), head)).toEqual({ kind: 'broken', at: 1, problem: 'gap' });
    expect(await verifyChain(each(links.slice(0, 2)), head)).toEqual({ kind: 'broken', at: 3, problem: 'gap' });
  });

  test('detects entries after the head', async () => {
    const longer = [...links, nextLink(head, 'four')];
    expect(await verifyChain(each(longer), head)).toEqual({ kind: 'broken', at: 4, problem: 'end' });
  });
});
