import type { ChainLink } from '../../src/domain/audit-chain.ts';
import type { SealedTrail } from '../../src/storage/storage.ts';

/** Reads every link of a workspace's audit trail, oldest first. */
export async function* wholeTrail(audit: Pick<SealedTrail, 'since'>, teamId: string): AsyncGenerator<ChainLink> {
  for (let after = 0; ;) {
    const links = await audit.since(teamId, after, 7);
    yield* links;
    after = links.at(-1)?.position ?? Infinity;
    if (after === Infinity) return;
  }
}
