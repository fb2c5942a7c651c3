import { Agent, request } from 'undici';
import type { Database } from '../database.ts';
import { type Face, smoothFace, type WebhookCall } from '../face.ts';
import { type Delivery, findWebhook, listWebhooks } from './webhooks.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The delays between failed deliveries. After the last one the service gives up. */
export const redeliveryDelaysMs: readonly number[] = [
  secondMs,
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  ...Array.from({ length: 24 }, () => hourMs),
];

/** The number of concurrent deliveries per webhook. A slow webhook does not delay the others. */
const maxParallelDeliveries = 8;
const longestTimerMs = 2 ** 31 - 1;

interface DeliveryOptions {
  database: Database;
  now: () => number;
  send: SendWebhook;
  /** Default: the smooth face. */
  face?: Pick<Face, 'webhookCall'>;
  delaysMs?: readonly number[];
  /** Calls `run` after a delay. @returns a function that cancels it */
  startTimer?: ((run: () => void, delayMs: number) => () => void) | undefined;
  reportError: (error: unknown) => void;
}

type DueDelivery = Delivery & { seq: number; webhook_id: string };

/**
 * Delivers events in the background until each delivery gets status 200. Deliveries that an earlier process left pending
 * are included.
 */
export function startDelivery(options: DeliveryOptions) {
  const { database, now, send, face = smoothFace, reportError } = options;
  const { delaysMs = redeliveryDelaysMs, startTimer = startNodeTimer } = options;
  const shutdown = new AbortController();
  const inFlight = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let cancelTimer: (() => void) | undefined;

  /** Starts all due deliveries. */
  function wake(): void {
    if (shutdown.signal.aborted) return;
    cancelTimer?.();
    for (const webhook of listWebhooks(database)) {
      const slots = maxParallelDeliveries - (inFlight.get(webhook.webhook_id) ?? 0);
      if (slots > 0) for (const delivery of claimDue(webhook.webhook_id, slots)) begin(delivery);
    }
    const next = nextAttemptMs();
    if (next !== undefined) cancelTimer = startTimer(wake, Math.min(Math.max(next - now(), 1), longestTimerMs));
  }

  function begin(delivery: DueDelivery): void {
    inFlight.set(delivery.webhook_id, (inFlight.get(delivery.webhook_id) ?? 0) + 1);
    const run = deliver(delivery)
      .catch(reportError)
      .finally(() => {
        inFlight.set(delivery.webhook_id, (inFlight.get(delivery.webhook_id) ?? 1) - 1);
        running.delete(run);
        wake();
      });
    running.add(run);
  }

  /**
   * Counts the attempt and schedules the next one before it sends, so that a crash in between only
   * delays the delivery.
   */
  function claimDue(webhookId: string, limit: number): DueDelivery[] {
    return database.transaction(() => {
      const due = database.all<DueDelivery>(
        `SELECT seq, webhook_id, event_id, event_type, event_date, event_data, attempt + 1 AS attempt
         FROM deliveries WHERE state = 'pending' AND next_attempt_ms <= ? AND webhook_id = ? ORDER BY seq LIMIT ?`,
        [now(), webhookId, limit],
      );
      for (const { seq, attempt } of due) {
        const next_attempt_ms = now() + webhookTimeoutMs + (delaysMs[attempt - 1] ?? 0);
        database.update('deliveries', 'seq', { seq, attempt, next_attempt_ms });
      }
      return due;
    });
  }

  async function deliver(delivery: DueDelivery): Promise<void> {
    const webhook = findWebhook(database, delivery.webhook_id);
    if (!webhook) return;
    let result: string;
    try {
      const status = await send(face.webhookCall(webhook, delivery, now()), shutdown.signal);
      if (status === 200) return recordResult(delivery, 'delivered', '200');
      result = String(status);
    } catch (error) {
      if (shutdown.signal.aborted) return recordResult(delivery, 'pending', 'broken off', now());
      result = describeFailure(error);
    }
    const delayMs = delaysMs[delivery.attempt - 1];
    if (delayMs === undefined) recordResult(delivery, 'given_up', result);
    else recordResult(delivery, 'pending', result, now() + delayMs);
  }

  function recordResult(
    { seq }: DueDelivery,
    state: 'delivered' | 'given_up' | 'pending',
    result: string,
    nextAttemptAtMs = 0,
  ): void {
    database.update('deliveries', 'seq', { seq, state, last_result: result, next_attempt_ms: nextAttemptAtMs });
  }

  /** The time of the next attempt. Ignores webhooks without a free slot: the end of a delivery calls `wake`. */
  function nextAttemptMs(): number | undefined {
    const waiting = database.all<{ webhook_id: string; next: number }>(
      `SELECT webhook_id, min(next_attempt_ms) AS next FROM deliveries WHERE state = 'pending' GROUP BY webhook_id`,
    );
    const next = waiting
      .filter(({ webhook_id }) => (inFlight.get(webhook_id) ?? 0) < maxParallelDeliveries)
      .map((item) => item.next);
    return next.length > 0 ? Math.min(...next) : undefined;
  }

  wake();
  return {
    wake,
    /** Aborts deliveries in flight. The next start delivers them again. */
    async close(): Promise<void> {
      shutdown.abort();
      cancelTimer?.();
      await Promise.all(running);
    },
  };
}

function startNodeTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'no answer in time';
  return 'code' in error ? String(error.code) : error.name;
}

/** Posts a webhook. @returns the status of the response @throws when it does not arrive in time */
export type SendWebhook = (call: WebhookCall, signal: AbortSignal) => Promise<number>;

const webhookTimeoutMs = 10_000;

/** Creates a sender with a connection pool of its own. */
export function createWebhookSender(): { send: SendWebhook; close: () => Promise<void> } {
  const agent = new Agent({ connect: { timeout: webhookTimeoutMs }, pipelining: 1, connections: 32 });
  return {
    async send({ url, headers, body }, signal) {
      const answer = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'quiz-service-webhook/1',
          ...headers,
        },
        body,
        dispatcher: agent,
        signal: AbortSignal.any([signal, AbortSignal.timeout(webhookTimeoutMs)]),
      });
      await answer.body.dump();
      return answer.statusCode;
    },
    close: () => agent.destroy(),
  };
}
