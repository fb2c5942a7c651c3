import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';
import type { Cleansing, Rewrite } from '../storage.ts';

/** Where texts are: the key of a row, and what changes with the text. With a part of a state, the version of the state does. */
const places = [
  { in: 'value', table: 'keyed_values', key: ['key'], column: 'value', of: 'key' },
  { in: 'entry', table: 'queue_entries', key: ['position'], column: 'content', of: 'queue' },
  { in: 'state', table: 'queue_states', key: ['queue'], column: 'state', of: 'queue', with: 'version = version + 1' },
  { in: 'part', table: 'queue_state_parts', key: ['queue', 'part'], column: 'content', of: 'queue' },
] as const;

const versionUp = 'UPDATE queue_states SET version = version + 1 WHERE queue = ?';

/** Takes texts out of the bot's own SQLite file. */
export function createSqliteCleansing(database: DatabaseSync, { write, hold }: GroupCommit): Cleansing {
  async function rewriteIn(place: (typeof places)[number], rewrite: Rewrite): Promise<number> {
    const { table, key, column } = place;
    const columns = key.join(', ');
    const marks = key.map(() => '?').join(', ');
    const rows = `SELECT ${columns}, ${place.of} AS of, ${column} AS text FROM ${table}`;
    const first = database.prepare(`${rows} ORDER BY ${columns} LIMIT 1`);
    const next = database.prepare(`${rows} WHERE (${columns}) > (${marks}) ORDER BY ${columns} LIMIT 1`);
    const replace = database.prepare(
      `UPDATE ${table} SET ${column} = ?${'with' in place ? `, ${place.with}` : ''} WHERE (${columns}) = (${marks}) AND ${column} = ?`,
    );
    const remove =
      place.in === 'value' ? database.prepare(`DELETE FROM ${table} WHERE key = ? AND value = ?`) : undefined;
    const noteChange = place.in === 'part' ? database.prepare(versionUp) : undefined;
    let replaced = 0;
    for (let row = first.get(); row !== undefined;) {
      const at = key.map((name) => row![name]!);
      const text = String(row['text']);
      const rewritten = rewrite({ in: place.in, key: String(row['of']) }, text);
      if (rewritten !== text)
        replaced += await write(() => {
          const changed = rewritten === undefined ? remove?.run(...at, text) : replace.run(rewritten, ...at, text);
          const changes = changed?.changes ?? 0;
          if (changes > 0) noteChange?.run(at[0]!);
          return Number(changes);
        });
      await nextTurn();
      row = next.get(...at);
    }
    return replaced;
  }

  return {
    async rewrite(rewrite) {
      let replaced = 0;
      for (const place of places) replaced += await rewriteIn(place, rewrite);
      return replaced;
    },
    async compact() {
      await hold(async () => vacuum(database.location()!));
      return true;
    },
  };
}

/** Reading and writing every page takes seconds for a large file, so another thread does it. */
async function vacuum(path: string): Promise<void> {
  const worker = new Worker(new URL('./vacuum.ts', import.meta.url), { workerData: path });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
