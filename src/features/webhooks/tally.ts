import type { IncomingHttpHeaders } from 'node:http';
import type { RefusedSignature, SetAsideEvent, AlertsStatus, WebhooksStatus } from '../../domain/alerts-status.ts';
import type { Log } from '../../observability/log.ts';
import type { Outbox } from '../../storage/storage.ts';
import { readInbox, type Counters } from '../../storage/records.ts';
import { createRepeating } from '../../time/timers.ts';
import { isPaused, type Subscription } from '../../domain/subscription.ts';
import { readQueue } from '../../domain/queues.ts';

/** The name and fields in the store. A refusal is counted under its reason. */
const webhookCountersName = 'webhooks';
const refusedPrefix = 'refused: ';

/** `known`: sent again. `backfilled`: it never came, and the bot found the submission. `setAside`: its tries have ended. */
type Took = 'taken' | 'known' | 'backfilled' | 'setAside';

export type WebhookCounters = ReturnType<typeof createWebhookCounters>;

/**
 * Counts webhooks by their outcome, in memory, and adds the counts to the store every `everyMs` and at the end, so that a flood
 * of forged webhooks costs neither a write nor a log line each. A crash loses the counts since the last write.
 */
export function createWebhookCounters(deps: {
  counters: Counters;
  refusals: Pick<Latest<RefusedSignature>, 'set'>;
  now: () => number;
  everyMs: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}) {
  const { counters, now, log } = deps;
  const keeping = createRepeating({ work: keep, everyMs: deps.everyMs, sleep: deps.sleep, onError: warn });
  let counts = new Map<string, number>();
  let times = new Map<string, number>();
  /** Refusals that are not logged yet. */
  const unlogged = new Map<string, number>();
  let refusals: RefusedSignature[] = [];
  let areRefusalsKept = true;
  let hasBegun = false;
  /** In a row. */
  let failures = 0;

  function count(counted: Map<string, number>, field: string, by: number): void {
    counted.set(field, (counted.get(field) ?? 0) + by);
  }

  async function keep(): Promise<void> {
    const counted = counts;
    const raised = times;
    counts = new Map();
    times = new Map();
    logRefusals();
    try {
      if (!hasBegun) await begin();
      if (counted.size > 0) await counters.add(webhookCountersName, Object.fromEntries(counted));
      counted.clear();
      for (const [field, at] of raised) await counters.raise(webhookCountersName, field, at);
      if (!areRefusalsKept) await keepRefusals();
      if (failures > 0) log.info({ times: failures }, 'webhooks are counted again');
      failures = 0;
    } catch (error) {
      for (const [field, by] of counted) count(counts, field, by);
      for (const [field, at] of raised) times.set(field, Math.max(at, times.get(field) ?? 0));
      warn(error);
    }
  }

  async function keepRefusals(): Promise<void> {
    const kept = refusals;
    await deps.refusals.set('latest', kept, refusalsTtlMs);
    areRefusalsKept = refusals === kept;
  }

  /** Keeps the time of the first count of all. */
  async function begin(): Promise<void> {
    const { since } = await counters.of(webhookCountersName);
    if (since === undefined) await counters.raise(webhookCountersName, 'since', now());
    hasBegun = true;
  }

  function warn(error: unknown): void {
    failures += 1;
    if (failures === 1) log.warn({ error }, 'webhooks could not be counted; they are counted later');
  }

  function logRefusals(): void {
    if (unlogged.size > 0)
      log.warn({ reasons: Object.fromEntries(unlogged), ...(!areRefusalsKept && lastRefusal()) }, 'webhooks refused');
    unlogged.clear();
  }

  /** Not as `headers`, which the log redacts. */
  function lastRefusal(): object {
    const [last] = refusals;
    return last
      ? {
          tried: last.tried.map(({ scheme, problem }) => `${scheme}: ${problem}`),
          headerNames: last.headers,
          path: last.path,
        }
      : {};
  }

  return {
    took(what: Took, by = 1): void {
      count(counts, what, by);
      if (what === 'taken' || what === 'known') times.set('lastAt', now());
    },
    /**
     * @param reason one of a few, never a text from outside
     * @param refusal what the signature lacked, or the path; only the latest few are kept
     */
    refused(reason: string, refusal?: Omit<RefusedSignature, 'at'>): void {
      if (refusal && (refusal.tried.length > 0 || refusal.path !== undefined)) {
        refusals = withRefusal(refusals, { at: now(), ...refusal });
        areRefusalsKept = false;
      }
      count(counts, `${refusedPrefix}${reason}`, 1);
      count(unlogged, reason, 1);
      times.set('lastRefusedAt', now());
    },
    start: keeping.start,
    async stop(): Promise<void> {
      await keeping.stop();
      await keep();
    },
  };
}

/** Keyed values with the latest of a kind, under one key. */
export interface Latest<Value> {
  get(key: 'latest'): Promise<Value[] | undefined>;
  set(key: 'latest', values: Value[], ttlMs: number): Promise<unknown>;
}

/** What was refused longer ago is mended, or never was a webhook of the account. */
const refusalsTtlMs = 7 * 24 * 3_600_000;
const refusalsAtMost = 3;
const namesAtMost = 8;

/** The latest different refusals, the last first. */
function withRefusal(refusals: readonly RefusedSignature[], refusal: RefusedSignature): RefusedSignature[] {
  return [refusal, ...refusals.filter((other) => keyOf(other) !== keyOf(refusal))].slice(0, refusalsAtMost);
}

function keyOf({ tried, headers, path }: RefusedSignature): string {
  return JSON.stringify([tried, headers, path]);
}

/** Headers that every request has, or that a proxy adds. */
const usual =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|accept.*|user-agent|cache-control|pragma|date|expect|te|via|forwarded|x-forwarded-.*|x-real-ip|cdn-loop|cf-.*|traceparent|tracestate|x-request-id|sec-.*|upgrade.*)$/;
const ofSignature = /sign|hmac|hash|digest|time|webhook|hook|token|secret/;
const plainName = /^[a-z\d-]{1,40}$/;

/** The names of the headers that came, those that can belong to a signature first; few, and none of them long. */
export function comingHeaders(headers: IncomingHttpHeaders): string[] {
  const names = Object.keys(headers)
    .filter((name) => plainName.test(name) && !usual.test(name))
    .toSorted();
  return [...names.filter((name) => ofSignature.test(name)), ...names.filter((name) => !ofSignature.test(name))].slice(
    0,
    namesAtMost,
  );
}

export async function alertsStatus(deps: {
  outbox: Pick<Outbox, 'queues' | 'waiting' | 'stateOf'>;
  counters: Pick<Counters, 'of'>;
  refusals: Pick<Latest<RefusedSignature>, 'get'>;
  setAside: Pick<Latest<SetAsideEvent>, 'get'>;
  /** The name of a quiz, where it is at hand. */
  quizName: (quizId: string) => Promise<string | undefined>;
  subscriptions: () => Promise<readonly Subscription[]>;
  now: () => number;
}): Promise<AlertsStatus> {
  const [events, queues, counters, refusals, setAside, subscriptions] = await Promise.all([
    readInbox(deps.outbox),
    deps.outbox.queues(),
    deps.counters.of(webhookCountersName),
    deps.refusals.get('latest'),
    deps.setAside.get('latest'),
    deps.subscriptions(),
  ]);
  const channels = queues.filter(({ queue, waiting }) => waiting > 0 && readQueue(queue).kind === 'channel');
  const oldest = channels.flatMap(({ oldestAt }) => oldestAt ?? []);
  return {
    webhooks: {
      ...webhooksStatus(counters, refusals ?? []),
      setAside: {
        count: counters['setAside'] ?? 0,
        events: await Promise.all(
          (setAside ?? []).map(async (event) => ({
            ...event,
            quizName: event.quizName ?? (await deps.quizName(event.quizId)) ?? null,
          })),
        ),
      },
    },
    events: events.count,
    postponed: events.postponed,
    waiting: channels.reduce((sum, { waiting }) => sum + waiting, 0),
    channels: channels.length,
    oldestAt: oldest.length > 0 ? Math.min(...oldest) : undefined,
    subscriptions: subscriptions.length,
    paused: subscriptions.filter((subscription) => isPaused(subscription, deps.now())).length,
  };
}

function webhooksStatus(
  counters: Readonly<Record<string, number>>,
  refusedSignatures: readonly RefusedSignature[],
): Omit<WebhooksStatus, 'setAside'> {
  const { since, lastAt, lastRefusedAt, taken = 0, backfilled = 0 } = counters;
  const refused = Object.entries(counters)
    .filter(([field]) => field.startsWith(refusedPrefix))
    .map(([field, count]) => ({ reason: field.slice(refusedPrefix.length), count }))
    .toSorted((a, b) => b.count - a.count);
  return { since, lastAt, taken, backfilled, refused, lastRefusedAt, refusedSignatures };
}
