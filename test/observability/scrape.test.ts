import { expect, test } from 'vitest';
import { createHealthGauges, createHealth } from '../../src/health/health.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createScrape, type Sources, joinFamilies } from '../../src/observability/scrape.ts';
import { subscription } from '../support/builders/alerts.ts';
import { approvalRequest } from '../support/builders/governance.ts';
import { trailMeaning } from '../../src/storage/checks.ts';
import { trailCut } from '../support/builders/findings.ts';
import { recordingLog } from '../support/log.ts';

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
});

test('the metrics of one bot are those of its registry', async () => {
  const { registry } = createMetrics();
  const text = await registry.metrics();
  expect(joinFamilies([text])).toBe(text);
});
