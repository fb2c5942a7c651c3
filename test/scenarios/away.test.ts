import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuizService } from '../../src/sandbox/quiz-service/service.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { accountQuizzes } from '../support/account-quizzes.ts';
import { eventBody, numberedName, sendEvent, webhookSecret } from '../support/event.ts';
import { runBot } from '../support/killable-bot.ts';
import { findFreePort } from '../support/loopback.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { channels, people as samplePeople } from '../../src/sandbox/workspace/people.ts';
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

describe('while Slack is down', () => {
  const results = channels.results.id;
  const people = Array.from({ length: 60 }, (_, index) => numberedName(index + 1));

  test('what waits is posted once Slack is back, long before a growing backoff would try again, and one cheap call asks for Slack until then', async () => {
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
    expect(clock.now() - backAt).toBeLessThan(60_000);
    expect(calls.filter((method) => method !== 'auth.test').length).toBeLessThan(10);
    expect(calls.length).toBeLessThan(80);
  });
});

const [botToken, appToken, signingSecret, apiKey] = ['xoxb-socket', 'xapp-socket', 'signing-socket', 'key-socket'];

async function environment(slackPort: number): Promise<Record<string, string>> {
  const quizService = await startQuizService({ quizzes: accountQuizzes, dataDir: ':memory:', apiKey });
  onTestFinished(() => quizService.close());
  return {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: `http://127.0.0.1:${slackPort}/api/`,
    QUIZ_API_URL: quizService.url,
    QUIZ_API_KEY: apiKey,
    WEBHOOK_SECRET: webhookSecret,
    ALERTS_CHANNEL: channels.results.id,
    DATA_DIR: temporaryDirectory(),
  };
}

async function readiness(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, ...((await answer.json()) as object) };
}

test('a bot that starts while Slack is away takes webhooks, reports the outage, and works when Slack is back', async () => {
  const port = await findFreePort();
  const bot = runBot(await environment(port));
  const url = await bot.up;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await readiness(url)).toMatchObject({
    status: 503,
    ready: false,
    store: 'ok',
    slack: 'Slack cannot be used (socket_gone)',
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^invigilator_slack_socket_connected 0$/m);
  expect(metrics).toMatch(/^invigilator_slack_socket_reconnects_total 0$/m);
  expect((await sendEvent(url)).status).toBe(200);
  expect((await sendEvent(url, eventBody({ event_id: 'e-2' }, { response_id: 'r-2' }))).status).toBe(200);

  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, appToken, signingSecret, port });
  onTestFinished(() => workspace.close());
  await workspace.until(() => workspace.sockets === 1);
  const list = await workspace.as(samplePeople.ada.id).command('/quiz list');
  await workspace.until(() => list.replies.some((reply) => textOf(reply).includes('Forklift theory test')));
  await expect.poll(() => readiness(url)).toMatchObject({ status: 200, slack: 'ok' });
  await workspace.until(() => workspace.messages(channels.results.id).length > 0);
  bot.kill('SIGTERM');
  expect(await bot.exit).toBe(0);
  expect(bot.output().stdout.match(/the connection to Slack is (?:gone|back)/g)).toEqual([
    'the connection to Slack is gone',
    'the connection to Slack is back',
  ]);
});
