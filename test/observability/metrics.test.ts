import { expect, test, describe } from 'vitest';
import { createHealthGauges, createHealth } from '../../src/health/health.ts';
import { createMetrics, createProcessMetrics } from '../../src/observability/metrics.ts';
import { createScrape, type Sources, joinFamilies } from '../../src/observability/scrape.ts';
import { subscription } from '../support/builders/alerts.ts';
import { approvalRequest } from '../support/builders/governance.ts';
import { trailMeaning } from '../../src/storage/checks.ts';
import { trailCut } from '../support/builders/findings.ts';
import { recordingLog } from '../support/log.ts';
import { createEventLoopWatch, createHealthRoute } from '../../src/observability/liveness.ts';
import { askRoute as ask } from '../support/loopback.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { metricIn } from '../support/measurements.ts';
import { eventually } from '../support/watchdog.ts';

const now = 1_000_000;

const full: Sources = {
  queues: async () => [{ queue: 'channel/T1/C1', waiting: 3, oldestAt: now - 4_500 }],
  overdue: async () => ({ batch: now - 7_000, campaign: undefined }),
  inbox: async () => ({ count: 2, oldestAt: now - 1_000 }),
  budget: async () => ({ windows: [{ windowMs: 60_000, left: 41 }], waiting: { person: 0, background: 5 } }),
  openApprovals: async () => [approvalRequest()],
  subscriptions: async () => [
    subscription(),
    subscription({ pause: { since: 0, until: now, by: 'U1' } }),
    subscription({ pause: { since: 0, until: now + 1, by: 'U1' } }),
    subscription({ pause: { since: 0, until: null, by: 'U1' } }),
  ],
};

function scraping(sources: Partial<Sources> = {}) {
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const health = createHealth({
    checks: [{ ...trailMeaning, look: async () => trailCut }],
    timeoutMs: 20,
    now: () => now,
  });
  const readMetrics = createScrape({
    metrics,
    sources: { ...full, ...sources },
    lookUpHealth: createHealthGauges(metrics.registry, health),
    log,
    now: () => now,
    timeoutMs: 20,
  });
  const scrape = async () => (await readMetrics()).split('\n').filter((line) => line.startsWith('invigilator_'));
  return { scrape, lines, metrics };
}

test('what is looked up at each scrape', async () => {
  expect(await scraping().scrape()).toEqual(
    expect.arrayContaining([
      'invigilator_queue_entries{queue="channel",channel="C1"} 3',
      'invigilator_queue_oldest_age_seconds{queue="channel",channel="C1"} 4.5',
      'invigilator_work_overdue_seconds{kind="batch"} 7',
      'invigilator_work_overdue_seconds{kind="campaign"} 0',
      'invigilator_inbox_events 2',
      'invigilator_inbox_oldest_age_seconds 1',
      'invigilator_quiz_budget_left_requests{window_seconds="60"} 41',
      'invigilator_quiz_budget_waiting_requests{priority="background"} 5',
      'invigilator_approvals_open 1',
      'invigilator_subscriptions{state="active"} 2',
      'invigilator_subscriptions{state="paused"} 2',
      'invigilator_audit_trail_whole 0',
      'invigilator_source_up{source="queues"} 1',
    ]),
  );
});

test('a source that fails or hangs is left out and told, what it said before is forgotten, and the rest is there', async () => {
  let isAway = false;
  const away = async <Value>(value: Value) => {
    if (isAway) throw new Error('the store is away');
    return value;
  };
  const { scrape, lines, metrics } = scraping({
    queues: async () => away(await full.queues()),
    inbox: async () => away(await full.inbox()),
    openApprovals: async () => (isAway ? new Promise<never>(() => {}) : []),
  });
  metrics.webhooks.inc({ outcome: 'taken' });
  expect((await scrape()).some((line) => line.startsWith('invigilator_queue_entries'))).toBe(true);
  isAway = true;
  const told = await scrape();
  expect(told.filter((line) => /^invigilator_(queue|inbox|approvals)/.test(line))).toEqual([]);
  expect(told).toEqual(
    expect.arrayContaining([
      'invigilator_source_up{source="queues"} 0',
      'invigilator_source_up{source="openApprovals"} 0',
      'invigilator_source_up{source="budget"} 1',
      'invigilator_quiz_budget_left_requests{window_seconds="60"} 41',
      'invigilator_webhooks_total{outcome="taken"} 1',
    ]),
  );
  await scrape();
  const complaints = () =>
    lines
      .filter((line) => line.includes('a source of the metrics does not answer'))
      .map((line) => JSON.parse(line).source);
  expect(new Set(complaints())).toEqual(new Set(['inbox', 'queues', 'openApprovals']));
  isAway = false;
  expect(await scrape()).toContain('invigilator_queue_entries{queue="channel",channel="C1"} 3');
  isAway = true;
  await scrape();
  expect(complaints()).toHaveLength(6);
});

test('a queue that is empty again is not told any more', async () => {
  const waiting = [{ queue: 'channel/T1/C1', waiting: 1, oldestAt: now }];
  const { scrape } = scraping({ queues: async () => waiting });
  await scrape();
  waiting.pop();
  expect((await scrape()).filter((line) => line.startsWith('invigilator_queue'))).toEqual([]);
});

test('of many channels the fullest have numbers of their own, and the rest is added up', async () => {
  const queues = [
    ...Array.from({ length: 500 }, (_, index) => ({
      queue: `channel/T1/C${index}`,
      waiting: index,
      oldestAt: now - index * 1000,
    })),
    ...Array.from({ length: 100 }, () => ({ queue: 'digest/T1/s-1', waiting: 2, oldestAt: now - 7_000 })),
  ];
  const told = (await scraping({ queues: async () => queues }).scrape()).filter((line) =>
    line.startsWith('invigilator_queue_entries'),
  );
  expect(told).toHaveLength(52);
  expect(told).toContain('invigilator_queue_entries{queue="channel",channel="C499"} 499');
  expect(told).toContain('invigilator_queue_entries{queue="digest",channel=""} 200');
  const sum = (450 * 449) / 2;
  expect(told).toContain(`invigilator_queue_entries{queue="channel",channel="other"} ${sum}`);
});

test('the series of several bots stand below one description of each metric', async () => {
  const bots = ['acme', 'globex'].map((tenant) => createMetrics({ tenant }));
  for (const { webhooks } of bots) webhooks.inc({ outcome: 'taken' });
  const text = joinFamilies(await Promise.all(bots.map(({ registry }) => registry.metrics())));
  const described = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(described).toContain('invigilator_webhooks_total');
  expect(new Set(described).size).toBe(described.length);
  const webhooks = text.split('\n').filter((line) => line.startsWith('invigilator_webhooks_total{outcome="taken"'));
  expect(webhooks).toEqual([
    'invigilator_webhooks_total{outcome="taken",tenant="acme"} 1',
    'invigilator_webhooks_total{outcome="taken",tenant="globex"} 1',
  ]);
  const alone = await createMetrics().registry.metrics();
  expect(joinFamilies([alone])).toBe(alone);
});

describe('/healthz', () => {
  test.each([
    [12.4, 12],
    [15_000, 15_000],
  ])(
    'tells how long the process was held up of late, and that it is well as it answers now: %d ms',
    async (ms, shown) => {
      expect(await ask(createHealthRoute({ eventLoop: { longestDelayMs: () => ms } }).handle)).toMatchObject({
        status: 200,
        body: { alive: true, eventLoopDelayMs: shown },
      });
    },
  );

  test('while the bot stops, it is 503, so that no request comes any more', async () => {
    const { handle } = createHealthRoute({ eventLoop: { longestDelayMs: () => 0 }, isStopping: () => true });
    expect(await ask(handle)).toMatchObject({ status: 503, body: { alive: true, bot: 'is shutting down' } });
  });

  test('two requests within 5 s come from a load balancer, and one every 5 s does not', async () => {
    let time = 0;
    const health = createHealthRoute({ eventLoop: { longestDelayMs: () => 0 }, now: () => time });
    const watchedAfter = async (waitMs: number) => {
      time += waitMs;
      await ask(health.handle);
      return health.isWatched();
    };
    expect(health.isWatched()).toBe(false);
    expect([await watchedAfter(0), await watchedAfter(5_000), await watchedAfter(1_000)]).toEqual([false, false, true]);
    time += 4_000;
    expect(health.isWatched()).toBe(false);
  });
});

describe('the watch of the event loop', () => {
  function watch(onHeldUp: (ms: number) => void = () => {}) {
    let time = 0;
    let look = () => {};
    const watching = createEventLoopWatch({ onHeldUp, clock: () => time, repeat: (run) => ((look = run), () => {}) });
    watching.start();
    /** The next look comes so much late. */
    const comesLate = (ms: number) => {
      time += 500 + ms;
      look();
    };
    return { watching, comesLate };
  }

  test('remembers the longest delay for half a minute', () => {
    const { watching, comesLate } = watch();
    expect(watching.longestDelayMs()).toBe(0);
    for (const ms of [3, 900, 20]) comesLate(ms);
    expect(watching.longestDelayMs()).toBe(900);
    for (let looks = 0; looks < 60; looks += 1) comesLate(1);
    expect(watching.longestDelayMs()).toBeLessThan(900);
  });

  test('tells each delay of a second or longer once, for the metrics', () => {
    const heldUp: number[] = [];
    const { comesLate } = watch((ms) => heldUp.push(ms));
    for (const ms of [999, 13_000, 3, 1_000]) comesLate(ms);
    expect(heldUp).toEqual([13_000, 1_000]);
  });

  test('a delay counts before the next look has come', () => {
    let time = 0;
    const watching = createEventLoopWatch({ clock: () => time, repeat: () => () => {} });
    watching.start();
    time = 4_500;
    expect(watching.longestDelayMs()).toBe(4_000);
  });
});

const heldUpMs = 150;

function holdUp(): void {
  for (const until = performance.now() + heldUpMs; performance.now() < until;);
}

test('the metrics tell the longest turn of the event loop since they were asked for last', async () => {
  const { registry } = createProcessMetrics('1.2.3');
  const longestMs = async () => 1_000 * metricIn(await registry.metrics(), 'nodejs_eventloop_lag_max_seconds');
  await nextTurn();
  holdUp();
  await nextTurn();
  await nextTurn();
  const first = await longestMs();
  expect(first).toBeGreaterThanOrEqual(heldUpMs * 0.9);
  // A busy machine can hold it up again.
  await eventually(async () => {
    await nextTurn();
    expect(await longestMs()).toBeLessThan(first);
  });
});

test('the lag of the event loop is told by three gauges, and by none of the client library’s own', async () => {
  const { registry } = createProcessMetrics('1.2.3');
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  expect(names.filter((name) => name.includes('eventloop'))).toEqual([
    'nodejs_eventloop_lag_p50_seconds',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_eventloop_lag_max_seconds',
  ]);
});
