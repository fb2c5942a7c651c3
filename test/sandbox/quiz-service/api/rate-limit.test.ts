import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../../src/sandbox/quiz-service/api/api-key.ts';
import { call, startTestService, testApiKey } from '../support/service.ts';

const minuteMs = 60_000;

describe('a sliding window', () => {
  test('allows as many calls as its limit, and the next one exactly one window after the first', () => {
    let time = 0;
    const limit = createRateLimit([{ limit: 2, windowMs: minuteMs }], () => time);
    expect(limit.take()).toBe(0);
    time = 10_000;
    expect(limit.take()).toBe(0);
    expect(limit.take()).toBe(50_000);
    time = 59_999;
    expect(limit.take()).toBe(1);
    time = 60_000;
    expect(limit.take()).toBe(0);
    expect(limit.take()).toBe(10_000);
  });

  test('never exceeds the limit of any window, and refuses only when a window is full', () => {
    const steps = fc.array(fc.nat({ max: 400 }), { maxLength: 300 });
    fc.assert(
      fc.property(steps, (gaps) => {
        const windows = [
          { limit: 3, windowMs: 500 },
          { limit: 7, windowMs: 3000 },
        ];
        let time = 0;
        const taken: number[] = [];
        const limit = createRateLimit(windows, () => time);
        for (const gap of gaps) {
          time += gap;
          const within = ({ windowMs }: { windowMs: number }) => taken.filter((at) => at > time - windowMs).length;
          const isFull = windows.some((window) => within(window) >= window.limit);
          expect(limit.take() > 0).toBe(isFull);
          if (!isFull) taken.push(time);
        }
      }),
    );
  });
});

test('the 61st call within a minute returns 429 with the seconds until the next allowed call', async () => {
  let time = Date.UTC(2026, 0, 5);
  const service = await startTestService({ ratePerMinute: 60, ratePerHour: 2000, now: () => time });
  for (let i = 0; i < 60; i += 1) expect((await call(service, 'GET', '/groups')).status).toBe(200);
  time += 18_500;
  const refused = await call(service, 'GET', '/groups');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('42');
  expect(refused.body).toEqual({ message: 'Exceeded request rate limit: try again in 42 s.' });
  time += 42_000;
  expect((await call(service, 'GET', '/groups')).status).toBe(200);
});

test('calls without a valid key do not count', async () => {
  const service = await startTestService({ ratePerMinute: 1, now: () => 0 });
  await call(service, 'GET', '/groups', undefined, { 'x-api-key': 'wrong' });
  expect((await call(service, 'GET', '/groups', undefined, { 'x-api-key': testApiKey })).status).toBe(200);
});
