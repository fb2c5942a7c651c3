import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/sandbox/quiz-service/database.ts';
import { fillAccount, type Sample } from '../../../src/sandbox/quiz-service/sample/account.ts';
import { ConfigError, readConfig } from '../../../src/sandbox/quiz-service/config.ts';

function faultsOf(environment: Record<string, string>, commandLine: string[] = []): readonly string[] {
  try {
    readConfig(environment, commandLine);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test('every variable is optional', () => {
  expect(readConfig({}, [])).toEqual({
    port: 4010,
    host: '127.0.0.1',
    dataDir: './data/quiz-service',
    apiKey: undefined,
    webhook: undefined,
    ratePerMinute: 60,
    ratePerHour: 2000,
    publicUrl: undefined,
    trustProxy: false,
    rough: undefined,
    sample: 'account',
  });
});

test('every option can be set', () => {
  const environment = {
    PORT: '0',
    HOST: '::1',
    DATA_DIR: '/x',
    QUIZ_API_KEY: 'abcdefgh',
    WEBHOOK_URL: 'https://x.example/hook',
    WEBHOOK_SECRET: 'hush',
    WEBHOOK_SCHEME: 'standard',
    QUIZ_RATE_PER_MINUTE: '600',
    QUIZ_RATE_PER_HOUR: '7000',
    PUBLIC_URL: 'https://quiz.example/',
    TRUST_PROXY: 'true',
  };
  expect(readConfig(environment, ['--users', '5', '--responses=6', '--rough'])).toEqual({
    port: 0,
    host: '::1',
    dataDir: '/x',
    apiKey: 'abcdefgh',
    webhook: { url: 'https://x.example/hook', secret: 'hush', scheme: 'standard' },
    ratePerMinute: 600,
    ratePerHour: 7000,
    publicUrl: 'https://quiz.example',
    trustProxy: true,
    rough: true,
    sample: { users: 5, responses: 6 },
  });
});

test('each fault is one sentence that says what to set', () => {
  const environment = {
    PORT: '70000',
    WEBHOOK_URL: 'file:///etc',
    WEBHOOK_SCHEME: 'md5',
    TRUST_PROXY: 'yes',
    QUIZ_API_KEY: 'short',
  };
  expect(faultsOf(environment, ['--users', 'many'])).toEqual([
    'PORT must be a port, 0 to 65535',
    'QUIZ_API_KEY must have at least 8 characters',
    'WEBHOOK_URL must be an http or https URL',
    'WEBHOOK_SCHEME must be one of body, timestamp-body, standard, timestamp-secret',
    'TRUST_PROXY must be true or false',
    '--users must be a whole number',
  ]);
});

test('an unknown flag is a fault, and an empty variable counts as not set', () => {
  expect(faultsOf({}, ['--people', '5'])).toEqual([expect.stringContaining('--people')]);
  expect(readConfig({ PORT: '', WEBHOOK_URL: '' }, [])).toMatchObject({ port: 4010, webhook: undefined });
});

test('the rough account has a directory of its own', () => {
  expect(readConfig({}, ['--rough'])).toMatchObject({ rough: true, dataDir: './data/quiz-service-rough' });
});

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
