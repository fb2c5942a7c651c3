import { WebClient } from '@slack/web-api';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createSlackMetrics } from '../../src/slack/metrics.ts';
import { createObservedFetch, slackLogger, createRateLimitFetch } from '../../src/slack/connection/client.ts';
import { recordingLog } from '../support/log.ts';

const apiUrl = 'https://slack.test/api/';

function observing(answer: () => Response | Promise<Response>) {
  const { log, lines } = recordingLog();
  const metrics = createSlackMetrics(new Registry());
  const fetch = createObservedFetch({ apiUrl, metrics, log, fetch: async () => answer() });
  const client = new WebClient('xoxb-canary', {
    slackApiUrl: apiUrl,
    fetch,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(recordingLog().log),
  });
  const errors = async () =>
    (await metrics.errors.get()).values
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => ({ ...labels, value }));
  return { client, fetch, errors, lines };
}

const json = (body: object, init: ResponseInit = {}) => Response.json(body, init);

test('a successful call is observed with method, status and duration, and the caller gets the answer', async () => {
  const { client, errors, lines } = observing(() => json({ ok: true, ts: '1.2', message: { text: '"ok": false' } }));
  expect(await client.chat.postMessage({ channel: 'C1', text: 'Canary passed' })).toMatchObject({ ts: '1.2' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'called Slack', level: 'debug', method: 'chat.postMessage', status: 200, durationMs: expect.any(Number) },
  ]);
  expect(lines.join('')).not.toMatch(/canary/i);
  expect(await errors()).toEqual([]);
});

test.each<[string, () => Response | Promise<Response>, string]>([
  ['an error in an answer', () => json({ ok: false, error: 'channel_not_found' }), 'channel_not_found'],
  ['a 429', () => json({ ok: false }, { status: 429, headers: { 'retry-after': '3' } }), 'ratelimited'],
  ['a page in place of an answer', () => new Response('<html>', { status: 502 }), 'http_502'],
  [
    'no answer at all',
    () =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
      ),
    'ECONNREFUSED',
  ],
  ['no answer in time', () => Promise.reject(new DOMException('late', 'TimeoutError')), 'timeout'],
])('%s is counted by method and code', async (_what, answer, code) => {
  const { client, errors, lines } = observing(answer);
  await expect(client.chat.postMessage({ channel: 'C1', text: 'x' })).rejects.toThrow();
  expect(await errors()).toEqual([{ method: 'chat.postMessage', code, value: 1 }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', method: 'chat.postMessage', code }]);
});

test('URLs for responses and files are observed by their purpose, and the number of different codes is limited', async () => {
  let count = 0;
  const { fetch, errors, lines } = observing(() => json({ ok: false, error: `code_${(count += 1)}` }));
  await fetch('https://hooks.slack.com/commands/T1/2/canary', { method: 'POST' });
  await fetch('https://files.slack.com/upload/v1/canary', { method: 'POST' });
  for (let call = 0; call < 300; call += 1) await fetch(`${apiUrl}chat.update`, { method: 'POST' });
  const told = await errors();
  expect(new Set(told.map((error) => 'method' in error && error.method))).toEqual(
    new Set(['response_url', 'upload', 'chat.update']),
  );
  expect(told.length).toBeLessThan(210);
  expect(lines.join('')).not.toContain('canary');
});

/** A Slack that returns these answers in order. */
function setUp(...answers: [status: number, retryAfter?: string][]) {
  const waits: number[] = [];
  let calls = 0;
  const fetch = createRateLimitFetch(
    async () => {
      const [status, retryAfter] = answers[Math.min(calls, answers.length - 1)]!;
      calls += 1;
      return new Response('', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
    },
    async (ms) => void waits.push(ms),
  );
  return { ask: async () => (await fetch('https://slack.test/api/x')).status, waits, calls: () => calls };
}

test('waits when Slack asks for one second', async () => {
  const { ask, waits } = setUp([429, '1'], [429, '2'], [200]);
  expect(await ask()).toBe(200);
  expect(waits).toEqual([1_000, 2_000]);
});

test('returns a 429 with a longer wait, with a repeated wait or without a time', async () => {
  for (const answers of [[[429, '3']], [[429]], [[429, 'soon']]] as [number, string?][][]) {
    const { ask, calls } = setUp(...answers);
    expect([await ask(), calls()]).toEqual([429, 1]);
  }
  const { ask, calls } = setUp([429, '1']);
  expect([await ask(), calls()]).toEqual([429, 3]);
});

test('returns other answers unchanged', async () => {
  const { ask, calls } = setUp([500, '1']);
  expect([await ask(), calls()]).toEqual([500, 1]);
});
