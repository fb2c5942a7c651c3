import { chmodSync, existsSync, mkdirSync } from 'node:fs';
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

/** Parses a JSON column. Only the service writes these columns, so the type is trusted. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what was written
export function readJson<Value>(text: string): Value {
  return JSON.parse(text) as Value;
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

/** Restricts the file to its owner, because it holds the API key and webhook secrets. */
function databaseFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'quiz-service.sqlite');
  if (!existsSync(path)) new DatabaseSync(path).close();
  chmodSync(path, 0o600);
  return path;
}

/** Formats a date as the specification requires (section 2): UTC, `yyyy-MM-dd hh:mm:ss`, 24-hour clock. */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
