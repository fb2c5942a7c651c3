import { section } from '../../../src/slack/views/blocks/message.ts';
import { isDeepStrictEqual } from 'node:util';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebClient } from '@slack/web-api';
import { readDelivery } from '../../../src/slack/in/delivery.ts';
import { createAnswerAt, createReply } from '../../../src/slack/in/reply.ts';

const waits: number[] = [];
const answerAt = createAnswerAt(
  (url, init) => fetch(url, init),
  async (ms) => void waits.push(ms),
  'https://slack.test/api/',
);
const slack = 'https://hooks.slack.test';
const place = { responseUrl: `${slack}/commands/1`, replacesOriginal: false };
const rich = { text: 'Results', blocks: [section('rich')], plain: [section('plain')] };
const privately = { response_type: 'ephemeral', replace_original: false };
const content =
  (blocks: unknown, more: object = privately) =>
  (body: unknown) =>
    isDeepStrictEqual(body, { text: 'Results', blocks, ...more });

beforeAll(() => {
  if (!nock.isActive()) nock.activate();
});
afterAll(() => nock.restore());
beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

test('posts an answer once if Slack accepts it', async () => {
  nock(slack).post('/commands/1', content(rich.blocks)).reply(200, 'ok');
  await answerAt(place, rich);
  nock(slack)
    .post('/commands/1', content(rich.blocks, { ...privately, replace_original: true }))
    .reply(200, { ok: true });
  await answerAt({ ...place, replacesOriginal: true }, rich);
  expect(nock.isDone()).toBe(true);
});

test.each<[string, Partial<Parameters<typeof answerAt>[0]>, object]>([
  ['in its thread', { threadTs: '1.2' }, { ...privately, thread_ts: '1.2' }],
  ['privately beside a public message', { isOriginalPublic: true }, privately],
  [
    'publicly in place of a public message',
    { isOriginalPublic: true, replacesOriginal: true },
    { response_type: 'in_channel', replace_original: true },
  ],
])('declares that an answer is %s', async (_, where, declared) => {
  nock(slack).post('/commands/1', content(rich.blocks, declared)).reply(200, 'ok');
  await answerAt({ ...place, ...where }, rich);
  expect(nock.isDone()).toBe(true);
});

test.each<[string, number, string | object]>([
  ['in a bare body', 400, 'invalid_blocks'],
  ['as JSON', 400, { ok: false, error: 'invalid_blocks' }],
  ['as JSON with a status of success', 200, { ok: false, error: 'invalid_blocks' }],
])('posts the plain blocks after a refusal of blocks %s', async (_, status, body) => {
  nock(slack).post('/commands/1', content(rich.blocks)).reply(status, body);
  nock(slack).post('/commands/1', content(rich.plain)).reply(200, 'ok');
  await answerAt(place, rich);
  expect(nock.isDone()).toBe(true);
});

test('throws and does not retry after a refusal for another reason', async () => {
  nock(slack).post('/commands/1').reply(404, { ok: false, error: 'expired_url' });
  await expect(answerAt(place, rich)).rejects.toThrow('expired_url');
});

test('does not send a plain message twice', async () => {
  nock(slack).post('/commands/1').reply(400, 'invalid_blocks');
  await expect(answerAt(place, { text: 'x', blocks: rich.blocks })).rejects.toThrow('invalid_blocks');
});

test('retries if the connection fails, but not if the answer may have arrived', async () => {
  nock(slack).post('/commands/1').times(2).replyWithError('ECONNRESET');
  nock(slack).post('/commands/1', content(rich.blocks)).reply(200, 'ok');
  await answerAt(place, rich);
  expect(waits.splice(0)).toEqual([1_000, 4_000]);
  const answers = createAnswerAt(
    async () => Promise.reject(new DOMException('too late', 'TimeoutError')),
    async (ms) => void waits.push(ms),
    'https://slack.test/api/',
  );
  await expect(answers(place, rich)).rejects.toThrow('too late');
  expect(waits).toEqual([]);
});

test.each([
  'https://elsewhere.test/commands/1',
  'https://hooks.slack.test.elsewhere/1',
  'http://hooks.slack.test/1',
  'x',
])('sends nothing to %s, which is not Slack’s', async (responseUrl) => {
  await expect(answerAt({ ...place, responseUrl }, rich)).rejects.toThrow('not on Slack’s hosts');
});

test.each([
  ['keeps an answer to a direct message', {}, 'chat.postMessage'],
  ['does not keep one with a secret', { isSecret: true } as const, 'chat.postEphemeral'],
])('Slack %s', async (_, kind, method) => {
  nock('https://slack.test')
    .post(`/api/${method}`, /channel=D1/)
    .reply(200, { ok: true });
  const parts = {
    client: new WebClient('xoxb-test', { slackApiUrl: 'https://slack.test/api/', retryConfig: { retries: 0 } }),
    answerAt,
    openDirectMessages: Object.assign(async () => 'D1', { knows: async () => true }),
    sleep: async () => {},
    logAndExplain: String,
  };
  const event = { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', text: 'token', ts: '1.1' };
  const reply = createReply(parts, readDelivery({ type: 'event_callback', team_id: 'T1', event }), 'T1');
  await reply.show({ ...rich, ...kind });
  expect(nock.isDone()).toBe(true);
});
