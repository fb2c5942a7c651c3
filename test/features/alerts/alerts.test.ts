import { whoseAttemptAmong } from '../../../src/directory/whose-attempt.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../src/durable/runtime.ts';
import { createMail } from '../../../src/durable/mail.ts';
import { createAlerts } from '../../../src/assembly/alerts.ts';
import { createReadBody } from '../../../src/http/bodies.ts';
import { currentWork } from '../../../src/observability/log.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import type { Responses } from '../../../src/quiz-api/quiz-api.ts';
import { createHttpServer, fixedRoutes } from '../../../src/http/server.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Queues } from '../../../src/storage/storage.ts';
import { eventBody, sign, webhookSecret } from '../../support/event.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryChannel, platformError } from '../../support/memory-channel.ts';
import { subscription, queueEntry } from '../../support/builders/alerts.ts';
import { retentionMs } from '../../support/builders/campaigns.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { createPausing } from '../../../src/features/alerts/subscriptions.ts';
import { sharedCode, type Subscription } from '../../../src/domain/subscription.ts';
import { createMemoryMail, createMemoryOutbox, createMemorySubscriptions } from '../../support/memory-outbox.ts';

const begin = Date.UTC(2026, 10, 21, 8);
const minuteMs = 60_000;

/** Queues that run when the test says so, at the times of its clock. */
function handQueues(now: () => number) {
  const due = new Map<string, number>();
  let run: ((queue: string) => Promise<number | undefined>) | undefined;
  const queues: Queues = {
    wake: async (queue, at = now()) => void due.set(queue, Math.min(at, due.get(queue) ?? Infinity)),
    start: async (asked) => void (run = asked),
    stop: async () => void (run = undefined),
  };
  const runOne = async (queue: string) => {
    due.delete(queue);
    const next = await run?.(queue);
    if (next !== undefined) await queues.wake(queue, next);
  };
  const runDue = async () => {
    for (let runs = 0; runs < 100; runs += 1) {
      const [queue] = [...due].filter(([, at]) => at <= now()).map(([name]) => name);
      if (queue === undefined) return;
      await runOne(queue);
    }
    throw new Error('the queues never come to an end');
  };
  return { queues, due, runOne, runDue, isStarted: () => run !== undefined };
}

async function setUp(options: { configuredChannelId?: string } = {}) {
  const clock = { now: begin };
  const now = () => clock.now;
  const { log, lines } = recordingLog();
  const storage = openSqliteStorage(temporaryDirectory(), { now, onError: (error) => expect.fail(String(error)) });
  await storage.open();
  const hand = handQueues(now);
  const memory = createMemoryChannel(now);
  const sleeping: AbortSignal[] = [];
  const mail = createMail({ outbox: storage.outbox, queues: hand.queues, log });
  const alerts = createAlerts({
    storage: { ...storage, queues: hand.queues },
    rule: {
      schemes: ['body'],
      secrets: [webhookSecret],
      allowsUnsigned: false,
      signatureHeader: 'X-Webhook-Signature',
      timestampHeader: 'X-Webhook-Timestamp',
      timeZone: 'UTC',
    },
    readBody: createReadBody({ eachBytes: 1024 ** 2, allBytes: 2 * 1024 ** 2 }),
    channel: memory.channel,
    mail,
    whoseAttempt: async () => whoseAttemptAmong([]),
    responses: { list: async () => [] } as Partial<Responses> as Responses,
    retentionMs,
    budget: {
      left: async () => ({ windows: [], waiting: { person: 0, background: 0 }, availableAt: new Date(begin) }),
    },
    quizIds: async () => ['q-1'],
    closedIds: async () => new Set(),
    assignedIds: async () => new Set(),
    quizName: async () => undefined,
    isServiceWell: () => true,
    configuredChannelId: options.configuredChannelId,
    teamId: async () => 'T1',
    administrators: async () => ['U0ADA'],
    people: {
      findRecipient: async () => ({ kind: 'nobody', reason: 'no_person' }),
      findPerson: async () => ({ kind: 'nobody', reason: 'no_person' }),
      lateReports: async () => [],
      isMember: async () => true,
      wantsMessages: async () => true,
      wantsWeeks: async () => true,
      weeksOf: async () => [],
      messageNow: async (_, message) => message,
      runningCampaigns: async () => [],
      quietUntil: async () => undefined,
      openingTurn: async () => undefined,
      holidays: new Set(),
      takeUrl: () => undefined,
    },
    notifiesRespondents: false,
    live: async () => undefined,
    onNobodyNotified: async () => {},
    entriesForFollowers: async () => [],
    timeZone: 'Europe/Berlin',
    log,
    metrics: createMetrics(),
    now,
    steadyNow: now,
    sleep: async (_ms, signal) => {
      sleeping.push(signal);
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  });
  const engine = createEngine({
    outbox: storage.outbox,
    queues: hand.queues,
    mail,
    platformOutage: { isAway: () => false, onBack: () => {} },
    onLoss: storage.content.onLoss,
    log,
    now,
    steadyNow: now,
  });
  const start = async () => {
    alerts.start();
    await engine.start(alerts.lasting);
  };
  const server = createHttpServer(fixedRoutes({ '/': alerts.takeWebhook }), log);
  const port = await server.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    await server.close();
    await engine.stop();
    await alerts.stop();
    await storage.close();
  });
  const send = async (body: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: { 'x-webhook-signature': sign(body) } }))
      .status;
  return { ...hand, clock, posted: memory.posted, alerts, start, storage, send, sleeping, lines };
}

describe('alerts', () => {
  test('make digests of what was submitted', async () => {
    const { start, storage, send, runDue, posted, clock } = await setUp();
    await storage.subscriptions.add(subscription({ id: 's-0', channelId: 'C2', filter: { kind: 'failed' } }));
    await storage.subscriptions.add(subscription({ delivery: { kind: 'digest', every: 'hour' }, createdAt: begin }));
    await start();
    await send(eventBody());
    await runDue();
    expect(posted).toEqual([]);
    clock.now += 60 * minuteMs;
    await runDue();
    expect(posted).toMatchObject([
      { channelId: 'C1', announcement: { kind: 'digest', digest: { from: begin, to: begin + 60 * minuteMs } } },
    ]);
  });

  test('run each queue as a piece of work of its own', async () => {
    const { start, runDue, isStarted, queues } = await setUp({ configuredChannelId: 'C1' });
    const works: (string | undefined)[] = [];
    const { wake } = queues;
    queues.wake = async (...what) => {
      works.push(currentWork()?.from);
      return wake(...what);
    };
    await start();
    expect(isStarted()).toBe(true);
    await runDue();
    expect(works.slice(0, 2)).toEqual([undefined, 'queue sweep']);
  });

  test('know no other queues', async () => {
    const { start, runOne } = await setUp();
    await start();
    await expect(runOne('strange/T1')).rejects.toThrow('unknown queue strange/T1');
  });

  test('begin while the store is away, and take up sweeping later', async () => {
    const { start, queues, lines } = await setUp();
    queues.wake = async () => Promise.reject(new Error('the store is away'));
    await start();
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'warn', error: { message: 'the store is away' }, msg: 'sweeping begins when the store is back' },
    ]);
  });

  test('take a webhook although its queues cannot be woken', async () => {
    const { start, queues, send, lines } = await setUp();
    await start();
    queues.wake = async () => Promise.reject(new Error('the store is away'));
    expect(await send(eventBody())).toBe(200);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        error: expect.objectContaining({ message: 'the store is away' }),
        msg: 'a queue is woken later',
      }),
    );
  });

  test('pause between wakes while webhooks keep coming, until they stop', async () => {
    const { alerts, start, queues, send, sleeping } = await setUp({ configuredChannelId: 'C1' });
    await start();
    await expect.poll(() => sleeping.length).toBe(1);
    const stalled = Promise.withResolvers<void>();
    queues.wake = async () => stalled.promise;
    for (let count = 0; count < 7; count += 1)
      await send(eventBody({ event_id: `e-${count}` }, { response_id: `r-${count}` }));
    expect(sleeping).toHaveLength(1);
    stalled.resolve();
    await expect.poll(() => sleeping.length).toBe(2);
    expect(sleeping[1]?.aborted).toBe(false);
    await alerts.stop();
    expect(sleeping[1]?.aborted).toBe(true);
  });
});

async function openPausing(...subscriptions: Subscription[]) {
  const store = createMemorySubscriptions(subscriptions);
  const outbox = createMemoryOutbox();
  outbox.putNow(subscriptions.map(({ id }) => queueEntry({ subscriptionId: id, at: 1 })));
  const { channel, direct, fates } = createMemoryChannel();
  const { log, lines } = recordingLog();
  const unnotified: string[] = [];
  const wakes: string[] = [];
  const pausing = createPausing({
    store,
    outbox,
    mail: createMemoryMail(outbox, (queue) => wakes.push(queue)),
    subscriptions: async (teamId) => store.all(teamId),
    channel,
    administrators: async () => ['U0ADA', 'U0EVE'],
    onNobodyNotified: async ({ id }) => void unnotified.push(id),
    log,
    now: () => 50,
  });
  const pauses = async () => (await store.all('T1')).map(({ pause }) => pause);
  /** Pauses a channel, and lets the owners be told, as the queue of pauses does. */
  const pauseAndTell = async (...where: Parameters<typeof pausing.pauseChannel>) => {
    await pausing.pauseChannel(...where);
    await pausing.notifyOwners('T1');
  };
  return {
    ...pausing,
    pauseAndTell,
    store,
    outbox,
    direct,
    fates,
    pauses,
    lines,
    unnotified,
    wakes,
    notified: () => direct.map(({ personId }) => personId),
  };
}

const byBot = { since: 50, until: null, by: null, code: 'not_in_channel' };

describe('channels that refuse at the same moment', () => {
  test('have one run tell their owner, once for each', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    const { pauseChannel, notifyOwners, wakes, direct, notified } = await openPausing(
      ...ids.map((id) => subscription({ id: `s-${id}`, channelId: `C${id}`, ownerId: 'U0TOM' })),
    );
    await Promise.all(ids.map(async (id) => pauseChannel('T1', `C${id}`, 'not_in_channel')));
    expect([notified(), new Set(wakes)]).toEqual([[], new Set(['pauses'])]);
    await notifyOwners('T1');
    await notifyOwners('T1');
    expect(notified()).toEqual(ids.map(() => 'U0TOM'));
    expect(direct.map(({ announcement }) => announcement)).toMatchObject(
      ids.map((id) => ({ kind: 'note', note: { steps: [{ input: { subscription: [`s-${id}`] } }] } })),
    );
  });
});

describe('a channel that the platform does not let the bot post in', () => {
  test('has its subscriptions paused, and each owner is notified once', async () => {
    const { pauseChannel, notifyOwners, notified, pauses, direct, lines } = await openPausing(
      subscription({ id: 's-1', ownerId: 'U0TOM' }),
      subscription({ id: 's-2', ownerId: null }),
      subscription({ id: 's-3', channelId: 'C2' }),
      subscription({ id: 's-4', teamId: 'T2' }),
    );
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(notified()).toEqual(['U0TOM', 'U0ADA', 'U0EVE']);
    const { announcement } = direct[0]!;
    expect(inEnglish(JSON.stringify(announcement))).toMatch(/are paused: not_in_channel.*1 is waiting.*"s-1"/);
    expect(await pauses()).toEqual([{ ...byBot, isOwnerNotified: true }, { ...byBot, isOwnerNotified: true }, null]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        level: 'error',
        channel: 'C1',
        subscription: 's-1',
        code: 'not_in_channel',
        msg: 'alerts are paused: the bot cannot post in the channel',
      },
      { level: 'error', subscription: 's-2' },
    ]);
  });

  test('is said to be read by another company where that is why', async () => {
    const { pauseChannel, lines } = await openPausing(subscription());
    await pauseChannel('T1', 'C1', sharedCode);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { code: sharedCode, msg: 'alerts are paused: another company can read the channel' },
    ]);
  });

  test('leaves it to a person who paused a subscription to resume it', async () => {
    const pause = { since: 1, until: null, by: 'U0TOM' };
    const { pauseChannel, pauses, notified } = await openPausing(subscription({ pause }));
    await pauseChannel('T1', 'C1', 'is_archived');
    expect([await pauses(), notified()]).toEqual([[pause], []]);
  });

  test('is announced later to an owner who cannot be reached now', async () => {
    const { pauseAndTell, notifyOwners, notified, fates, pauses, lines } = await openPausing(
      subscription({ ownerId: 'U0TOM' }),
      subscription({ id: 's-2', ownerId: 'U0EVE' }),
    );
    fates.sendDirect.push(platformError('unclear'));
    await pauseAndTell('T1', 'C1', 'not_in_channel');
    expect([notified(), await pauses()]).toEqual([
      ['U0EVE'],
      [
        { ...byBot, isOwnerNotified: false },
        { ...byBot, isOwnerNotified: true },
      ],
    ]);
    expect(JSON.parse(lines[2]!)).toMatchObject({
      level: 'warn',
      subscription: 's-1',
      error: { name: 'PlatformError' },
      msg: 'the owner of paused alerts is not notified yet',
    });
    await notifyOwners('T1');
    await notifyOwners('T1');
    expect(notified()).toEqual(['U0EVE', 'U0TOM']);
  });

  test('is announced to the other administrators, and once, where one of them has left', async () => {
    const { pauseChannel, notifyOwners, notified, fates, lines } = await openPausing(subscription({ ownerId: null }));
    fates.sendDirect.push(platformError('closed', { code: 'user_disabled' }));
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(notified()).toEqual(['U0EVE']);
    expect(JSON.parse(lines[1]!)).toMatchObject({
      level: 'error',
      person: 'U0ADA',
      error: { code: 'user_disabled' },
      msg: 'a person cannot be notified of paused alerts',
    });
  });

  test('is counted where nobody could be notified', async () => {
    const { pauseChannel, notifyOwners, unnotified, fates } = await openPausing(
      subscription({ id: 's-1' }),
      subscription({ id: 's-2' }),
    );
    fates.sendDirect.push(platformError('closed', { code: 'user_disabled' }));
    await pauseChannel('T1', 'C1', 'not_in_channel');
    await notifyOwners('T1');
    expect(unnotified).toEqual(['s-1']);
  });

  test('is announced to the owner of a digest with what waits in the channel and for the next digest', async () => {
    const { pauseAndTell, outbox, direct } = await openPausing(
      subscription({ delivery: { kind: 'digest', every: 'hour' } }),
    );
    const collected = queueEntry({ queue: 'digest/T1/s-1', at: 2 });
    outbox.putNow([collected, collected]);
    await pauseAndTell('T1', 'C1', 'is_archived');
    expect(inEnglish(JSON.stringify(direct[0]))).toContain('and 3 are waiting');
  });
});
