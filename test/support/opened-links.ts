import { createHash } from 'node:crypto';
import { emptyChain, nextLink, type AuditEntry, type ChainHead, type ChainLink } from '../../src/domain/audit-chain.ts';
import { draftEntry, openEntry, ownersIn, sealEntry, type RecordedLink } from '../../src/domain/sealed-entry.ts';
import type { SealedTrail } from '../../src/storage/storage.ts';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keyQueue } from '../../src/domain/queues.ts';
import type { KeyState } from '../../src/storage/audit.ts';

/** The keys of a record that no store has: each follows from its owner. @param erased owners whose keys are gone */
function keysOf(owners: readonly string[], erased: readonly string[] = []): ReadonlyMap<string, Buffer> {
  const left = owners.filter((owner) => !erased.includes(owner));
  return new Map(left.map((owner) => [owner, createHash('sha256').update(owner).digest()]));
}

/** The link of a sealed entry that follows another. */
export function sealedLink(entry: AuditEntry, head: ChainHead = emptyChain): ChainLink {
  const draft = draftEntry(entry, () => `of-${head.position + 1}`);
  return nextLink(head, JSON.stringify(sealEntry(draft, keysOf(draft.parts.map(({ owner }) => owner)))));
}

/** Links as a trail gives them. */
export function opened(links: readonly ChainLink[], erased: readonly string[] = []): RecordedLink[] {
  return links.map((link) => ({ ...link, ...openEntry(link.text, keysOf(ownersIn(link.text), erased)) }));
}

/** Reads every link of a workspace's audit trail, oldest first. */
export async function* wholeTrail(audit: Pick<SealedTrail, 'since'>, teamId: string): AsyncGenerator<ChainLink> {
  for (let after = 0; ;) {
    const links = await audit.since(teamId, after, 7);
    yield* links;
    after = links.at(-1)?.position ?? Infinity;
    if (after === Infinity) return;
  }
}

/** The record in the file of a bot, which may be running, from its beginning. */
export function recordIn(dataDir: string): AuditEntry[] {
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  const rows = database.prepare('SELECT team_id, text FROM audit ORDER BY position').all();
  const selectKey = database.prepare('SELECT state FROM queue_states WHERE queue = ?');
  const entries = rows.map(({ team_id, text }) => {
    const keys = ownersIn(String(text)).flatMap((owner) => {
      const kept = selectKey.get(keyQueue(String(team_id), owner))?.['state'];
      const state = kept === undefined ? undefined : (JSON.parse(String(kept)) as KeyState);
      return state && 'key' in state ? [[owner, Buffer.from(state.key, 'base64')] as const] : [];
    });
    return openEntry(String(text), new Map(keys)).entry;
  });
  database.close();
  return entries;
}
