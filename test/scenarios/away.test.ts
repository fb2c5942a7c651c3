import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventBody, sendEvent, numberedName } from '../support/event.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { readAnnouncements } from '../support/delivery-report.ts';
import { fastClock } from '../support/fast-clock.ts';

describe.skipIf(redisMissing !== null)(`while Redis is down${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  async function start() {
    const redis = await startRedis(temporaryDirectory());
    onTestFinished(() => redis.stop());
    const testBed = await startTestBed({ env: { REDIS_URL: redis.url } });
    const { workspace, url } = testBed;
    const results = workspace.channels.results.id;
    return {
      redis,
      submit: async (event_id: string, last_name: string) =>
        (await sendEvent(url, eventBody({ event_id }, { response_id: event_id, last_name }))).status,
      reply: async (line: string) => textOf(await (await workspace.as(workspace.people.ada.id).command(line)).reply()),
      isReady: async () => (await fetch(`${url}/readyz`)).status,
      timesAnnounced: (last_name: string) =>
        workspace.messages(results).filter((message) => textOf(message).includes(last_name)).length,
    };
  }

  test('webhooks get 503 and commands report the outage; both recover without a restart, and no accepted webhook is lost', async () => {
    const { redis, submit, reply, isReady, timesAnnounced } = await start();
    await expect.poll(() => submit('before', 'Before')).toBe(200);
    await expect.poll(() => timesAnnounced('Before')).toBe(1);
    expect(await reply('/quiz list')).not.toContain('can’t reach its own database');

    expect(await submit('just-before', 'Almost')).toBe(200);
    await redis.stop();
    expect(await submit('while', 'Meanwhile')).toBe(503);
    // The lists are cached in memory. Subscriptions are only in the store.
    expect(await reply('/quiz list')).not.toContain('can’t reach its own database');
    expect(await reply('/quiz-alerts list')).toContain(
      'The bot can’t reach its own database right now. Try again in a minute',
    );
    expect(await isReady()).toBe(503);

    await redis.startAgain();
    await expect.poll(isReady).toBe(200);
    expect(await reply('/quiz-alerts list')).not.toContain('can’t reach its own database');
    // The quiz service repeats an event that got a 503.
    expect(await submit('while', 'Meanwhile')).toBe(200);
    await expect.poll(() => ['Before', 'Almost', 'Meanwhile'].map(timesAnnounced)).toEqual([1, 1, 1]);
  });

  test('the bot starts without Redis and recovers when Redis starts', async () => {
    const redis = await startRedis(temporaryDirectory());
    await redis.stop();
    const { workspace, url } = await startTestBed({ env: { REDIS_URL: redis.url } });
    const reply = async () => textOf(await (await workspace.as(workspace.people.ada.id).command('/quiz list')).reply());
    expect(await reply()).toContain('The bot can’t reach its own database');
    await redis.startAgain();
    onTestFinished(() => redis.stop());
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await reply()).not.toContain('can’t reach its own database');
    expect((await sendEvent(url)).status).toBe(200);
    await expect.poll(() => workspace.messages(workspace.channels.results.id)).toHaveLength(1);
  });
});

test('while the database files are deleted, webhooks get 503 and the bot is not ready', async () => {
  const dataDir = temporaryDirectory();
  const { url, lines } = await startTestBed({ env: { DATA_DIR: dataDir } });
  expect((await sendEvent(url, eventBody({ event_id: 'before' }))).status).toBe(200);
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('invigilator.sqlite')))
    rmSync(join(dataDir, name));
  expect((await sendEvent(url, eventBody({ event_id: 'after' }))).status).toBe(503);
  const readiness = await fetch(`${url}/readyz`);
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({ store: 'the store cannot be used (store_deleted)' });
  expect(lines.join('')).toContain('was deleted or replaced while the bot runs');
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('invigilator_source_up{source="queues"} 0');
});

describe('while Slack is down', () => {
  const results = channels.results.id;
  const people = Array.from({ length: 60 }, (_, index) => numberedName(index + 1));

  test('what waits begins to be posted within 10 seconds of Slack being back, and one cheap call asks for Slack until then', async () => {
    const clock = fastClock(10);
    const { workspace, url } = await startTestBed({ clock });
    await sendEvent(url, eventBody({ event_id: 'before' }, { response_id: 'before' }));
    await workspace.until(() => workspace.messages(results).length === 1);

    const comesBack = workspace.faults.inject({ kind: 'http-error', status: 503 });
    const callsBefore = workspace.calls.length;
    for (const [index, name] of people.entries())
      await sendEvent(
        url,
        eventBody(
          { event_id: `away-${index}` },
          { response_id: `away-${index}`, first_name: 'Maximiliana', last_name: name },
        ),
      );
    // After failed calls at 0, 1, 3, 7, … 127 seconds, the next one of a growing backoff would come at 255.
    await clock.sleep(135_000);
    const calls = workspace.calls.slice(callsBefore).map(({ method }) => method);
    comesBack();
    const backAt = clock.now();
    await workspace.until(
      () => readAnnouncements(workspace.messages(results)).flatMap(({ names }) => names).length >= people.length,
    );
    expect(clock.now() - backAt).toBeLessThan(10_000);
    expect(calls.filter((method) => method !== 'auth.test').length).toBeLessThan(10);
    expect(calls.length).toBeLessThan(80);
  });
});
