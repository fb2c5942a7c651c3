import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';

type Row = Record<string, unknown>;

/** Keeps rows that cannot be read from holding up those behind them. */
export interface UnreadableRows {
  /** Reads rows. Those of which `itemOf` throws go to `keyed_values` under `unreadable:`, and are left out. */
  read<Item>(table: 'queue_entries' | 'waiting_events', rows: readonly Row[], itemOf: (row: Row) => Item): Item[];
}

/** @param onError called with each row that is set aside */
export function createUnreadableRows(database: DatabaseSync, { write }: GroupCommit, onError: (error: unknown) => void): UnreadableRows {
  const keep = database.prepare('INSERT OR REPLACE INTO keyed_values VALUES (?, ?, NULL)');
  const remove = {
    queue_entries: database.prepare('DELETE FROM queue_entries WHERE position = ?'),
    waiting_events: database.prepare('DELETE FROM waiting_events WHERE is_hint IN (0, 1, 2) AND position = ?'),
  };

  return {
    read(table, rows, itemOf) {
      return rows.flatMap((row) => {
        try {
          return [itemOf(row)];
        } catch (cause) {
          const key = `unreadable:${table}/${String(row['position'])}`;
          onError(new Error(`what waits in the store cannot be read and is set aside as ${key}`, { cause }));
          write(() => {
            // In the form of Keyv, with which the state can be moved to Redis.
            keep.run(key, JSON.stringify({ value: row }));
            remove[table].run(Number(row['position']));
          }).catch(onError);
          return [];
        }
      });
    },
  };
}
