import { expect, onTestFinished, test } from 'vitest';
import { createReadBody, createReadUnverified } from '../../src/http/bodies.ts';
import { createHttpServer, fixedRoutes } from '../../src/http/server.ts';
import { createHandTimers } from '../support/virtual-clock.ts';
import { recordingLog } from '../support/log.ts';
import { openConnection } from '../support/loopback.ts';

async function setUp() {
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
  const { begin, timers, late } = await setUp();
  const slow = await begin('ab');
  const quick = await begin('abcd');
  expect(await quick.closed).toContain('[abcd]');
  timers.fire(2_000);
  expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 /);
  expect([late(), timers.pending()]).toEqual([1, []]);
});

test('a body that arrived while the process was held up is read, however late', async () => {
  const { begin, timers, late } = await setUp();
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
  const { begin, late } = await setUp();
  const [first, second, third, fourth] = [await begin('a'), await begin('b'), await begin('c'), await begin('d')];
  expect(await first.closed).toMatch(/^HTTP\/1\.1 408 /);
  for (const connection of [second, third, fourth]) connection.say('xyz');
  expect(await second.closed).toContain('[bxyz]');
  expect(await third.closed).toContain('[cxyz]');
  expect(await fourth.closed).toContain('[dxyz]');
  expect(late()).toBe(1);
});

test('a body whose sender hangs up makes room', async () => {
  const { begin, timers, late } = await setUp();
  for (const body of ['a', 'b', 'c', 'd']) {
    const connection = await begin(body);
    connection.end();
    await connection.closed;
  }
  expect([late(), timers.pending()]).toEqual([0, []]);
});
