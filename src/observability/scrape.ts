import type { Log } from './log.ts';
import { metricsIn, type Metrics } from './metrics.ts';
import { withTimeout } from '../time/clock.ts';

/** The entries that wait in a queue. */
interface WaitingQueue {
  /** The purpose of the queue; few different values. */
  kind: string;
  /** The id of the channel, for a queue of a channel. */
  channel?: string | undefined;
  waiting: number;
  /** Milliseconds since the epoch. */
  oldestAt: number | undefined;
}

/** Figures that are looked up when Prometheus asks, rather than counted as they change. */
export interface Sources {
  queues: () => Promise<WaitingQueue[]>;
  /** By kind of work, since when the next step of what is furthest behind is due (milliseconds since the epoch). */
  overdue: () => Promise<Readonly<Record<string, number | undefined>>>;
  inbox: () => Promise<{ waiting: number; oldestAt: number | undefined }>;
  /** The request budget; a window lasts `windowMs`. */
  budget: () => Promise<{ windows: { windowMs: number; left: number }[]; waiting: Readonly<Record<string, number>> }>;
  openApprovals: () => Promise<number>;
  subscriptions: () => Promise<{ active: number; paused: number }>;
}

/** Sources that take longer are left out. */
const standardTimeoutMs = 2_000;
/** This many channels, the fullest, have their own figures, fewer of each tenant; the others are added up as `other`. */
const channelsAtMost = { ofOne: 50, ofTenant: 3 };

/** Gives the metrics of a bot as Prometheus reads them. */
export type Scrape = () => Promise<string>;

/** Looks up figures for each scrape. Those of a source that fails are left out, and `source_up` says so; the others are there. */
export function createScrape(deps: {
  metrics: Metrics;
  sources: Sources;
  /** Looks, and never rejects or hangs. What it gives sets gauges of its own, and says which of its sources could be looked up. */
  lookUpHealth: () => Promise<() => Readonly<Record<string, boolean>>>;
  log: Log;
  now: () => number;
  timeoutMs?: number;
}): Scrape {
  const {
    metrics: { registry, shared },
    sources,
    log,
    now,
  } = deps;
  const { gauge: named } = metricsIn(registry);
  const gauge = (name: string, ...more: [help: string, ...labelNames: string[]]) =>
    named(`invigilator_${name}`, ...more);
  const channels = shared === registry ? channelsAtMost.ofOne : channelsAtMost.ofTenant;
  const ageS = (oldestAt: number | undefined) => (oldestAt === undefined ? 0 : Math.max(0, now() - oldestAt) / 1000);

  const sourceUp = gauge('source_up', 'Whether what is looked up at each scrape could be: 1, or 0', 'source');
  const queueEntries = gauge(
    'queue_entries',
    'What waits in queues, by what the queue is for and its channel',
    'queue',
    'channel',
  );
  const queueAge = gauge(
    'queue_oldest_age_seconds',
    'For how long the oldest entry waits, by what the queue is for and its channel',
    'queue',
    'channel',
  );
  const inboxEvents = gauge('inbox_events', 'Webhook events taken that no queue has yet');
  const inboxAge = gauge('inbox_oldest_age_seconds', 'For how long the oldest event waits; 0 where none does');
  const overdue = gauge(
    'work_overdue_seconds',
    'For how long the next step of the unfinished work that is furthest behind is due, by kind; 0 where none is behind',
    'kind',
  );
  const budgetLeft = gauge(
    'quiz_budget_left_requests',
    'Requests the quiz service still takes, by the length of the window',
    'window_seconds',
  );
  const budgetWaiting = gauge(
    'quiz_budget_waiting_requests',
    'Requests that wait for their turn, by priority',
    'priority',
  );
  const approvalsOpen = gauge('approvals_open', 'Requests for approval nobody has decided on');
  const subscriptions = gauge('subscriptions', 'Subscriptions of channels by state', 'state');

  /** Asks a source. @returns a function that sets its gauges */
  const look: Record<keyof Sources, () => Promise<() => void>> = {
    async queues() {
      const queues = inFewChannels(await sources.queues(), channels);
      return () => {
        for (const { kind: queue, channel = '', waiting, oldestAt } of queues) {
          queueEntries.set({ queue, channel }, waiting);
          queueAge.set({ queue, channel }, ageS(oldestAt));
        }
      };
    },
    async inbox() {
      const { waiting, oldestAt } = await sources.inbox();
      return () => {
        inboxEvents.set(waiting);
        inboxAge.set(ageS(oldestAt));
      };
    },
    async overdue() {
      const since = await sources.overdue();
      return () => {
        for (const [kind, at] of Object.entries(since)) overdue.set({ kind }, ageS(at));
      };
    },
    async budget() {
      const { windows, waiting } = await sources.budget();
      return () => {
        for (const { windowMs, left } of windows) budgetLeft.set({ window_seconds: windowMs / 1000 }, left);
        for (const [priority, count] of Object.entries(waiting)) budgetWaiting.set({ priority }, count);
      };
    },
    async openApprovals() {
      const open = await sources.openApprovals();
      return () => approvalsOpen.set(open);
    },
    async subscriptions() {
      const { active, paused } = await sources.subscriptions();
      return () => {
        subscriptions.set({ state: 'active' }, active);
        subscriptions.set({ state: 'paused' }, paused);
      };
    },
  };

  const away = new Set<keyof Sources>();

  async function lookInTime(source: keyof Sources): Promise<readonly [string, (() => void) | undefined]> {
    try {
      const showIt = await withTimeout(deps.timeoutMs ?? standardTimeoutMs, look[source]());
      away.delete(source);
      return [source, showIt];
    } catch (error) {
      // Once per outage, not at every scrape.
      if (!away.has(source)) log.warn({ error, source }, 'a source of the metrics does not answer');
      away.add(source);
      return [source, undefined];
    }
  }

  /** Synchronous: a scrape at the same time sees either all of it or nothing. */
  function show(
    found: readonly (readonly [string, (() => void) | undefined])[],
    showHealth: () => Readonly<Record<string, boolean>>,
  ): void {
    for (const labelled of [queueEntries, queueAge, overdue, budgetLeft, budgetWaiting, subscriptions])
      labelled.reset();
    // Resetting a gauge without labels sets it to 0, which is not the same as unknown.
    for (const single of [inboxEvents, inboxAge, approvalsOpen]) single.remove();
    for (const [source, showIt] of found) {
      sourceUp.set({ source }, showIt ? 1 : 0);
      showIt?.();
    }
    for (const [source, isUp] of Object.entries(showHealth())) sourceUp.set({ source }, isUp ? 1 : 0);
  }

  return async () => {
    const [found, showHealth] = await Promise.all([
      Promise.all((Object.keys(look) as (keyof Sources)[]).map(lookInTime)),
      deps.lookUpHealth(),
    ]);
    show(found, showHealth);
    return registry.metrics();
  };
}

/** Adds up the queues of the same kind and channel, and the channels with the fewest entries. */
function inFewChannels(queues: readonly WaitingQueue[], atMost: number): WaitingQueue[] {
  const named = new Set(
    queues
      .filter(({ channel }) => channel !== undefined)
      .toSorted((a, b) => b.waiting - a.waiting)
      .slice(0, atMost),
  );
  const sums = new Map<string, WaitingQueue>();
  for (const queue of queues) {
    const channel = queue.channel === undefined || named.has(queue) ? queue.channel : 'other';
    const key = `${queue.kind} ${channel}`;
    const { waiting = 0, oldestAt } = sums.get(key) ?? {};
    const oldest = Math.min(oldestAt ?? Infinity, queue.oldestAt ?? Infinity);
    sums.set(key, {
      kind: queue.kind,
      channel,
      waiting: waiting + queue.waiting,
      oldestAt: oldest === Infinity ? undefined : oldest,
    });
  }
  return [...sums.values()];
}
