import type { DatabaseSync } from 'node:sqlite';
import type { ChainHead, ChainLink } from '../../domain/audit-chain.ts';
import { keyQueue } from '../../domain/queue-names.ts';
import { createEarlierTrail } from '../earlier-trail.ts';
import { newKeyState } from '../record-keys.ts';

const pageSize = 500;

/** Seals the trail of a workspace that versions up to 1.6 wrote, in the transaction of its upgrade. */
export function sealTrailOf(
  database: DatabaseSync,
  { team_id: teamId, ...head }: ChainHead & { team_id: string },
  nowMs: number,
): void {
  const selectPage = database.prepare(
    `SELECT position, text, hash FROM audit WHERE team_id = ? AND position > ? ORDER BY position LIMIT ${pageSize}`,
  );
  const replace = database.prepare('INSERT OR REPLACE INTO audit VALUES (?, ?, ?, ?)');
  const insertKey = database.prepare(
    'INSERT INTO queue_states (queue, version, is_busy, state, changed_at) VALUES (?, 1, 0, ?, ?)',
  );
  const keys = new Map<string, Buffer>();
  const trail = createEarlierTrail();

  for (let after = 0; ;) {
    const links = selectPage.all(teamId, after) as unknown as ChainLink[];
    if (links.length === 0) break;
    for (const link of links) {
      const { owners, seal } = trail.draft(link);
      for (const owner of owners) if (!keys.has(owner)) keys.set(owner, madeKey(owner));
      const { position, text, hash } = seal(keys);
      replace.run(teamId, position, text, hash);
      after = link.position;
    }
  }
  const end = trail.end(head, nowMs);
  if (end.last) replace.run(teamId, end.last.position, end.last.text, end.last.hash);
  database
    .prepare('UPDATE audit_heads SET position = ?, hash = ? WHERE team_id = ?')
    .run(end.head.position, end.head.hash, teamId);

  function madeKey(owner: string): Buffer {
    const state = newKeyState();
    insertKey.run(keyQueue(teamId, owner), JSON.stringify(state), nowMs);
    return Buffer.from(state.key, 'base64');
  }
}
