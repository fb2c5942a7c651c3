import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { manualClock } from '../../../../src/sandbox/workspace/clock.ts';
import { people } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { appToken, openWorkspace } from '../support/bolt-bot.ts';
import { call } from '../support/web-api.ts';

const clock = manualClock(1_790_000_000_000);
let workspace: Workspace;
let received: Record<string, unknown>[];
let pings: number;

beforeEach(async () => {
  workspace = await openWorkspace({ clock, strictness: { rateLimits: false } });
  received = [];
  pings = 0;
});

afterEach(() => workspace.close());

async function socketUrl(): Promise<string> {
  return String((await call(workspace, 'apps.connections.open', {}, appToken)).answer['url']);
}

/** Connects as an app does. Acknowledges envelopes by default. */
async function connect(
  acknowledge: (envelope: Record<string, unknown>) => object | undefined = () => ({}),
): Promise<WebSocket> {
  const socket = new WebSocket(await socketUrl());
  const { promise, resolve } = Promise.withResolvers<WebSocket>();
  socket.on('ping', () => (pings += 1));
  socket.on('message', (data: Buffer) => {
    const envelope: Record<string, unknown> = JSON.parse(data.toString());
    received.push(envelope);
    if (envelope['type'] === 'hello') resolve(socket);
    const payload = envelope['envelope_id'] === undefined ? undefined : acknowledge(envelope);
    if (payload !== undefined) socket.send(JSON.stringify({ envelope_id: envelope['envelope_id'], payload }));
  });
  return promise;
}

it('each envelope reaches exactly one socket', async () => {
  await connect();
  await connect();
  for (let index = 0; index < 4; index += 1) await workspace.as(people.ada.id).command('/quiz list');
  const envelopes = received.filter((envelope) => envelope['type'] === 'slash_commands');
  expect(envelopes).toHaveLength(4);
  expect(envelopes[0]).toMatchObject({ accepts_response_payload: true, payload: { command: '/quiz', text: 'list' } });
});

it('a URL opens one socket, once', async () => {
  const url = await socketUrl();
  const first = new WebSocket(url);
  await new Promise((resolve) => first.once('open', resolve));
  const second = new WebSocket(url);
  const error = await new Promise<Error>((resolve) => second.once('error', resolve));
  expect(error.message).toContain('401');
});

it('the workspace accepts ten sockets and rejects the eleventh', async () => {
  for (let index = 0; index < 10; index += 1) await connect();
  expect(workspace.sockets).toBe(10);
  expect((await call(workspace, 'apps.connections.open', {}, appToken)).answer).toMatchObject({
    ok: false,
    error: 'too_many_websockets',
  });
});

it('an envelope without an acknowledgement within 3 s times out', async () => {
  await connect(() => undefined);
  const outcome = workspace.as(people.ada.id).command('/quiz list');
  await workspace.until(() => workspace.deliveries.length > 0);
  clock.advance(3000);
  expect(await outcome).toMatchObject({ error: 'operation_timeout' });
});

it('a dropped socket disappears at once, and its events are retried over the next socket', async () => {
  const socket = await connect(() => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const opened = workspace.as(people.ada.id).openHome();
  await workspace.until(() => workspace.deliveries.length > 0);
  workspace.faults.dropSockets();
  await Promise.all([closed, opened, workspace.until(() => workspace.sockets === 0)]);
  expect(workspace.deliveries[0]).toMatchObject({ kind: 'event', error: 'dispatch_failed' });
  await connect();
  clock.advance(0);
  await workspace.until(() =>
    workspace.deliveries.some((delivery) => delivery.retryNum === 1 && delivery.status === 200),
  );
  expect(received.at(-1)).toMatchObject({ type: 'events_api', retry_attempt: 1, retry_reason: 'connection_failed' });
});

/** Opens a socket without waiting for its hello. */
async function open(): Promise<WebSocket> {
  const socket = new WebSocket(await socketUrl());
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())));
  await new Promise((resolve) => socket.once('open', resolve));
  return socket;
}

const closeOf = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));
const types = (): unknown[] => received.map(({ type }) => type);

// https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect
it.each(['refresh_requested', 'warning'] as const)(
  'a refresh (%s) asks for a new socket, whose hello comes after a gap, and closes the old one after 10 s',
  async (reason) => {
    const closed = closeOf(await connect());
    workspace.faults.disconnectSockets({ reason, gapMs: 12_000 });
    await expect.poll(() => received.at(-1)).toMatchObject({ type: 'disconnect', reason });
    await open();
    clock.advance(10_000);
    expect(await closed).toBe(1000);
    await workspace.until(() => workspace.sockets === 0);
    clock.advance(1_999);
    expect(workspace.sockets).toBe(0);
    clock.advance(1);
    expect(workspace.sockets).toBe(1);
    await expect.poll(types).toEqual(['hello', 'disconnect', 'hello']);
  },
);

it('the workspace pings every 5 s', async () => {
  await connect();
  clock.advance(15_000);
  await expect.poll(() => pings).toBe(3);
});

it('a socket without a hello gets no envelopes', async () => {
  workspace.faults.setSocketFault('no-hello');
  await open();
  expect(workspace.sockets).toBe(0);
  expect(await workspace.as(people.ada.id).command('/quiz list')).toMatchObject({ error: 'dispatch_failed' });
  workspace.faults.setSocketFault(undefined);
  await connect();
  expect(workspace.sockets).toBe(1);
  expect(types()).toEqual(['hello']);
});

it('a silent socket answers no pings and delivers nothing, until the fault ends', async () => {
  const socket = await connect();
  workspace.faults.setSocketFault('silent');
  let pongs = 0;
  socket.on('pong', () => (pongs += 1));
  socket.ping();
  const outcome = workspace.as(people.ada.id).command('/quiz list');
  await workspace.until(() => workspace.deliveries.length > 0);
  clock.advance(3_000);
  expect(await outcome).toMatchObject({ error: 'operation_timeout' });
  expect([pongs, types()]).toEqual([0, ['hello']]);
  workspace.faults.setSocketFault(undefined);
  await expect.poll(() => pongs).toBe(1);
  expect((await workspace.as(people.ada.id).command('/quiz list')).error).toBeUndefined();
});

it('sockets that are dropped end without a close frame, as do new ones', async () => {
  const closed = closeOf(await connect());
  workspace.faults.setSocketFault('dropped');
  expect(await closed).toBe(1006);
  expect(await closeOf(await open())).toBe(1006);
  expect(types()).toEqual(['hello']);
});

it('a command without a connection fails', async () => {
  expect(await workspace.as(people.ada.id).command('/quiz list')).toMatchObject({
    error: 'dispatch_failed',
    delivery: { transport: 'none' },
  });
});
