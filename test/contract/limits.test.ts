import { expect, onTestFinished, test } from 'vitest';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { testApiKey, startTestService } from '../sandbox/quiz-service/support/service.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Starts a service and a client with the limits of section 8. They share a virtual clock that advances while the client waits. */
async function startWithLimits() {
  const startMs = Date.UTC(2026, 0, 5);
  let time = startMs;
  const now = () => time;
  const service = await startTestService({ sample: 'empty', now, ratePerMinute: 60, ratePerHour: 2000 });
  const answers: { status: number | 'error'; atMs: number }[] = [];
  const api = createQuizApi({
    baseUrl: service.url,
    apiKey: testApiKey,
    now,
    sleep: async (ms) => {
      time += ms;
    },
    onCall: ({ status }) => answers.push({ status, atMs: time - startMs }),
  });
  onTestFinished(() => api.close());
  return { service, api, answers };
}

test('the client uses both limits of the service fully and never gets a 429', async () => {
  const { api, answers } = await startWithLimits();
  for (let call = 0; call < 2001; call += 1) await api.groups.list();

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const atMs = answers.map((answer) => answer.atMs);
  expect(atMs[59]).toBe(0);
  expect(atMs[60]).toBeGreaterThanOrEqual(minuteMs);
  expect(atMs[1999]).toBeLessThan(34 * minuteMs);
  expect(atMs[2000]).toBeGreaterThanOrEqual(hourMs);
  expect(atMs[2000]).toBeLessThan(hourMs + minuteMs);
});

test('the client gets one 429 for a limit that another program has exhausted and waits it out', async () => {
  const { service, api, answers } = await startWithLimits();
  for (let call = 0; call < 60; call += 1)
    await fetch(`${service.url}/api/v1/groups`, { headers: { 'x-api-key': testApiKey } });

  expect(await api.groups.list()).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([429, 200]);
});
