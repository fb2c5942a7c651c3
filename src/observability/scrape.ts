import type { IncomingMessage, ServerResponse } from 'node:http';
import { Registry, type Gauge } from 'prom-client';
import { readQueue } from '../domain/queues.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';
import { withTimeout } from '../time/clock.ts';
import type { Log } from './log.ts';
import { metricsIn, type Metrics } from './metrics.ts';

/** What waits in a queue, and since when, in milliseconds since the epoch. */
interface WaitingQueue {
  queue: string;
  waiting: number;
  oldestAt: number | undefined;
}

/** Figures that are looked up when Prometheus asks, rather than counted as they change. */
export interface Sources {
  queues: () => Promise<readonly WaitingQueue[]>;
  /** By kind of work, since when the next step of what is furthest behind is due (milliseconds since the epoch). */
  overdue: () => Promise<Readonly<Record<string, number | undefined>>>;
  inbox: () => Promise<{ count: number; oldestAt: number | undefined }>;
  /** The request budget; a window lasts `windowMs`. */
  budget: () => Promise<{ windows: { windowMs: number; left: number }[]; waiting: Readonly<Record<string, number>> }>;
  openApprovals: () => Promise<readonly unknown[]>;
  subscriptions: () => Promise<readonly Subscription[]>;
}

/** This many channels, the fullest, have their own figures, fewer of each tenant; the others are added up as `other`. */
const channelsAtMost = { ofOne: 50, ofTenant: 3 };

/** Gives the metrics of a bot as Prometheus reads them. */
export type Scrape = () => Promise<string>;

/** Looks up figures for each scrape. Those of a source that fails are left out, and `source_up` says so; the others are there. */
export function createScrape({
  metrics: { registry, shared },
  sources,
  lookUpHealth,
  log,
  now,
  timeoutMs = 2_000,
}: {
  metrics: Pick<Metrics, 'registry' | 'shared'>;
  sources: Sources;
  /** Sets the gauges of the checks. Never rejects or hangs. */
  lookUpHealth: () => Promise<void>;
  log: Log;
  now: () => number;
  timeoutMs?: number;
}): Scrape {
  const { gauge: named } = metricsIn(registry);
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    named(`invigilator_${name}`, help, ...labelNames);
  const channels = shared === registry ? channelsAtMost.ofOne : channelsAtMost.ofTenant;
  const ageS = (oldestAt: number | undefined) => (oldestAt === undefined ? 0 : Math.max(0, now() - oldestAt) / 1000);
  const isUp = sourceUpIn(registry);
  const away = new Set<string>();

  /** Asks a source in time, and shows what it found in its gauges, which are empty otherwise. */
  function asked<Found>(
    source: string,
    look: () => Promise<Found>,
    gauges: readonly Gauge[],
    show: (found: Found) => void,
  ): () => Promise<void> {
    return async () => {
      let showFound = () => {};
      try {
        const found = await withTimeout(timeoutMs, look());
        showFound = () => show(found);
        away.delete(source);
      } catch (error) {
        // Once per outage, not at every scrape.
        if (!away.has(source)) log.warn({ error, source }, 'a source of the metrics does not answer');
        away.add(source);
      }
      for (const one of gauges) clear(one);
      isUp.set({ source }, away.has(source) ? 0 : 1);
      showFound();
    };
  }

  const entries = gauge(
    'queue_entries',
    'What waits in queues, by what the queue is for and its channel',
    'queue',
    'channel',
  );
  const oldestAge = gauge(
    'queue_oldest_age_seconds',
    'For how long the oldest entry waits, by what the queue is for and its channel',
    'queue',
    'channel',
  );
  const events = gauge('inbox_events', 'Webhook events taken that no queue has yet');
  const eventAge = gauge('inbox_oldest_age_seconds', 'For how long the oldest event waits; 0 where none does');
  const overdue = gauge(
    'work_overdue_seconds',
    'For how long the next step of the unfinished work that is furthest behind is due, by kind; 0 where none is behind',
    'kind',
  );
  const left = gauge(
    'quiz_budget_left_requests',
    'Requests the quiz service still takes, by the length of the window',
    'window_seconds',
  );
  const turns = gauge('quiz_budget_waiting_requests', 'Requests that wait for their turn, by priority', 'priority');
  const open = gauge('approvals_open', 'Requests for approval nobody has decided on');
  const states = gauge('subscriptions', 'Subscriptions of channels by state', 'state');

  const looks = [
    asked('queues', sources.queues, [entries, oldestAge], (queues) => {
      for (const { labels, waiting, oldestAt } of inFewChannels(queues, channels)) {
        entries.set(labels, waiting);
        oldestAge.set(labels, ageS(oldestAt));
      }
    }),
    asked('inbox', sources.inbox, [events, eventAge], ({ count, oldestAt }) => {
      events.set(count);
      eventAge.set(ageS(oldestAt));
    }),
    asked('overdue', sources.overdue, [overdue], (since) => {
      for (const [kind, at] of Object.entries(since)) overdue.set({ kind }, ageS(at));
    }),
    asked('budget', sources.budget, [left, turns], ({ windows, waiting }) => {
      for (const window of windows) left.set({ window_seconds: window.windowMs / 1000 }, window.left);
      for (const [priority, count] of Object.entries(waiting)) turns.set({ priority }, count);
    }),
    asked('openApprovals', sources.openApprovals, [open], (requests) => open.set(requests.length)),
    asked('subscriptions', sources.subscriptions, [states], (all) => {
      const paused = all.filter((subscription) => isPaused(subscription, now())).length;
      states.set({ state: 'active' }, all.length - paused);
      states.set({ state: 'paused' }, paused);
    }),
    lookUpHealth,
  ];

  return async () => {
    await Promise.all(looks.map((look) => look()));
    return registry.metrics();
  };
}

/** Says of each source whether it could be looked up. */
export function sourceUpIn(registry: Registry): Gauge {
  return metricsIn(registry).gauge(
    'invigilator_source_up',
    'Whether what is looked up at each scrape could be: 1, or 0',
    'source',
  );
}

/** Leaves nothing of a gauge: one without labels would be 0 after `reset` alone, which is not the same as unknown. */
function clear(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}

/** Adds up the queues of the same kind and channel, and the channels with the fewest entries. */
function inFewChannels(queues: readonly WaitingQueue[], atMost: number) {
  const fullest = new Set(
    queues
      .filter(({ queue }) => readQueue(queue).kind === 'channel')
      .toSorted((a, b) => b.waiting - a.waiting)
      .slice(0, atMost),
  );
  const sums = new Map<string, { labels: Record<'queue' | 'channel', string> } & Omit<WaitingQueue, 'queue'>>();
  for (const each of queues) {
    const { kind, id } = readQueue(each.queue);
    const labels = { queue: kind, channel: kind === 'channel' ? (fullest.has(each) ? id : 'other') : '' };
    const { waiting, oldestAt } = sums.get(Object.values(labels).join(' ')) ?? { waiting: 0, oldestAt: undefined };
    sums.set(Object.values(labels).join(' '), {
      labels,
      waiting: waiting + each.waiting,
      oldestAt: oldestAt === undefined ? each.oldestAt : Math.min(oldestAt, each.oldestAt ?? oldestAt),
    });
  }
  return sums.values();
}

/** `GET /metrics`: the metrics of the process and of each bot in it. */
export function createMetricsRoute(scrapes: () => readonly Scrape[]) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const texts = await Promise.all(scrapes().map((scrape) => scrape()));
    response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
    response.end(joinFamilies(texts));
  };
}

/**
 * Joins texts whose metrics may have the same names: the series of a name stand together, below one description.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#grouping-and-sorting
 */
export function joinFamilies(texts: readonly string[]): string {
  const families = new Map<string, string>();
  for (const family of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const [, head = '', series = ''] = /^(# HELP .*\n# TYPE .*\n)([^]*)$/.exec(`${family.trimEnd()}\n`) ?? [];
    if (head !== '') families.set(head, (families.get(head) ?? head) + series);
  }
  return [...families.values()].join('\n');
}
