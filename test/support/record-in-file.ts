import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { openEntry, ownersIn } from '../../src/domain/sealed-entry.ts';
import { keyQueue } from '../../src/domain/queue-names.ts';
import type { KeyState } from '../../src/storage/audit.ts';

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
