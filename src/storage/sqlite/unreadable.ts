import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';

type Row = Record<string, unknown>;

/** The columns by which a row is known. `position` is unique in both tables. */
const keyColumns = {
  queue_entries: ['position'],
  waiting_events: ['position'],
  queue_states: ['queue'],
  queue_state_parts: ['queue', 'part'],
} as const;

export type UnreadableRows = ReturnType<typeof createUnreadableRows>;

/**
 * Keeps rows that cannot be read from holding up the others.
 *
 * @param onError called with each row that is set aside
 * @param onSetAside called when it is gone from its table
 */
export function createUnreadableRows(
  database: DatabaseSync,
  { write }: GroupCommit,
  onError: (error: unknown) => void,
  onSetAside: () => void,
) {
  const keep = database.prepare('INSERT OR REPLACE INTO keyed_values VALUES (?, ?, NULL)');

  function setAside(table: keyof typeof keyColumns, row: Row, cause: unknown): void {
    const columns = keyColumns[table];
    const values = columns.map((column) => row[column] as string | number);
    const key = `unreadable:${table}/${values.join('/')}`;
    const where = columns.map((column) => `${column} = ?`).join(' AND ');
    onError(new Error(`a row of the store cannot be read and is set aside as ${key}`, { cause }));
    write(() => {
      const whole = database.prepare(`SELECT * FROM ${table} WHERE ${where}`).get(...values);
      if (whole === undefined) return;
      // In the form of Keyv, with which the state can be moved to Redis.
      keep.run(key, JSON.stringify({ value: whole }));
      database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...values);
      onSetAside();
    }).catch(onError);
  }

  return {
    /** Reads rows, which have the columns of their key. Those of which `itemOf` throws go to `keyed_values` under `unreadable:`, and are left out. */
    read<Item>(table: keyof typeof keyColumns, rows: readonly Row[], itemOf: (row: Row) => Item): Item[] {
      return rows.flatMap((row) => {
        try {
          return [itemOf(row)];
        } catch (cause) {
          setAside(table, row, cause);
          return [];
        }
      });
    },
  };
}
