import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sqliteSchema } from '../../../src/storage/sqlite/schema.ts';

test('each table of the schema has sentences before it that say what it holds', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(sqliteSchema);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  expect(tables.length).toBeGreaterThan(5);
  for (const { name } of tables) expect(sqliteSchema).toMatch(new RegExp(`\\.\\nCREATE TABLE ${String(name)} \\(`));
  database.close();
});
