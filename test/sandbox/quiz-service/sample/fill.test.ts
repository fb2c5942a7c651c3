import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/sandbox/quiz-service/database.ts';
import { fillAccount, type Sample } from '../../../../src/sandbox/quiz-service/sample/account.ts';

const noonMs = Date.UTC(2026, 8, 1, 12);
const dayMs = 24 * 60 * 60 * 1000;
const tables = [
  'quizzes',
  'questions',
  'options',
  'users',
  'groups',
  'user_quizzes',
  'user_groups',
  'group_quizzes',
  'responses',
  'answers',
  'files',
];

function fill(sample: Sample, nowMs = noonMs) {
  const database = openDatabase(':memory:');
  fillAccount(database, sample, nowMs);
  return database;
}

test('the sample is deterministic', () => {
  const [first, second] = [fill('account'), fill('account')];
  for (const table of tables) {
    const rows = (database: typeof first) => database.all(`SELECT * FROM ${table}`);
    expect(rows(first)).toEqual(rows(second));
    expect(rows(first).length).toBeGreaterThan(0);
  }
});

test('the identifiers do not depend on the date', () => {
  const [before, after] = [noonMs, noonMs + 400 * dayMs].map((nowMs) =>
    fill('account', nowMs).all('SELECT user_id, user_name FROM users'),
  );
  expect(before).toEqual(after);
});

test('no date is in the future, and responses are in the order of their submission', () => {
  const database = fill('account');
  const submitted = database.all<{ date: string }>(
    'SELECT date_submitted AS date FROM responses WHERE date_submitted IS NOT NULL ORDER BY started_ms, seq',
  );
  const created = database.all<{ date: string }>(
    'SELECT date_created AS date FROM quizzes UNION SELECT date_created FROM users',
  );
  for (const { date } of [...submitted, ...created]) expect(date <= '2026-09-01 12:00:00').toBe(true);
  expect(submitted.some(({ date }) => date >= '2026-08-25')).toBe(true);
});

test('scores are realistic: some pass, some fail, and every quiz has responses', () => {
  const rows = fill('account').all<{ taken: number; passed: number }>(
    `SELECT count(*) AS taken, sum(pass) AS passed FROM responses WHERE status = 'submitted' GROUP BY quiz_id`,
  );
  expect(rows.length).toBe(6);
  const taken = rows.reduce((sum, row) => sum + row.taken, 0);
  const passRate = rows.reduce((sum, row) => sum + row.passed, 0) / taken;
  expect(passRate).toBeGreaterThan(0.4);
  expect(passRate).toBeLessThan(0.9);
});

test('extra users and responses come in addition to the sample', () => {
  const database = fill({ users: 300, responses: 50 });
  const plain = fill('account');
  const count = (from: typeof plain, table: string) => from.all(`SELECT 1 FROM ${table}`).length;
  expect(count(database, 'users') - count(plain, 'users')).toBe(300);
  expect(count(database, 'responses') - count(plain, 'responses')).toBe(50);
});

test('an empty account contains only the names of other accounts', () => {
  const database = fill('empty');
  for (const table of tables) expect(database.all(`SELECT * FROM ${table}`)).toEqual([]);
  expect(database.all('SELECT * FROM names_taken_elsewhere').length).toBeGreaterThan(0);
});
