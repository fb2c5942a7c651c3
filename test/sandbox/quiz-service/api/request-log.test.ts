import { expect, onTestFinished, test, vi } from 'vitest';
import { createRequestLog } from '../../../../src/sandbox/quiz-service/api/api-key.ts';
import { openDatabase } from '../../../../src/sandbox/quiz-service/database.ts';

const request = { date: '2026-01-01 00:00:00', method: 'GET', path: '/api/v1/quizzes', status: 200, duration_ms: 1 };

function setUp() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const database = openDatabase(':memory:');
  return { database, log: createRequestLog(database) };
}

test('requests are recorded at the latest when the log closes', () => {
  const { database, log } = setUp();
  log.begin()(request);
  log.close();
  expect(database.all('SELECT path FROM requests')).toEqual([{ path: request.path }]);
});

test('a request that ends after the log has closed is not recorded', () => {
  const { database, log } = setUp();
  const record = log.begin();
  log.close();
  database.close();
  record(request);
  expect(() => vi.runAllTimers()).not.toThrow();
});
