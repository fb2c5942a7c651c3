import { Gauge } from 'prom-client';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { withTimeout } from '../time/with-timeout.ts';

/** What waits in a queue. */
export interface WaitingQueue {
  /** What the queue is for, one of a few. */
  kind: string;
  /** Slack's id of the channel, where the queue is one’s. */
  channel?: string | undefined;
  waiting: number;
  /** Milliseconds since the epoch. */
  oldestAt: number | undefined;
}

/** What is not counted as it happens but looked up when Prometheus asks. */
export interface Sources {
  queues: () => Promise<WaitingQueue[]>;
  inbox: () => Promise<{ waiting: number; oldestAt: number | undefined }>;
  /** The request budget; a window lasts `windowMs`. */
  budget: () => Promise<{ windows: { windowMs: number; left: number }[]; waiting: Readonly<Record<string, number>> }>;
  openApprovals: () => Promise<number>;
  subscriptions: () => Promise<{ active: number; paused: number }>;
}

/** A source that takes longer is left out. */
const timeoutMs = 2_000;
/** As many channels have numbers of their own, those in which most waits; the others are added up under `other`. */
const channelsAtMost = 50;

/** `GET /metrics`. What a source does not tell is left out, and that it is missing is told: the rest is there all the same. */
export function createMetricsRoute(deps: { metrics: Metrics; sources: Sources; log: Log; now: () => number; timeoutMs?: number }) {
  const { metrics: { registry }, sources, log, now } = deps;
  const gauge = (name: string, help: string, ...labelNames: string[]) => new Gauge({ name: `invigilator_${name}`, help, labelNames, registers: [registry] });
  const ageS = (oldestAt: number | undefined) => (oldestAt === undefined ? 0 : Math.max(0, now() - oldestAt) / 1000);

  const sourceUp = gauge('source_up', 'Whether what is looked up at each scrape could be: 1, or 0', 'source');
  const queueEntries = gauge('queue_entries', 'What waits in queues, by what the queue is for and its channel', 'queue', 'channel');
  const queueAge = gauge('queue_oldest_age_seconds', 'For how long the oldest entry waits, by what the queue is for and its channel', 'queue', 'channel');
  const inboxEvents = gauge('inbox_events', 'Webhook events taken that no queue has yet');
  const inboxAge = gauge('inbox_oldest_age_seconds', 'For how long the oldest event waits; 0 where none does');
  const budgetLeft = gauge('quiz_budget_left_requests', 'Requests the quiz service still takes, by the length of the window', 'window_seconds');
  const budgetWaiting = gauge('quiz_budget_waiting_requests', 'Requests that wait for their turn, by priority', 'priority');
  const approvalsOpen = gauge('approvals_open', 'Requests for approval nobody has decided on');
  const subscriptions = gauge('subscriptions', 'Subscriptions of channels by state', 'state');

  /** Asks a source, and gives what shows its answer. */
  const look: Record<keyof Sources, () => Promise<() => void>> = {
    async queues() {
      const queues = inFewChannels(await sources.queues());
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
      const showIt = await withTimeout(deps.timeoutMs ?? timeoutMs, look[source]());
      away.delete(source);
      return [source, showIt];
    } catch (error) {
      // Once for each time that it is away, and not at every scrape.
      if (!away.has(source)) log.warn({ error, source }, 'a source of the metrics does not answer');
      away.add(source);
      return [source, undefined];
    }
  }

  /** In one go, so that nobody who asks at the same time finds half of it. */
  function show(found: readonly (readonly [string, (() => void) | undefined])[]): void {
    for (const labelled of [queueEntries, queueAge, budgetLeft, budgetWaiting, subscriptions]) labelled.reset();
    // A gauge without labels that is reset says 0, which is not the same as not being known.
    for (const single of [inboxEvents, inboxAge, approvalsOpen]) single.remove();
    for (const [source, showIt] of found) {
      sourceUp.set({ source }, showIt ? 1 : 0);
      showIt?.();
    }
  }

  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    show(await Promise.all((Object.keys(look) as (keyof Sources)[]).map(lookInTime)));
    response.setHeader('content-type', registry.contentType);
    response.end(await registry.metrics());
  };
}

/** Queues of the same kind and channel together, and the channels in which little waits as one. */
function inFewChannels(queues: readonly WaitingQueue[]): WaitingQueue[] {
  const named = new Set(queues.filter(({ channel }) => channel !== undefined).toSorted((a, b) => b.waiting - a.waiting).slice(0, channelsAtMost));
  const sums = new Map<string, WaitingQueue>();
  for (const queue of queues) {
    const channel = queue.channel === undefined || named.has(queue) ? queue.channel : 'other';
    const key = `${queue.kind} ${channel}`;
    const { waiting = 0, oldestAt } = sums.get(key) ?? {};
    const oldest = Math.min(oldestAt ?? Infinity, queue.oldestAt ?? Infinity);
    sums.set(key, { kind: queue.kind, channel, waiting: waiting + queue.waiting, oldestAt: oldest === Infinity ? undefined : oldest });
  }
  return [...sums.values()];
}
