import type { KnownBlock } from '@slack/types';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { NotFoundError } from '../quiz-api/errors.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import { submissionMessage } from '../slack/views/submission.ts';
import type { Inbox, Leases, TakenEvent } from '../storage/storage.ts';
import { parseEvent, parseSubmission, responseSubmitted } from './event.ts';

/** A message as Slack takes it, without the channel. */
export interface Alert {
  text: string;
  blocks: KnownBlock[];
  metadata: { event_type: string; event_payload: Record<string, string> };
}

/** Posts to a channel, once, without retries of its own. */
export type PostAlert = (channel: string, alert: Alert) => Promise<void>;

/** What a failed post means: whether trying again can help, and when at the earliest. */
export interface PostFailure {
  kind: 'rate_limited' | 'passing' | 'permanent';
  code: string;
  retryAfterMs?: number;
}

const pauseBetweenPostsMs = 1_000;
const firstRetryMs = 1_000;
const longestRetryMs = 5 * 60_000;
/** Of several instances one delivers at a time; longer than a post and the pause after it take. */
const lease = 'alerts';
const leaseMs = 60_000;

/**
 * Carries events from the inbox to the channel, oldest first and one message a second, as Slack asks.
 * What fails stays first in line and is tried again for as long as it takes. An event is settled after
 * Slack has its message: a crash between the two posts it again, it never loses it.
 */
export function createDelivery(deps: {
  inbox: Inbox;
  leases: Leases;
  channel: string | undefined;
  quizApi: QuizApi;
  post: PostAlert;
  explainFailure: (error: unknown) => PostFailure;
  timeZone: string;
  log: Log;
  metrics: Metrics;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}) {
  const { inbox, leases, channel, log, metrics } = deps;
  const stopping = new AbortController();
  let wake = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        const waiting = await inbox.countWaiting();
        metrics.alertsWaiting.set(waiting);
        if (waiting === 0) {
          await wake.promise;
          wake = Promise.withResolvers();
        } else if (await leases.take(lease, leaseMs)) {
          try {
            await deliverNext();
          } finally {
            await leases.release(lease);
          }
          failures = 0;
        } else {
          await deps.sleep(pauseBetweenPostsMs, stopping.signal);
        }
      } catch (error) {
        failures += 1;
        await deps.sleep(waitAfter(error, failures), stopping.signal);
      }
    }
  }

  async function deliverNext(): Promise<void> {
    const [event] = await inbox.waiting(1);
    if (event === undefined) return;
    const posted = await deliver(event);
    await inbox.settle(event.id);
    if (posted) await deps.sleep(pauseBetweenPostsMs, stopping.signal);
  }

  /** True when a message was posted. */
  async function deliver(event: TakenEvent): Promise<boolean> {
    if (channel === undefined || event.type !== responseSubmitted) return false;
    const response = await submissionOf(event);
    if (response === undefined) return false;
    const message = submissionMessage(response, deps.timeZone);
    const metadata = { event_type: 'quiz_submission', event_payload: { event_id: event.id } };
    await deps.post(channel, { ...message, metadata });
    metrics.alerts.inc({ outcome: 'posted' });
    log.info({ event: event.id, channel }, 'alert posted');
    return true;
  }

  /** Where the signature does not cover the body, the event is a hint: the service is asked what is true. */
  async function submissionOf(event: TakenEvent): Promise<QuizResponse | undefined> {
    const told = parseSubmission(parseEvent(event.body));
    if (event.trusted) return told;
    try {
      const asked = await deps.quizApi.responses.get(told.quiz_id, told.response_id, { priority: 'background' });
      return asked.status === 'submitted' ? asked : undefined;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      log.warn({ event: event.id }, 'a webhook told of a response the quiz service does not know');
      return undefined;
    }
  }

  function waitAfter(error: unknown, failures: number): number {
    const { kind, code, retryAfterMs } = deps.explainFailure(error);
    metrics.alerts.inc({ outcome: code });
    log.error(
      { error, channel, code, failures },
      kind === 'permanent'
        ? `Slack does not let the bot post to ALERTS_CHANNEL (${code}): invite the bot to the channel, or set another one. The alert is kept and tried again.`
        : 'alert not posted; it is kept and tried again',
    );
    if (retryAfterMs !== undefined) return retryAfterMs;
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
  }

  return {
    /** Begins with what an earlier run left behind. */
    start(): void {
      running = run();
    },
    /** Says that the inbox has something new. */
    wake(): void {
      wake.resolve();
    },
    /** Ends after the message that is on its way. */
    async stop(): Promise<void> {
      stopping.abort();
      wake.resolve();
      await running;
    },
  };
}
