import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { StoreIdentity } from '../known-content.ts';

/** Reads the identity of the file's content and gives it a new generation. The key has no namespace of Keyv's: it belongs to this file. */
export function createReadIdentity(database: DatabaseSync): () => StoreIdentity {
  const select = database.prepare("SELECT value FROM keyed_values WHERE key = 'store'");
  const keep = database.prepare("INSERT OR REPLACE INTO keyed_values VALUES ('store', ?, NULL)");

  return () => {
    const row = select.get();
    const { id, generation } = row
      ? (JSON.parse(String(row['value'])) as StoreIdentity)
      : { id: randomUUID(), generation: 0 };
    const next = { id, generation: generation + 1 };
    keep.run(JSON.stringify(next));
    return next;
  };
}
