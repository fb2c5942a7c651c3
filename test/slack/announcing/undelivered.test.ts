import { createUndelivered } from '../../../src/slack/announcing/post.ts';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createSlackMetrics } from '../../../src/slack/metrics.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('a message that reached nobody is in the log, in a metric and in the state of the bot', async () => {
  let now = 1_000;
  const storage = openSqliteStorage(temporaryDirectory(), {
    now: () => now,
    onError: (error) => expect.fail(String(error)),
  });
  await storage.open();
  const registry = new Registry();
  const { log, lines } = recordingLog();
  const undelivered = createUndelivered({
    counters: storage.counters,
    metrics: createSlackMetrics(registry),
    log,
    now: () => now,
  });
  expect(await undelivered.status()).toEqual({ count: 0, lastAt: undefined });
  await undelivered.count('approval_request', { request: 'r-1', people: ['U1'] });
  now = 2_000;
  await undelivered.count('paused_alerts', { subscription: 's-1' });
  expect(await undelivered.status()).toEqual({ count: 2, lastAt: 2_000 });
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', kind: 'approval_request', people: ['U1'] });
  expect(await registry.metrics()).toContain('invigilator_undelivered_messages_total{kind="paused_alerts"} 1');
  await storage.close();
  await undelivered.count('approval_news', { request: 'r-2' });
  expect(lines.at(-1)).toContain('could not be counted');
});
