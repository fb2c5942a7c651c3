import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWebhookRoute } from '../../src/alerts/route.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { openSqliteStorage } from '../../src/storage/sqlite.ts';
import { eventBody, sign, webhookSecret } from '../support/event.ts';
import { recordingLog } from '../support/log.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function setUp(secrets = [webhookSecret]) {
  const storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  const { log, lines } = recordingLog(secrets);
  const onTaken = vi.fn();
  const metrics = createMetrics();
  const rule = { scheme: 'body', secrets, signatureHeader: 'X-Webhook-Signature', timestampHeader: 'X-Webhook-Timestamp' } as const;
  const route = createWebhookRoute({ rule, inbox: storage.inbox, onTaken, log, metrics, now: Date.now });
  const server = createServer((request, response) => void route(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await storage.close().catch(() => {});
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const send = (body: string | Buffer, headers: Record<string, string> = { 'x-webhook-signature': sign(body) }) =>
    fetch(url, { method: 'POST', body: body as string, headers });
  return { url, send, storage, onTaken, lines, metrics };
}

describe('POST /webhooks/quiz', () => {
  test('answers 200 after the event is remembered', async () => {
    const { send, storage, onTaken } = await setUp();
    const body = eventBody();
    expect((await send(body)).status).toBe(200);
    expect(await storage.inbox.waiting(10)).toEqual([
      { id: '59d80f60-56eb-47d3-b953-8880d8219d1c', type: 'response.submitted', body, trusted: true },
    ]);
    expect(onTaken).toHaveBeenCalledOnce();
  });

  test('answers 200 to a redelivery and keeps one event', async () => {
    const { send, storage, onTaken } = await setUp();
    for (const delivery_attempt of [1, 2, 3]) expect((await send(eventBody({ delivery_attempt }))).status).toBe(200);
    expect(await storage.inbox.countWaiting()).toBe(1);
    expect(onTaken).toHaveBeenCalledOnce();
  });

  test('answers 200 to a type of event it does not know', async () => {
    const { send } = await setUp();
    expect((await send(eventBody({ event_type: 'user.created', data: { user_id: 'u' } }))).status).toBe(200);
    expect((await send(eventBody({ event_id: 'other', event_type: 'moon.risen', data: null }))).status).toBe(200);
  });

  test.each([
    ['missing', {}],
    ['wrong', { 'x-webhook-signature': sign('something else') }],
    ['truncated', { 'x-webhook-signature': sign(eventBody()).slice(0, 40) }],
  ])('answers 401 to a signature that is %s, and keeps nothing', async (_, headers) => {
    const { send, storage } = await setUp();
    expect((await send(eventBody(), headers as Record<string, string>)).status).toBe(401);
    expect(await storage.inbox.countWaiting()).toBe(0);
  });

  test('answers 401 to everything while no secret is configured', async () => {
    const { send } = await setUp([]);
    expect((await send(eventBody(), { 'x-webhook-signature': sign(eventBody(), '') })).status).toBe(401);
  });

  test.each([
    ['broken JSON', '{"event_id": "e-1",'],
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['a list', '[]'],
    ['no event id', eventBody({ event_id: undefined })],
    ['an empty event id', eventBody({ event_id: '' })],
    ['a submission without its result', eventBody({}, { pass: undefined, percentage_score: undefined })],
    ['a submission that is text', eventBody({ data: 'hello' })],
  ])('answers 400 to %s, signed as it may be', async (_, body) => {
    const { send, storage } = await setUp();
    expect((await send(body)).status).toBe(400);
    expect(await storage.inbox.countWaiting()).toBe(0);
  });

  test('answers 413 over 1 MiB, and takes what is just below', async () => {
    const { send } = await setUp();
    const padded = (bytes: number) => {
      const bare = eventBody({ padding: '' }).length;
      return eventBody({ padding: 'x'.repeat(bytes - bare) });
    };
    expect((await send(padded(1024 * 1024))).status).toBe(200);
    expect((await send(padded(1024 * 1024 + 1))).status).toBe(413);
  });

  test('answers 405 to other methods', async () => {
    const { url } = await setUp();
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('answers 503 when the event could not be remembered, so that it is sent again', async () => {
    const { send, storage, onTaken } = await setUp();
    await storage.close();
    expect((await send(eventBody())).status).toBe(503);
    expect(onTaken).not.toHaveBeenCalled();
  });

  test('counts what became of each delivery', async () => {
    const { send, metrics } = await setUp();
    await send(eventBody());
    await send(eventBody());
    await send('{');
    await send(eventBody(), {});
    const { values } = await metrics.webhooks.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]))).toEqual({ taken: 1, known: 1, malformed: 1, signature: 1 });
  });

  test('logs neither the respondent nor the signature', async () => {
    const { send, lines } = await setUp();
    await send(eventBody());
    await send(eventBody({ event_id: 1 }));
    await send(eventBody(), {});
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const personal of ['Rosa', 'Almeida', 'rosa@', '203.0.113.7', sign(eventBody())]) expect(lines.join('')).not.toContain(personal);
  });
});
