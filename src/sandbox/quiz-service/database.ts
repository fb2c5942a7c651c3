import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { schema, schemaVersion } from './schema.sql.ts';

/** Values by position or by name. */
type Values = SQLInputValue[] | Record<string, SQLInputValue>;

/** A SQLite database with a cache of prepared statements. Writes are on the disk when a call returns. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  all<Row>(sql: string, values: Values = []): Row[] {
    const statement = this.#statement(sql);
    const rows = Array.isArray(values) ? statement.all(...values) : statement.all(values);
    return rows as Row[];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the row, as in `all`
  get<Row>(sql: string, values: Values = []): Row | undefined {
    return this.all<Row>(sql, values)[0];
  }

  /** @returns the number of changed rows */
  run(sql: string, values: Values = []): number {
    const statement = this.#statement(sql);
    const { changes } = Array.isArray(values) ? statement.run(...values) : statement.run(values);
    return Number(changes);
  }

  /**
   * Adds a row. Flags become 0 and 1, lists and objects JSON: `readRow` has them as they were.
   * @param record its keys are columns
   */
  insert(table: string, record: object, onConflict = ''): void {
    const names = Object.keys(record);
    this.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${onConflict}`,
      Object.values(record).map(toColumn),
    );
  }

  /** Changes the columns that the record has, in the row whose `idColumn` is that of the record. */
  update(table: string, idColumn: string, record: object): void {
    const changes = Object.keys(record).map((name) => `${name} = :${name}`);
    this.run(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${idColumn} = :${idColumn}`, toColumns(record));
  }

  /** Runs `work` in a transaction, and rolls back if it throws. Joins an open transaction. */
  transaction<Result>(work: () => Result): Result {
    if (this.#connection.isTransaction) return work();
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function toColumns(record: object): Record<string, SQLInputValue> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toColumn(value)]));
}

function toColumn(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Number(value);
  if (value === null || typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array)
    return value;
  return JSON.stringify(value);
}

/** Reads flags and JSON of a row. Only the service writes these columns, so the type is trusted. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what was written
export function readRow<Read>(
  row: object,
  { flags = [], json = [] }: { flags?: readonly string[]; json?: readonly string[] },
): Read {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      flags.includes(name) ? value === 1 : json.includes(name) ? (JSON.parse(String(value)) as unknown) : value,
    ]),
  ) as Read;
}

/**
 * Opens `quiz-service.sqlite`. Creates the directory and the file if they are missing.
 * @param dataDir a directory, or `:memory:`
 * @throws Error when a newer version of the service wrote the file
 */
export function openDatabase(dataDir: string): Database {
  const connection = new DatabaseSync(dataDir === ':memory:' ? dataDir : databaseFile(dataDir));
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000');
  const database = new Database(connection);
  const version = database.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version > schemaVersion) {
    database.close();
    throw new Error(`${dataDir} was written by a newer version of the quiz service`);
  }
  if (version === 0) database.transaction(() => connection.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`));
  return database;
}

const fileName = 'quiz-service.sqlite';

/**
 * Restricts the folder and its files to their owner, because the database holds the API key and webhook secrets.
 * @throws Error for a folder that users share, such as `/tmp`
 */
function databaseFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { mode } = statSync(dataDir);
  const [openToOthers, sticky] = [0o077, 0o1000];
  if ((mode & openToOthers) !== 0 && (mode & sticky) !== 0)
    throw new Error(`${dataDir} is shared with other users: use a folder of its own`);
  if ((mode & openToOthers) !== 0) chmodSync(dataDir, mode & 0o700);
  const path = join(dataDir, fileName);
  if (!existsSync(path)) new DatabaseSync(path).close();
  for (const name of readdirSync(dataDir))
    if (name.startsWith(fileName) || name.endsWith('.log')) chmodSync(join(dataDir, name), 0o600);
  return path;
}

/** Formats a date as the specification requires (section 2): UTC, `yyyy-MM-dd hh:mm:ss`, 24-hour clock. */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
