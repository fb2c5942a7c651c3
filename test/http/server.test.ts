import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReadBody, createReadUnverified, refuseBody } from '../../src/http/bodies.ts';
import { createHttpServer, fixedRoutes, onlyGet } from '../../src/http/server.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
import { recordingLog } from '../support/log.ts';
import { openConnection } from '../support/loopback.ts';
import { proxyOf } from '../../src/http/outbound.ts';

const mebibyte = 1024 * 1024;

/** A server that says what was posted to it, and that knows one page. */
async function setUp(limits: Parameters<typeof createHttpServer>[2] = {}) {
  const { log, lines } = recordingLog();
  const readBody = createReadBody({ eachBytes: mebibyte, allBytes: 2 * mebibyte });
  const server = createHttpServer(
    fixedRoutes({
      '/echo': async (request, response) => {
        const body = await readBody(request, response);
        if (typeof body === 'string') return refuseBody(request, response, body === 'too large' ? 413 : 503);
        response.end(`[${body.toString()}]`);
      },
      '/page': onlyGet((_request, response) => void response.end('the page')),
      '/fails': () => {
        throw new Error('a secret of the inside');
      },
    }),
    log,
    { checksEveryMs: 20, ...limits },
  );
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.close());
  const open = (text = '') => openConnection(port, text);
  /** Sends one request on a connection of its own. @returns the whole answer */
  const ask = (firstLine: string, headers: readonly string[] = [], body = '') =>
    open([`${firstLine} HTTP/1.1`, 'Host: bot', 'Connection: close', ...headers, '', body].join('\r\n')).closed;
  return { server, open, ask, lines };
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

describe('what is asked for', () => {
  test.each([
    ['GET /page', 200],
    ['HEAD /page', 200],
    ['GET /page?query=1', 200],
    ['GET http://anywhere.example/page', 200],
    ['GET HTTP://anywhere.example/page?x', 200],
    ['POST /page', 405],
    ['DELETE /page', 405],
    ['GET /', 404],
    ['GET //page', 404],
    ['GET /page/', 200],
    ['GET /page//?query', 200],
    ['GET /%70age', 404],
    ['GET /../page', 404],
    ['GET /__proto__', 404],
    ['GET /constructor', 404],
    ['GET http://', 404],
    ['GET http://[', 404],
    ['OPTIONS *', 404],
    ['PROPFIND /nothing', 404],
    ['BREW /page', 400],
    ['GET page', 400],
    ['GET /pa\u0000ge', 400],
    ['GET /page HTTP/9.9', 400],
  ])('%s is answered with %i', async (firstLine, status) => {
    const { ask } = await setUp();
    expect(statusOf(await ask(firstLine))).toBe(status);
  });

  test('a tunnel is not opened', async () => {
    const { open } = await setUp();
    expect(await open('CONNECT page.example:443 HTTP/1.1\r\nHost: page.example\r\n\r\n').closed).not.toContain('200');
  });

  test('an upgrade is not made: the request is answered as it would be without', async () => {
    const { ask } = await setUp();
    const answer = await ask('GET /page', ['Connection: Upgrade', 'Upgrade: websocket']);
    expect(statusOf(answer)).toBe(200);
  });

  test('HTTP/1.0 is answered, and its connection closed', async () => {
    const { open } = await setUp();
    expect(await open('GET /page HTTP/1.0\r\n\r\n').closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*the page$/);
  });

  test('HTTP/1.1 without a host is refused', async () => {
    const { open } = await setUp();
    expect(statusOf(await open('GET /page HTTP/1.1\r\n\r\n').closed)).toBe(400);
  });

  test('what is no HTTP is refused', async () => {
    const { open } = await setUp();
    for (const noise of ['hello\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000', '{"json":true}\n'])
      expect(statusOf(await open(noise).closed)).toBe(400);
  });

  test('many requests at once on one connection are answered in their order', async () => {
    const { open } = await setUp();
    const numbers = Array.from({ length: 300 }, (_, index) => `${index}`);
    const requests = numbers.map(
      (body) => `POST /echo HTTP/1.1\r\nHost: bot\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { say, closed } = open(requests.join(''));
    say('GET /page HTTP/1.1\r\nHost: bot\r\nConnection: close\r\n\r\n');
    expect([...(await closed).matchAll(/\[(\d+)\]/g)].map(([, number]) => number)).toEqual(numbers);
  });
});

describe('what could be read in two ways is refused', () => {
  const inner = 'GET /page HTTP/1.1\r\nHost: bot\r\n\r\n';
  test.each([
    ['a length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${inner}`],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 6'], `0\r\n\r\n${inner}`],
    ['two lengths', ['Content-Length: 0', `Content-Length: ${inner.length}`], inner],
    ['a list of lengths', [`Content-Length: 0, ${inner.length}`], inner],
    ['a length with a sign', ['Content-Length: +4'], 'abcd'],
    ['a length below zero', ['Content-Length: -1'], ''],
    ['a length in hex', ['Content-Length: 0x4'], 'abcd'],
    ['an encoding behind a space', ['Transfer-Encoding : chunked'], `0\r\n\r\n${inner}`],
    ['an encoding nobody knows', ['Transfer-Encoding: chunkedx'], `0\r\n\r\n${inner}`],
    ['an encoding after chunked', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${inner}`],
    ['a folded header', ['X-One: 1', ' Transfer-Encoding: chunked'], ''],
    ['a chunk of a wrong length', ['Transfer-Encoding: chunked'], `1\r\nabcdef\r\n0\r\n\r\n`],
    ['a chunk whose length is none', ['Transfer-Encoding: chunked'], `zz\r\n\r\n0\r\n\r\n`],
    ['a bare line feed in the head', ['X-One: 1\nContent-Length: 4'], 'abcd'],
    ['a header without a name', [': value'], ''],
  ])('%s', async (_, headers, body) => {
    const { ask } = await setUp();
    const answer = await ask('POST /echo', headers, body);
    expect(statusOf(answer)).toBe(400);
    expect(answer).not.toContain('the page');
  });
});

describe('sizes', () => {
  test('headers over 16 KiB are refused', async () => {
    const { ask } = await setUp();
    expect(statusOf(await ask('GET /page', [`X-Large: ${'x'.repeat(20_000)}`]))).toBe(431);
    expect(statusOf(await ask(`GET /page?${'x'.repeat(20_000)}`))).toBe(431);
  });

  test('more than 100 headers are refused, and 100 are not', async () => {
    const { ask } = await setUp();
    const headers = (count: number) => Array.from({ length: count - 2 }, (_, index) => `X-${index}: 1`);
    expect(statusOf(await ask('GET /page', headers(100)))).toBe(200);
    expect(statusOf(await ask('GET /page', headers(101)))).toBe(431);
    expect(statusOf(await ask('GET /page', headers(2_000)))).toBe(431);
  });

  test.each([
    ['GET /page', 200],
    ['GET /nothing', 404],
    ['POST /nothing', 404],
    ['POST /page', 405],
  ])('of a body that nobody wants nothing is read: %s', async (firstLine, status) => {
    const { open } = await setUp();
    for (const framing of [`Content-Length: ${1024 * mebibyte}`, 'Transfer-Encoding: chunked']) {
      const answer = await open(`${firstLine} HTTP/1.1\r\nHost: bot\r\n${framing}\r\n\r\n`).closed;
      expect(statusOf(answer)).toBe(status);
      expect(answer).toContain('Connection: close');
    }
  });

  test('who asks before sending a body is told to go on, or that it is too large', async () => {
    const { open } = await setUp();
    const head = (bytes: number) =>
      `POST /echo HTTP/1.1\r\nHost: bot\r\nConnection: close\r\nContent-Length: ${bytes}\r\nExpect: 100-continue\r\n\r\n`;
    const fitting = open(head(5));
    await expect.poll(() => fitting.answered()).toMatch(/^HTTP\/1\.1 100 /);
    fitting.say('hello');
    expect(await fitting.closed).toContain('[hello]');
    const tooLarge = open(head(2 * mebibyte));
    await expect.poll(() => statusOf(tooLarge.answered())).toBe(413);
    tooLarge.end();
    expect(await tooLarge.closed).not.toContain(' 100 ');
  });

  test('an expectation that is none is refused', async () => {
    const { ask } = await setUp();
    expect(statusOf(await ask('POST /echo', ['Expect: money', 'Content-Length: 0']))).toBe(417);
  });

  test('the total size of bodies in memory is limited over all connections, and finished bodies free space', async () => {
    const { open, ask } = await setUp();
    const almost = 'x'.repeat(mebibyte - 10);
    const holding = [1, 2].map(() =>
      open(`POST /echo HTTP/1.1\r\nHost: bot\r\nContent-Length: ${mebibyte}\r\n\r\n${almost}`),
    );
    await expect
      .poll(async () => statusOf(await ask('POST /echo', ['Content-Length: 1000'], 'y'.repeat(1_000))))
      .toBe(503);
    for (const { say } of holding) say('z'.repeat(10));
    for (const { answered } of holding) await expect.poll(answered).toContain('zzz]');
    expect(statusOf(await ask('POST /echo', ['Content-Length: 1000'], 'y'.repeat(1_000)))).toBe(200);
  });

  test('a body that was cut off is held no more', async () => {
    const { open, ask } = await setUp({ requestTimeoutMs: 100, headersTimeoutMs: 100 });
    const almost = 'x'.repeat(mebibyte - 10);
    const slow = [1, 2].map(() =>
      open(`POST /echo HTTP/1.1\r\nHost: bot\r\nContent-Length: ${mebibyte}\r\n\r\n${almost}`),
    );
    for (const answer of await Promise.all(slow.map(({ closed }) => closed))) expect(statusOf(answer)).toBe(408);
    expect(statusOf(await ask('POST /echo', ['Content-Length: 1000'], 'y'.repeat(1_000)))).toBe(200);
  });
});

describe('slow ones are cut off', () => {
  const hasty = { headersTimeoutMs: 100, requestTimeoutMs: 150 };

  test.each([
    ['a connection that says nothing', ''],
    ['a first line that does not end', 'GET /pa'],
    ['a head that does not end', 'GET /page HTTP/1.1\r\nHost: bot\r\nX-One: '],
    ['a body that does not end', 'POST /echo HTTP/1.1\r\nHost: bot\r\nContent-Length: 10\r\n\r\nabc'],
    [
      'a chunk that does not come',
      'POST /echo HTTP/1.1\r\nHost: bot\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    ],
  ])('%s', async (_, beginning) => {
    const { open } = await setUp(hasty);
    expect(statusOf(await open(beginning).closed)).toBe(408);
  });

  test('a header that arrives one letter at a time', async () => {
    const { open } = await setUp(hasty);
    const connection = open('GET /page HTTP/1.1\r\nX-One: ');
    const drip = setInterval(() => connection.say('x'), 10);
    onTestFinished(() => clearInterval(drip));
    expect(statusOf(await connection.closed)).toBe(408);
  });

  test('who does not read the answer', async () => {
    const { log } = recordingLog();
    let isCut = false;
    const endless = createHttpServer(
      fixedRoutes({
        '/': (_request, response) => {
          response.once('close', () => (isCut = true));
          response.write(Buffer.alloc(64 * mebibyte));
        },
      }),
      log,
      { silenceTimeoutMs: 100 },
    );
    const port = await endless.listen(0, '127.0.0.1');
    onTestFinished(() => endless.close());
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: bot\r\n\r\n');
    await expect.poll(() => isCut).toBe(true);
  });

  test('a connection without requests, but not before a load balancer would close it', async () => {
    const { open } = await setUp({ keepAliveMs: 100 });
    expect(await open('GET /page HTTP/1.1\r\nHost: bot\r\n\r\n').closed).toContain('the page');
    const { open: openStandard } = await setUp();
    const kept = openStandard('GET /page HTTP/1.1\r\nHost: bot\r\n\r\n');
    await expect.poll(() => kept.answered()).toContain('the page');
    expect(Number(/Keep-Alive: timeout=(\d+)/i.exec(kept.answered())?.[1])).toBeGreaterThan(60);
  });

  test('a connection over the limit is refused, and idle connections make room', async () => {
    const { open, ask } = await setUp({ connections: 3 });
    const idle = [1, 2, 3].map(() => open('GET /page HTTP/1.1\r\nHost: bot\r\n\r\n'));
    for (const { answered } of idle) await expect.poll(answered).toContain('the page');
    expect(await open().closed).toBe('');
    await Promise.all(idle.map(({ closed }) => closed));
    expect(statusOf(await ask('GET /page'))).toBe(200);
  });
});

describe('what an answer tells', () => {
  test('neither the software and its version nor the cause of an internal error', async () => {
    const { ask, lines } = await setUp();
    for (const [firstLine, status] of [
      ['GET /page', 200],
      ['GET /fails', 500],
      ['GET /nothing', 404],
      ['BREW /', 400],
    ] as const) {
      const answer = await ask(firstLine);
      expect(statusOf(answer)).toBe(status);
      expect(answer).not.toMatch(/^(?:server|x-powered-by|via):|node|invigilator|secret|\bat \S+:\d+/im);
    }
    expect(lines.filter((line) => line.includes('a secret of the inside'))).toHaveLength(1);
  });
});

describe('closing', () => {
  test('what was taken is answered, the connection closed with it, and nothing new is taken', async () => {
    const { server, open } = await setUp();
    const connection = open('POST /echo HTTP/1.1\r\nHost: bot\r\nContent-Length: 5\r\n\r\nhel');
    const idle = open('GET /page HTTP/1.1\r\nHost: bot\r\n\r\n');
    await expect.poll(() => idle.answered()).toContain('the page');
    const closed = server.close();
    await idle.closed;
    connection.say('lo');
    expect(await connection.closed).toContain('[hello]');
    await closed;
  });
});

test('a handler that fails is a 500, told under the reference of its work, without what stands behind the path', async () => {
  const { log, lines } = recordingLog();
  const fail = () => Promise.reject(new Error('broken'));
  const server = createHttpServer(fixedRoutes({ '/plain': fail, '/work': { handle: fail, from: 'webhook' } }), log);
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  onTestFinished(() => server.close());
  const statuses = await Promise.all(
    ['/work?name=canary', '/plain', '/nowhere'].map(async (path) => (await fetch(url + path)).status),
  );
  expect(statuses).toEqual([500, 500, 404]);
  const told = lines.map((line) => JSON.parse(line));
  expect(told).toHaveLength(2);
  expect(told.find((line) => line.url === '/work')).toMatchObject({
    correlationId: expect.stringMatching(/^[0-9a-f]{8}$/),
    from: 'webhook',
    msg: 'request failed',
    error: { message: 'broken' },
  });
  expect(told.find((line) => line.url === '/plain')).not.toHaveProperty('correlationId');
  expect(lines.join('')).not.toContain('canary');
});

/** A server that reads what nobody has verified. */
async function setUpUnverified() {
  const timers = createHandTimers();
  let late = 0;
  const readUnverified = createReadUnverified({
    readBody: createReadBody({ eachBytes: 1024, allBytes: 4096 }),
    onLate: () => (late += 1),
    setTimer: timers.setTimer,
    perSender: 3,
  });
  const began: (() => void)[] = [];
  const server = createHttpServer(
    fixedRoutes({
      '/in': async (request, response) => {
        const reading = readUnverified(request, response);
        began.shift()?.();
        const body = await reading;
        if (typeof body !== 'string') response.end(`[${body.toString()}]`);
      },
    }),
    recordingLog().log,
  );
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.close());
  /** Resolves when the server reads the body. */
  const begin = async (body: string) => {
    const reading = new Promise<void>((resolve) => began.push(resolve));
    const head = ['POST /in HTTP/1.1', 'Host: bot', 'Connection: close', 'Content-Length: 4'];
    const connection = openConnection(port, [...head, '', body].join('\r\n'));
    await reading;
    return connection;
  };
  return { begin, timers, late: () => late };
}

test('a body that is not complete after 2 seconds is ended, and one that is complete has its answer', async () => {
  const { begin, timers, late } = await setUpUnverified();
  const slow = await begin('ab');
  const quick = await begin('abcd');
  expect(await quick.closed).toContain('[abcd]');
  timers.fire(2_000);
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 /);
  expect([late(), timers.pending()]).toEqual([1, []]);
});

test('a body that arrived while the process was held up is read, however late', async () => {
  const { begin, timers, late } = await setUpUnverified();
  const held = await begin('ab');
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      held.say('cd');
      timers.fire(2_000);
      resolve();
    }, 0);
  });
  expect(await held.closed).toContain('[abcd]');
  expect([late(), timers.pending()]).toEqual([0, []]);
});

test('one body more than the room of an address holds ends the oldest, and the others can be completed', async () => {
  const { begin, late } = await setUpUnverified();
  const [first, second, third, fourth] = [await begin('a'), await begin('b'), await begin('c'), await begin('d')];
  expect(await first.closed).toMatch(/^HTTP\/1\.1 408 /);
  for (const connection of [second, third, fourth]) connection.say('xyz');
  expect(await second.closed).toContain('[bxyz]');
  expect(await third.closed).toContain('[cxyz]');
  expect(await fourth.closed).toContain('[dxyz]');
  expect(late()).toBe(1);
});

test('a body whose sender hangs up makes room', async () => {
  const { begin, timers, late } = await setUpUnverified();
  for (const body of ['a', 'b', 'c', 'd']) {
    const connection = await begin(body);
    connection.end();
    await connection.closed;
  }
  expect([late(), timers.pending()]).toEqual([0, []]);
});

const [https, http] = ['http://secure.proxy:1', 'http://plain.proxy:2'];

test.each([
  ['https://slack.com/api/', [], https],
  ['wss://wss-primary.slack.com/link', [], https],
  ['http://traces.example:4318', [], http],
  ['http://localhost:3000', [], undefined],
  ['https://127.0.0.2', [], undefined],
  ['http://[::1]:3000', [], undefined],
  ['https://slack.com', ['slack.com'], undefined],
  ['https://hooks.Slack.com', ['SLACK.com'], undefined],
  ['https://hooks.slack.com', ['.slack.com'], undefined],
  ['https://hooks.slack.com', ['*.slack.com'], undefined],
  ['https://notslack.com', ['slack.com'], https],
  ['https://slack.com.evil.example', ['slack.com'], https],
  ['https://quiz.example', ['quiz.example:443'], undefined],
  ['https://quiz.example', ['quiz.example:8443'], https],
  ['https://quiz.example:8443', ['quiz.example:8443'], undefined],
  ['https://[fd00::1]', ['[fd00::1]'], undefined],
  ['https://quiz.example', ['*'], undefined],
  ['https://quiz.example', ['other.example', 'quiz.example'], undefined],
])('%s leads, except to %j, through %s', (address, except, proxy) => {
  expect(proxyOf(address, { https, http, except })).toBe(proxy);
});
