import { whoseAttemptAmong, type WhoseAttempt } from '../../../src/directory/whose-attempt.ts';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMissedRoute, createTurns, createWebhookRoute } from '../../../src/features/webhooks/route.ts';
import { createTakeEvent } from '../../../src/features/webhooks/take.ts';
import { createReadBody } from '../../../src/http/bodies.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { createHttpServer, fixedRoutes } from '../../../src/http/server.ts';
import { eventBody, sign, webhookSecret } from '../../support/event.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryInbox, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { queueEntry } from '../../support/builders/alerts.ts';
import { countedIn } from '../../support/measurements.ts';

const takenAt = Date.UTC(2026, 10, 2, 8);
const lacking = (problem: string, headers: string[] = []) => ({ tried: [{ scheme: 'body', problem }], headers });
const mebibyte = 1024 ** 2;

/** A body of so many bytes. */
function padded(bytes: number): string {
  const bare = eventBody({ padding: '' }).length;
  return eventBody({ padding: 'x'.repeat(bytes - bare) });
}

/** The route on a real server, over an inbox in memory. Every submission matches. */
async function setUp({
  secrets = [webhookSecret],
  allowsUnsigned = false,
  allBytes = 2 * 1024 ** 2,
  now = () => takenAt,
  whoseAttempt = async (): Promise<WhoseAttempt> => whoseAttemptAmong([]),
} = {}) {
  const inbox = createMemoryInbox();
  const take = vi.spyOn(inbox, 'take');
  const onTaken = vi.fn();
  const matcher = {
    match: async () => ({ teamId: 'T1', version: 1, entries: [queueEntry()] }),
    load: async () => ({ teamId: 'T1', version: 1, subscriptions: [] }),
  };
  const takeEvent = createTakeEvent({ inbox, outbox: createMemoryOutbox(), matcher, wake: onTaken });
  const { log, lines } = recordingLog(secrets);
  const counters = { took: vi.fn(), refused: vi.fn() };
  const metrics = createMetrics();
  const rule = {
    schemes: ['body'],
    secrets,
    allowsUnsigned,
    signatureHeader: 'X-Webhook-Signature',
    timestampHeader: 'X-Webhook-Timestamp',
    timeZone: 'UTC',
  } as const;
  const route = createWebhookRoute({
    rule,
    readBody: createReadBody({ eachBytes: 1024 ** 2, allBytes }),
    takeEvent,
    whoseAttempt,
    counters,
    log,
    metrics,
    now,
  });
  const server = createHttpServer(
    fixedRoutes({ '/': route, '/webhooks': createMissedRoute({ counters, metrics }) }),
    log,
    {
      requestTimeoutMs: 10_000,
      headersTimeoutMs: 10_000,
      checksEveryMs: 20,
    },
  );
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${port}/`;
  const send = (body: string | Buffer, headers: Record<string, string> = { 'x-webhook-signature': sign(body) }) =>
    fetch(url, { method: 'POST', body: body as string, headers });
  const outcomes = () => countedIn(metrics.webhooks);
  /** Says this on a connection of its own, and hands out what was answered when it is closed. */
  const say = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.write(text);
    const closed = new Promise<string>((resolve) => void socket.once('close', () => resolve(answer)));
    return { socket, answered: () => answer, closed };
  };
  /** The log lines without their time. */
  const logged = () =>
    lines.map((line): Record<string, unknown> => ({ ...(JSON.parse(line) as object), time: undefined }));
  return { url, send, say, kept: inbox.events, take, onTaken, counters, lines, logged, outcomes };
}

/** All that the sender reads of an answer. */
async function read(answer: Response) {
  const { status, headers } = answer;
  return {
    status,
    text: await answer.text(),
    type: headers.get('content-type'),
    length: headers.get('content-length'),
    allow: headers.get('allow'),
  };
}

function plainText(status: number, text: string, allow: string | null = null): AnswerRead {
  return { status, text, type: 'text/plain; charset=utf-8', length: String(text.length), allow };
}

type TestBed = Awaited<ReturnType<typeof setUp>>;
type AnswerRead = Awaited<ReturnType<typeof read>>;
type Refused = [answer: AnswerRead, outcome: string, counted?: unknown[], options?: Parameters<typeof setUp>[0]];

describe('POST /webhooks/quiz', () => {
  test('takes what is not signed as a hint where that is allowed', async () => {
    const { send, kept } = await setUp({ secrets: [], allowsUnsigned: true });
    expect((await send(eventBody(), {})).status).toBe(200);
    expect(kept).toEqual([
      expect.objectContaining({ subject: '', content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' } }),
    ]);
  });

  const malformed = (reason: string): [AnswerRead, string] => [plainText(400, `Refused: ${reason}.\n`), 'malformed'];
  const signed = (body: Buffer, headers: Record<string, string>) => ({ ...headers, 'x-webhook-signature': sign(body) });
  const zipped = gzipSync(eventBody());
  const wide = Buffer.from(eventBody(), 'utf16le');

  test.each<[what: string, send: (bed: TestBed) => Promise<Response>, ...Refused]>([
    [
      'another method',
      ({ url }) => fetch(url),
      plainText(405, 'Only POST is taken here.\n', 'POST'),
      'method',
      undefined,
    ],
    [
      'what is not signed',
      ({ send }) => send(eventBody(), {}),
      plainText(401, 'Refused: the signature is missing.\n'),
      'signature',
      ['the signature is missing', lacking('no X-Webhook-Signature header')],
    ],
    [
      'what is signed otherwise',
      ({ send }) => send(eventBody(), { 'x-webhook-signature': sign('something else') }),
      plainText(401, 'Refused: the signature does not match.\n'),
      'signature',
      ['the signature does not match', lacking('X-Webhook-Signature does not match', ['x-webhook-signature'])],
    ],
    ['no JSON', ({ send }) => send('{'), ...malformed('the body is not JSON'), ['malformed']],
    [
      'a compressed body, rightly signed',
      ({ send }) => send(zipped, signed(zipped, { 'content-encoding': 'gzip' })),
      ...malformed('the body is compressed, such as with gzip'),
      ['the body is compressed, such as with gzip'],
    ],
    [
      'a body in UTF-16, rightly signed',
      ({ send }) => send(wide, signed(wide, { 'content-type': 'application/json; charset=utf-16' })),
      ...malformed('the body is not in UTF-8 (charset)'),
      ['the body is not in UTF-8 (charset)'],
    ],
    [
      'a body over 1 MiB',
      ({ send }) => send(padded(mebibyte + 1)),
      plainText(413, 'The body is over 1 MiB.\n'),
      'too_large',
      ['the body is over 1 MiB'],
    ],
    [
      'more than all bodies together may have',
      ({ send }) => send(padded(mebibyte)),
      plainText(503, 'Too much at once. Send it again later.\n'),
      'no_room',
      ['too much came at once'],
      { allBytes: mebibyte - 1 },
    ],
  ])('refuses %s, says why and counts it', async (_, sendTo, answer, outcome, refused, options) => {
    const bed = await setUp(options);
    expect(await read(await sendTo(bed))).toEqual(answer);
    expect(await bed.outcomes()).toEqual({ [outcome]: 1 });
    expect(bed.counters.refused.mock.calls).toEqual(refused ? [refused] : []);
    expect(bed.take).not.toHaveBeenCalled();
    expect(bed.logged().map(({ level, reason, msg }) => [level, `Refused: ${String(reason)}.\n`, msg])).toEqual(
      outcome === 'malformed' ? [['warn', answer.text, 'webhook malformed']] : [],
    );
  });

  test('takes a body of 1 MiB', async () => {
    const { send } = await setUp();
    expect((await send(padded(mebibyte))).status).toBe(200);
  });

  test.each([
    ['413', 'the length', `X-Webhook-Signature: ${'0'.repeat(64)}\r\n`, 'over 1 MiB', 'the body is over 1 MiB'],
    ['401', 'that there is no signature', '', 'the signature is missing', 'the signature is missing'],
  ])('answers %s before it has read anything where the head tells %s', async (status, _, headers, text, reason) => {
    const { say, counters } = await setUp();
    const { socket, answered, closed } = say(
      `POST / HTTP/1.1\r\nHost: bot\r\n${headers}Content-Length: ${1024 ** 3}\r\n\r\n`,
    );
    await expect.poll(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*${text}`));
    expect(counters.refused.mock.calls.map(([counted]: string[]) => counted)).toEqual([reason]);
    socket.end();
    await closed;
  });

  test('tells the sender, the log and the counters that an event is taken, and known afterwards', async () => {
    const { send, outcomes, counters, logged, kept, onTaken } = await setUp();
    expect(await read(await send(eventBody({ event_id: 'e-1' })))).toEqual(plainText(200, 'Taken.\n'));
    expect(await read(await send(eventBody({ event_id: 'e-1' })))).toEqual(plainText(200, 'Known already.\n'));
    expect(await outcomes()).toEqual({ taken: 1, known: 1 });
    expect([kept.length, onTaken.mock.calls.length]).toEqual([1, 1]);
    expect(counters.took.mock.calls).toEqual([['taken'], ['known']]);
    expect(counters.refused).not.toHaveBeenCalled();
    expect(logged()).toMatchObject(
      ['taken', 'known'].map((result) => ({
        level: 'debug',
        event: 'e-1',
        response: 'q-1/r-e-1',
        result,
        msg: 'webhook taken',
      })),
    );
  });

  test('counts the names of the headers of a refused webhook, never their values, and few of them', async () => {
    const { send, counters, lines } = await setUp();
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-other-${n}`, 'value']));
    await send(eventBody(), {
      ...others,
      'x-hub-signature-256': 'sha256=hidden',
      'x-quiz-time': '170',
      [`x-${'long'.repeat(20)}-sign`]: 'value',
      'x-forwarded-for': '203.0.113.7',
    });
    const [[, refused]] = counters.refused.mock.calls as [[string, { headers: string[] }]];
    expect(refused.headers.slice(0, 2)).toEqual(['x-hub-signature-256', 'x-quiz-time']);
    expect(refused.headers).toHaveLength(8);
    expect(JSON.stringify([refused, lines])).not.toMatch(/hidden|value|170|203/);
  });

  test.each<[path: string, shown: string]>([
    ['webhooks/quizz?token=hidden', '/webhooks/quizz'],
    ['webhooks/Quiz_1.x/-%3Cb%3E!', '/webhooks/Quiz_1.x/-?3Cb?3E?'],
    [`webhooks/${'x'.repeat(200)}`, `/webhooks/${'x'.repeat(50)}`],
  ])('shows the address of what was meant for it: %s', async (path, shown) => {
    const { url, counters, outcomes } = await setUp();
    for (const method of ['POST', 'PUT']) {
      const { status, text } = await read(await fetch(url + path, { method }));
      expect([status, text]).toEqual([404, 'Webhooks are taken at /webhooks/quiz.\n']);
      // Nobody sends webhooks with another method.
      expect(counters.refused.mock.calls).toEqual([['the address is wrong', { tried: [], headers: [], path: shown }]]);
      expect(await outcomes()).toEqual({ address: 1 });
    }
  });

  test.each<[what: string, whoseAttempt: () => Promise<WhoseAttempt>, respondent: object | undefined]>([
    ['known', async () => () => 'u-1', { userId: 'u-1' }],
    ['not to be had', async () => Promise.reject(new Error('no answer')), undefined],
  ])('takes a submission while the users of the account are %s', async (_, whoseAttempt, respondent) => {
    const { send, kept } = await setUp({ whoseAttempt });
    expect((await send(eventBody())).status).toBe(200);
    expect(kept.map(({ content }) => content?.kind === 'submission' && content.respondent)).toEqual([respondent]);
  });

  test('neither repeats nor logs what is sent, however much it is', async () => {
    const { send, lines, kept } = await setUp();
    const flood = JSON.stringify(Array<number>(300_000).fill(0));
    const bodies = [
      eventBody({}, { registration_fields: 'FLOOD' }).replace('"FLOOD"', flood),
      eventBody({ event_id: 'e-2' }, { quiz_name: 'x'.repeat(900_000) }),
      `{"event_id": ${flood}`,
      eventBody({ event_id: 'x'.repeat(900_000) }, { response_id: 'r-1' }),
      eventBody({}, { response_id: 'x'.repeat(900_000) }),
      eventBody({ data: 'FLOOD' }).replace('"FLOOD"', flood),
    ];
    // One after the other: there is room for two at once.
    const answers: Awaited<ReturnType<typeof read>>[] = [];
    for (const body of bodies) answers.push(await read(await send(body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400, 400, 400]);
    for (const { text } of answers) expect(text.length).toBeLessThan(100);
    for (const line of lines) expect(line.length).toBeLessThan(1_000);
    expect(JSON.stringify(kept).length).toBeLessThan(5_000);
  });

  test('answers 500 where reading the event fails for another reason', async () => {
    const now = vi
      .fn(() => takenAt)
      .mockReturnValueOnce(takenAt)
      .mockReturnValueOnce(takenAt)
      .mockImplementationOnce(() => {
        throw new Error('the clock is broken');
      });
    const { send, outcomes, counters, take } = await setUp({ now });
    expect((await send(eventBody())).status).toBe(500);
    expect(await outcomes()).toEqual({});
    expect(counters.refused).not.toHaveBeenCalled();
    expect(take).not.toHaveBeenCalled();
  });

  test('asks for another delivery where the event could not be kept', async () => {
    const { send, take, outcomes, counters, logged, onTaken } = await setUp();
    take.mockRejectedValueOnce(new Error('the disk is full'));
    expect(await read(await send(eventBody({ event_id: 'e-1' })))).toEqual(
      plainText(503, 'The event could not be kept. Send it again later.\n'),
    );
    expect(await outcomes()).toEqual({ not_remembered: 1 });
    expect(counters.refused.mock.calls).toEqual([['it could not be kept']]);
    expect(counters.took).not.toHaveBeenCalled();
    expect(logged()).toMatchObject([
      { level: 'error', error: { message: 'the disk is full' }, event: 'e-1', msg: 'webhook could not be remembered' },
    ]);
    expect(onTaken).not.toHaveBeenCalled();
    expect((await send(eventBody({ event_id: 'e-1', delivery_attempt: 2 }))).status).toBe(200);
    expect(onTaken).toHaveBeenCalledOnce();
  });

  test('answers 413 to an endless body and closes the connection', async () => {
    const { say } = await setUp();
    const { socket, closed } = say(
      `POST / HTTP/1.1\r\nHost: bot\r\nX-Webhook-Signature: ${'0'.repeat(64)}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    let sentBytes = 0;
    const pour = () => {
      while (!socket.destroyed && sentBytes < 256 * 1024 ** 2) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', pour);
      }
    };
    pour();
    expect(await closed).toMatch(/^HTTP\/1\.1 413 /);
    expect(sentBytes).toBeLessThan(256 * 1024 ** 2);
  });

  test('keeps nothing of a delivery that is cut halfway, and goes on', async () => {
    const { say, send, outcomes, kept, lines } = await setUp();
    const body = eventBody();
    const { socket } = say(
      `POST / HTTP/1.1\r\nHost: bot\r\nX-Webhook-Signature: ${sign(body)}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 200)}`,
    );
    socket.end();
    socket.destroySoon();
    await expect.poll(outcomes).toEqual({ cut_off: 1 });
    expect(kept).toEqual([]);
    expect((await send(body)).status).toBe(200);
    expect(lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  });

  test('logs neither the respondent nor the signature', async () => {
    const { send, lines } = await setUp();
    await send(eventBody());
    await send(eventBody({}, { quiz_id: 'Rosa/..' }));
    await send(eventBody(), {});
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const personal of ['Rosa', 'Almeida', 'rosa@', '203.0.113.7', sign(eventBody())])
      expect(lines.join('')).not.toContain(personal);
  });
});

test('so many run at a time, the others in the order in which they came, and a failure gives its turn to the next', async () => {
  const takeTurn = createTurns(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const results = Array.from({ length: 5 }, async (_, number) =>
    takeTurn(async () => {
      begun.push(number);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return number;
    }),
  );
  const outcomes = Promise.allSettled(results);
  await expect.poll(() => begun).toEqual([0, 1]);
  ends[1]!.reject(new Error('it failed'));
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[0]!.resolve();
  ends[2]!.resolve();
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4]);
  for (const end of ends) end.resolve();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(await takeTurn(async () => 'free again')).toBe('free again');
});

test('what waited begins in a later turn of the event loop, after what others asked for meanwhile', async () => {
  const takeTurn = createTurns(1);
  const order: string[] = [];
  const first = takeTurn(async () => {
    order.push('first');
    setImmediate(() => order.push('another tenant'));
  });
  const second = takeTurn(async () => void order.push('second'));
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'another tenant', 'second']);
});
