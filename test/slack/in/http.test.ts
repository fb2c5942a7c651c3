import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createReadBody } from '../../../src/http/bodies.ts';
import { createHttpServer, fixedRoutes } from '../../../src/http/server.ts';
import { slackLogger } from '../../../src/slack/connection/client.ts';
import { createHttpReceiver, type SlackRefusal } from '../../../src/slack/in/http.ts';
import { recordingLog } from '../../support/log.ts';
import { sendSigned, signingSecret } from '../../support/other-programs.ts';
import { openConnection, listenOnLoopback } from '../../support/loopback.ts';
import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { createSlackAdapter } from '../../../src/slack/connection/entry.ts';
import { createSocketMetrics } from '../../../src/slack/metrics.ts';
import { createInFlight } from '../../../src/time/timers.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { noProxies } from '../../support/closed-network.ts';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { createDeliver, type DeliverParts, type Take } from '../../../src/slack/in/deliver.ts';
import type { OwnWorkspace } from '../../../src/slack/people/people.ts';

const mebibyte = 1024 * 1024;
const nowS = () => Math.floor(Date.now() / 1000);
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const form = 'Content-Type: application/x-www-form-urlencoded';

async function setUp() {
  const { log, lines } = recordingLog();
  const refused: SlackRefusal[] = [];
  const readBody = vi.fn(createReadBody({ eachBytes: mebibyte, allBytes: 2 * mebibyte, uncountedBytes: 32 * 1024 }));
  const receiver = createHttpReceiver({
    signingSecret,
    readBody,
    isFull: () => false,
    deliver: async () => {},
    onRefused: (why) => refused.push(why),
    logger: slackLogger(log),
    now: Date.now,
  });
  const server = createHttpServer(fixedRoutes({ '/slack/events': receiver.handle }), log, { checksEveryMs: 20 });
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.close());
  /** Sends the head of a request and the beginning of its body. */
  const begin = (headers: readonly string[], body = '') =>
    openConnection(port, ['POST /slack/events HTTP/1.1', 'Host: bot', ...headers, '', body].join('\r\n'));
  return { url: `http://127.0.0.1:${port}`, begin, readBody, refused, lines };
}

const signed = (timestampS = nowS()) => [
  `X-Slack-Request-Timestamp: ${timestampS}`,
  `X-Slack-Signature: v0=${'0'.repeat(64)}`,
];

describe('a request to /slack/events', () => {
  test.each([
    ['no signature headers', [], 'unsigned'],
    ['no signature', [`X-Slack-Request-Timestamp: ${nowS()}`], 'unsigned'],
    ['no timestamp', [`X-Slack-Signature: v0=${'0'.repeat(64)}`], 'unsigned'],
    ['an old timestamp', signed(nowS() - 301), 'timestamp'],
    ['a timestamp of the future', signed(nowS() + 302), 'timestamp'],
    ['a timestamp that is none', [...signed().slice(1), 'X-Slack-Request-Timestamp: soon'], 'timestamp'],
  ] as const)('with %s is refused before its body is read', async (_, headers, why) => {
    const { begin, readBody, refused } = await setUp();
    const { answered } = begin([...headers, form, `Content-Length: ${mebibyte}`], 'x');
    await expect.poll(() => statusOf(answered())).toBe(401);
    expect(readBody).not.toHaveBeenCalled();
    expect(refused).toEqual([why]);
  });

  test('without a signature and in chunks is refused before its body is read', async () => {
    const { begin, readBody } = await setUp();
    const { answered } = begin([form, 'Transfer-Encoding: chunked'], '1\r\nx\r\n');
    await expect.poll(() => statusOf(answered())).toBe(401);
    expect(readBody).not.toHaveBeenCalled();
  });

  test('that checks the certificate is answered without a signature', async () => {
    const { url, refused } = await setUp();
    const body = new URLSearchParams({ ssl_check: '1', token: 't' });
    expect((await fetch(`${url}/slack/events`, { method: 'POST', body })).status).toBe(200);
    expect(
      (await fetch(`${url}/slack/events`, { method: 'POST', body: new URLSearchParams({ ssl_check: '0' }) })).status,
    ).toBe(401);
    expect(refused).toEqual(['unsigned']);
  });

  test('that is refused for its signature or its size is counted, and logs no line of its own', async () => {
    const { url, begin, refused, lines } = await setUp();
    expect((await sendSigned(url, 'command=%2Fquiz', nowS(), 'another secret')).status).toBe(401);
    const { answered } = begin([...signed(), form, `Content-Length: ${2 * mebibyte}`]);
    await expect.poll(() => statusOf(answered())).toBe(413);
    expect(refused).toEqual(['signature', 'too_large']);
    expect(lines).toEqual([]);
  });

  test('is read while large bodies fill the memory', async () => {
    const { url, begin, refused } = await setUp();
    const held = Array.from({ length: 4 }, () =>
      begin([...signed(), form, `Content-Length: ${mebibyte}`], 'x'.repeat(mebibyte - 10)),
    );
    await expect.poll(() => held.map(({ answered }) => statusOf(answered()))).toContain(503);
    expect(refused).toContain('no_room');
    const challenge = JSON.stringify({ type: 'url_verification', challenge: 'c', padding: 'x'.repeat(20_000) });
    expect((await sendSigned(url, new URLSearchParams({ payload: challenge }).toString(), nowS())).status).toBe(200);
  });
});

function openEdge({ appToken, isFull }: { appToken?: string; isFull: () => boolean }) {
  const { log, lines } = recordingLog();
  const slackAdapter = createSlackAdapter({
    signingSecret,
    appToken,
    apiUrl: 'http://127.0.0.1:9/api/',
    deliver: async ({ ack }) => ack('here'),
    unacknowledged: createInFlight(),
    logger: slackLogger(log),
    socketMode: {
      fetch,
      proxies: noProxies,
      attemptLogger: slackLogger(log),
      createMetrics: () => createSocketMetrics(new Registry()),
    },
    log,
    clock: systemClock,
    readBody: createReadBody({ eachBytes: 1_000, allBytes: 1_000 }),
    isFull,
    onRefused: (why) => expect.fail(why),
  });
  return { slackAdapter, lines };
}

const body = { command: '/quiz', text: '', team_id: 'T1', user_id: 'U1', channel_id: 'C1' };

async function ask(isFull: boolean) {
  const { slackAdapter, lines } = openEdge({ isFull: () => isFull });
  const server = createServer((request, response) => void slackAdapter.http!.handle(request, response));
  onTestFinished(() => void server.close());
  const response = await sendSigned(
    await listenOnLoopback(server),
    new URLSearchParams(body).toString(),
    Math.floor(Date.now() / 1000),
  );
  return { status: response.status, said: await response.text(), lines };
}

test('over HTTP, events over the limit are refused with 503 and logged', async () => {
  expect(await ask(false)).toMatchObject({ status: 200, said: 'here' });
  const refused = await ask(true);
  expect(refused).toMatchObject({ status: 503, said: '' });
  expect(refused.lines.join('')).toContain('too much is being worked on');
});

/** Delivers a payload, by default a command from the workspace T2. */
function knock(
  ownWorkspace: () => Promise<OwnWorkspace | undefined>,
  payload: object = { command: '/quiz', team_id: 'T2', user_id: 'U2' },
) {
  const audited: [string, AuditEntry][] = [];
  const take = vi.fn<Take>(async () => {});
  const deliver = createDeliver(
    {
      ownWorkspace,
      audit: async (...entry: [string, AuditEntry]) => void audited.push(entry),
      outgoingTexts: { inAcknowledgement: async (answer: unknown) => answer },
      unacknowledged: createInFlight(),
      inFlight: createInFlight(),
      metrics: { acknowledgements: { observe: () => {} } },
      onError: (error: unknown) => expect.fail(String(error)),
      clock: { now: () => 1, setTimer: () => () => {} },
      log: recordingLog().log,
    } as unknown as DeliverParts,
    take,
  );
  return { passed: deliver({ body: payload, ack: () => {} }), take, audited };
}

const own = (teamId: string, enterpriseId?: string): OwnWorkspace => ({ teamId, enterpriseId });

test('an event waits until the workspace of the bot is known', async () => {
  const { promise, resolve } = Promise.withResolvers<OwnWorkspace>();
  const { passed, take, audited } = knock(() => promise);
  resolve(own('T1'));
  await passed;
  expect(take).not.toHaveBeenCalled();
  expect(audited).toMatchObject([['T1', { by: 'U2', operation: 'enter', action: 'refused' }]]);
});

test.each([
  ['from the workspace of the bot', own('T2'), undefined],
  ['while Slack does not name the workspace of the bot', undefined, undefined],
  [
    'from another workspace of its organization',
    own('T1', 'E1'),
    { team: { id: 'T2' }, enterprise: { id: 'E1' }, user: { id: 'U2', team_id: 'T2' } },
  ],
  [
    'without a workspace, from its organization',
    own('E1', 'E1'),
    { team: null, enterprise: { id: 'E1' }, user: { id: 'U2', team_id: 'T2' } },
  ],
  ['of a command in its organization', own('E1', 'E1'), { team_id: 'T2', enterprise_id: 'E1', user_id: 'U2' }],
  ['that names only the workspace of the person', own('T2'), { team: null, user: { id: 'U2', team_id: 'T2' } }],
])('accepts a payload %s', async (_, ownWorkspace, payload) => {
  const { passed, take, audited } = knock(async () => ownWorkspace, payload);
  await passed;
  expect(take).toHaveBeenCalledOnce();
  expect(audited).toEqual([]);
  expect(take.mock.calls[0]?.[1]).toBe(ownWorkspace?.teamId ?? 'T2');
});

test.each([
  ['of another organization', { team: { id: 'T2' }, enterprise: { id: 'E2' }, user: { id: 'U2' } }],
  [
    'that names only the foreign workspace of the person',
    { team: null, enterprise: null, user: { id: 'U2', team_id: 'T2' } },
  ],
])('refuses a payload %s', async (_, payload) => {
  const { passed, take } = knock(async () => own('T1', 'E1'), payload);
  await passed;
  expect(take).not.toHaveBeenCalled();
});
