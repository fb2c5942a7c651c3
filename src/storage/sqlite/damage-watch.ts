import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDamage, StoreDamagedError } from './file.ts';

const methods = ['get', 'all', 'run'] as const;

/**
 * Notices damaged pages where they are used: a check that reads other pages would not find them.
 *
 * @param onDamage called once
 * @returns a check that throws {@link StoreDamagedError} from then on; until then it reads the first and the last rows of every table
 */
export function watchDamage(database: DatabaseSync, onDamage: (error: StoreDamagedError) => void): () => void {
  let damage: StoreDamagedError | undefined;

  function note(error: unknown): unknown {
    if (!isDamage(error)) return error;
    const isFirst = damage === undefined;
    damage ??= new StoreDamagedError(error);
    if (isFirst) onDamage(damage);
    return damage;
  }

  function watch<Method extends string>(
    object: Record<Method, (...parameters: never[]) => unknown>,
    method: Method,
  ): void {
    const run = object[method].bind(object);
    object[method] = (...parameters: never[]) => {
      try {
        return run(...parameters);
      } catch (error) {
        throw note(error);
      }
    };
  }

  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    const statement: StatementSync = prepare(sql);
    for (const method of methods) watch(statement, method);
    return statement;
  };
  watch(database, 'exec');

  const tables = prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  // The first column of each key: the last row is read from the end of the table.
  const ends = tables.flatMap((name) =>
    ['ASC', 'DESC'].map((order) => database.prepare(`SELECT * FROM "${name}" ORDER BY 1 ${order} LIMIT 1`)),
  );

  return () => {
    if (damage) throw damage;
    for (const end of ends) end.get();
  };
}
