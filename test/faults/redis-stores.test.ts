import { describe, expect, test, type TestContext } from 'vitest';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { fastClock } from '../support/fast-clock.ts';
import { connectRedis, redisMissing, startRedis } from '../support/redis.ts';
import { runBot } from '../support/killable-bot.ts';
import { findFreePort } from '../support/loopback.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { openTestBed, textOf, type TestBed } from '../support/open-test-bed.ts';
import { readReadyz, runCommand } from './observation.ts';
import { eventually } from '../support/watchdog.ts';

/** Tests that run at the same time each clean up through their own. */
type OnTestFinished = TestContext['onTestFinished'];

/** The bot's time runs this many times as fast as that of Redis. */
const clockRate = 10;

describe.skipIf(redisMissing !== null)(
  `a Redis that cannot be trusted${redisMissing ? ` (${redisMissing})` : ''}`,
  { concurrent: true },
  () => {
    async function start(onTestFinished: OnTestFinished, clock: Clock = fastClock(clockRate)) {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const testBed = await openTestBed(
        {
          env: { REDIS_URL: redis.url },
          clock,
          workspace: { now: clock.now },
          quizService: { now: clock.now },
        },
        onTestFinished,
      );
      const client = await connectRedis(redis.url);
      client.on('error', () => {});
      onTestFinished(() => client.destroy());
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^200/));
      return { redis, testBed, client };
    }
    const metric = async ({ url }: Pick<TestBed, 'url'>, name: string) =>
      new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    const submit = async ({ url }: Pick<TestBed, 'url'>, id: string) =>
      (await sendEvent(url, eventBody({ event_id: id }, { response_id: id, last_name: id }))).status;
    const announced = ({ workspace }: TestBed, name: string) =>
      workspace.messages(workspace.channels.results.id).filter((message) => textOf(message).includes(name)).length;

    test('a flushed Redis is noticed within seconds: not ready, a metric, a line, a message to administrators, a trail that is not whole, and alerts that go on', async ({
      onTestFinished,
    }) => {
      const { testBed, client } = await start(onTestFinished);
      await runCommand(testBed, '/quiz close forklift');
      await eventually(async () => expect(await metric(testBed, 'invigilator_audit_trail_whole')).toBe('1'));
      await client.flushAll();
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^503 .*store_content_lost/));
      expect(await metric(testBed, 'invigilator_store_whole')).toBe('0');
      expect(await metric(testBed, 'invigilator_audit_trail_whole')).toBe('0');
      expect(testBed.lines.filter((line) => line.includes('the store lost its content'))).toHaveLength(1);
      expect(await submit(testBed, 'After')).toBe(200);
      await eventually(() => expect(announced(testBed, 'After')).toBe(1));
      const { ada } = testBed.workspace.people;
      await eventually(() =>
        expect(testBed.workspace.directMessages(ada.id).map(textOf).join()).toContain(
          'The bot’s database lost its content',
        ),
      );
    });

    test('webhooks that a flushed Redis lost a moment after they came are found and announced within a minute', async ({
      onTestFinished,
    }) => {
      const { testBed, client } = await start(onTestFinished, systemClock);
      const { database } = testBed.quizService;
      const lost = database.all<{ response_id: string; last_name: string }>(
        "SELECT response_id, min(last_name) AS last_name FROM responses WHERE status = 'submitted' GROUP BY last_name ORDER BY last_name LIMIT 3",
      );
      const [quiz] = database.all<{ quiz_id: string }>('SELECT min(quiz_id) AS quiz_id FROM quizzes');
      const submitted = new Date().toISOString().slice(0, 19).replace('T', ' ');
      for (const { response_id: id } of lost)
        database.run('UPDATE responses SET quiz_id = ?, date_submitted = ? WHERE response_id = ?', [
          quiz!.quiz_id,
          submitted,
          id,
        ]);
      const end = testBed.workspace.faults.inject(
        { kind: 'rate-limited', retryAfterS: 1 },
        { method: 'chat.postMessage' },
      );
      for (const { response_id: id, last_name: name } of lost) {
        expect(
          (
            await sendEvent(
              testBed.url,
              eventBody(
                { event_id: id },
                { response_id: id, quiz_id: quiz!.quiz_id, last_name: name, date_submitted: submitted },
              ),
            )
          ).status,
        ).toBe(200);
      }
      // An event that is on its way from the inbox into its queues is not lost.
      await eventually(async () => expect(await metric(testBed, 'invigilator_inbox_events')).toBe('0'));
      await client.flushAll();
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^503 .*store_content_lost/));
      end();
      await eventually(() => expect(lost.map(({ last_name: name }) => announced(testBed, name))).toEqual([1, 1, 1]));
      expect(await metric(testBed, 'invigilator_webhooks_total\\{outcome="backfilled"\\}')).toBe('3');
    });

    test('a Redis that went back to an earlier state is noticed', async ({ onTestFinished }) => {
      const { testBed, client } = await start(onTestFinished);
      const generation = Number(await client.hGet('invigilator:store', 'generation'));
      await eventually(async () =>
        expect(Number(await client.hGet('invigilator:store', 'generation'))).toBeGreaterThan(generation),
      );
      await client.hSet('invigilator:store', 'generation', generation - 1);
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^503 .*store_content_lost/));
      expect(testBed.lines.some((line) => line.includes('the store went back to an earlier state'))).toBe(true);
    });

    test('a Redis that deletes keys when it is full is refused at the start, and makes a running bot not ready', async ({
      onTestFinished,
    }) => {
      const { testBed, client } = await start(onTestFinished);
      await client.configSet('maxmemory-policy', 'allkeys-lru');
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^503 .*redis_evicts_keys/));
      expect(await submit(testBed, 'Evicted')).toBe(503);
      await expect(openTestBed({ env: { REDIS_URL: String(client.options.url) } }, onTestFinished)).rejects.toThrow(
        /maxmemory-policy is allkeys-lru\): set maxmemory-policy to noeviction/,
      );
      await client.configSet('maxmemory-policy', 'noeviction');
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^200/));
    });

    test('a full Redis refuses webhooks, but what waits is posted, and people read about the store', async ({
      onTestFinished,
    }) => {
      const { testBed, client } = await start(onTestFinished);
      const end = testBed.workspace.faults.inject(
        { kind: 'rate-limited', retryAfterS: 1 },
        { method: 'chat.postMessage' },
      );
      expect(await submit(testBed, 'Waiting')).toBe(200);
      await eventually(() => expect(testBed.lines.join()).toContain('an alert is not posted yet'));
      await client.configSet('maxmemory', '1mb');
      await eventually(async () => expect(await submit(testBed, 'Refused')).toBe(503));
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^503 .*store_full/));
      end();
      await eventually(() => expect(announced(testBed, 'Waiting')).toBe(1));
      const reads = (line: string, words: string) =>
        eventually(async () => expect(await runCommand(testBed, line)).toContain(words));
      await reads('/quiz show forklift', 'Forklift theory test');
      await reads('/quiz-alerts subscribe all', 'can’t write to its own database');
    });

    test('a Redis that wants a password while the bot runs is tried again after a pause, and the log counts', async ({
      onTestFinished,
    }) => {
      const { testBed, client } = await start(onTestFinished, systemClock);
      await client.configSet('requirepass', 'secret');
      // Redis asks new connections only.
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^503 /));
      await eventually(() => expect(testBed.lines.join()).toContain('NOAUTH'));
      const count = async (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(await client.info('stats'))?.[1]);
      const before = {
        connections: await count('total_connections_received'),
        commands: await count('total_commands_processed'),
        lines: testBed.lines.length,
      };
      // Redis measures four seconds.
      await client.sendCommand(['BLPOP', 'nothing', '4']);
      expect((await count('total_connections_received')) - before.connections).toBeLessThan(15);
      expect((await count('total_commands_processed')) - before.commands).toBeLessThan(150);
      expect(testBed.lines.slice(before.lines).filter((line) => !line.includes('"level":"debug"')).length).toBeLessThan(
        5,
      );
      await client.configSet('requirepass', '');
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^200/));
      expect(await submit(testBed, 'Later')).toBe(200);
      await eventually(() => expect(announced(testBed, 'Later')).toBe(1));
    });

    test('a Redis behind a unix socket is used', async ({ onTestFinished }) => {
      const redis = await startRedis(temporaryDirectory(onTestFinished));
      onTestFinished(() => redis.stop());
      const testBed = await openTestBed({ env: { REDIS_URL: `${redis.socketUrl}?db=1` } }, onTestFinished);
      await eventually(async () => expect(await readReadyz(testBed)).toMatch(/^200/));
      expect(await submit(testBed, 'Socket')).toBe(200);
      await eventually(() => expect(announced(testBed, 'Socket')).toBe(1));
      const client = await connectRedis(`${redis.url}/1`);
      onTestFinished(() => client.destroy());
      expect(Number(await client.hGet('invigilator:store', 'generation'))).toBeGreaterThan(0);
    });

    const env = async (redisUrl: string, onTestFinished: OnTestFinished) => ({
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 'secret',
      SLACK_API_URL: 'http://127.0.0.1:1/',
      QUIZ_API_URL: 'http://127.0.0.1:1',
      QUIZ_API_KEY: 'key',
      DATA_DIR: temporaryDirectory(onTestFinished),
      REDIS_URL: redisUrl,
      PORT: String(await findFreePort()),
    });

    test('a Redis that wants a password is tried again after a pause, and the log counts', async ({
      onTestFinished,
    }) => {
      const redis = await startRedis();
      onTestFinished(() => redis.stop());
      const client = await connectRedis(redis.url);
      onTestFinished(() => client.destroy());
      await client.configSet('requirepass', 'secret');
      const settings = await env(redis.url, onTestFinished);
      const run = runBot(settings, { onClose: onTestFinished });
      await eventually(() => expect(run.output().stdout).toContain('NOAUTH'));
      const connectionsBefore = Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1]);
      // Redis measures three seconds.
      await client.sendCommand(['BLPOP', 'nothing', '3']);
      expect(
        Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1]) - connectionsBefore,
      ).toBeLessThan(10);
      expect(
        run
          .output()
          .stdout.split('\n')
          .filter((line) => line.includes('"msg":"the store"')).length,
      ).toBeLessThan(5);
      expect(await readReadyz({ url: `http://127.0.0.1:${settings.PORT}` })).toMatch(/^503/);
      await client.configSet('requirepass', '');
      await eventually(async () =>
        expect(await readReadyz({ url: `http://127.0.0.1:${settings.PORT}` })).toContain('"store":"ok"'),
      );
    });

    test('a Redis that hangs at the start keeps no port closed, and is logged', async ({ onTestFinished }) => {
      const redis = await startRedis();
      onTestFinished(() => redis.kill());
      const client = await connectRedis(redis.url);
      onTestFinished(() => client.destroy());
      const settings = await env(redis.url, onTestFinished);
      await client.sendCommand(['CLIENT', 'PAUSE', '60000', 'ALL']);
      const run = runBot(settings, { onClose: onTestFinished });
      await eventually(async () =>
        expect(await readReadyz({ url: `http://127.0.0.1:${settings.PORT}` })).toMatch(
          /^503 .*the store cannot be used/,
        ),
      );
      await eventually(() => expect(run.output().stdout).toContain('Redis does not answer: the bot starts without it'));
    });
  },
);
