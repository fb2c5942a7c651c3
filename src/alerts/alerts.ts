import { randomUUID } from 'node:crypto';
import type { ReadBody } from '../http/read-body.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { Responses } from '../quiz-api/responses.ts';
import type { Message } from '../slack/views/message.ts';
import type { Storage } from '../storage/storage.ts';
import { createChannelQueue } from './channel-queue.ts';
import { createCoalescing } from './coalescing.ts';
import { createBackfill } from './backfill.ts';
import { createWithConfigured } from './configured.ts';
import { createSubscriptionService } from './subscription-service.ts';
import { createDigestQueue } from './digests/digest-queue.ts';
import { createFanOut } from './fan-out.ts';
import { channelQueue, backfillQueue, inboxQueue, readQueue, sweepQueue } from './queue-names.ts';
import { createPausing } from './pausing.ts';
import { createMatcher } from './match-subscriptions.ts';
import { createSweeper } from './sweep.ts';
import { createTakeEvent } from './take-event.ts';
import { createWebhookRoute } from './route.ts';
import type { SignatureRule } from './signature.ts';
import type { SlackChannel } from './slack-channel.ts';
import { alertsStatus } from './status.ts';
import { createWebhookCounters } from './webhook-counters.ts';

/** How often the counts of webhooks are written to the store. */
const countEveryMs = 5_000;
/** While webhooks keep coming, queues are woken no more often than this: a run costs the same for one event as for many. */
const wakePauseMs = 50;

/** The way of a webhook to the channels that are subscribed to it, put together from its parts. */
export function createAlerts(deps: {
  storage: Pick<Storage, 'inbox' | 'outbox' | 'queues' | 'subscriptions' | 'counters'>;
  rule: SignatureRule;
  readBody: ReadBody;
  slack: SlackChannel;
  responses: Responses;
  budget: Pick<RequestBudget, 'left'>;
  /** Every quiz of the account. */
  quizIds: () => Promise<string[]>;
  /** The channel that the configuration names. */
  configuredChannelId: string | undefined;
  /** Rejects as long as Slack has not said which workspace this is. */
  teamId: () => Promise<string>;
  administrators: () => Promise<string[]>;
  timeZone: string;
  log: Log;
  metrics: Metrics;
  now: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}) {
  const { storage: { inbox, outbox, queues, subscriptions: store, counters }, slack, responses, teamId, log, metrics, now } = deps;
  const wake = (queue: string, at?: number) => queues.wake(queue, at);
  const newId = () => randomUUID();
  const tell = async (personId: string, message: Message) => void (await slack.post(personId, message));

  const subscriptions = createWithConfigured({ store, channelId: deps.configuredChannelId, timeZone: deps.timeZone, now });
  const subscriptionOf = async (team: string, id: string) => (await subscriptions(team)).find((subscription) => subscription.id === id);
  const ofThisWorkspace = async () => subscriptions(await teamId());
  const { pauseChannel, notifyOwners } = createPausing({ ...deps, store, outbox, subscriptions, tell });

  const stopping = new AbortController();
  const wakeSoon = createCoalescing(wakeAll, wakePauseMs, (ms) => deps.sleep(ms, stopping.signal));
  const matcher = createMatcher({ teamId, store, subscriptions, now });
  const takeEvent = createTakeEvent({ inbox, matcher, wake: wakeSoon });
  const fanOut = createFanOut({ inbox, matcher, takeEvent, wake, responses, log, now });
  const postNext = createChannelQueue({ outbox, slack, subscriptions, onClosed: pauseChannel, newId, log, metrics, now });
  const sumUp = createDigestQueue({ outbox, responses, subscriptionOf, wake, channelQueue, log, now });
  const webhookCounters = createWebhookCounters({ ...deps, counters, everyMs: countEveryMs });
  const onBackfilled = (count: number) => {
    webhookCounters.took('missed', count);
    metrics.webhooks.inc({ outcome: 'missed' }, count);
  };
  const compare = createBackfill({ ...deps, inbox, takeEvent, outbox, subscriptions: ofThisWorkspace, onBackfilled });
  const goRound = createSweeper({ inbox, outbox, wake, matcher, teamId, subscriptions, notifyOwners, log, metrics, now });

  async function run(queue: string): Promise<number | undefined> {
    const { kind, teamId: team, id } = readQueue(queue);
    switch (kind) {
      case inboxQueue:
        return fanOut();
      case 'channel':
        return postNext(queue);
      case 'digest':
        return sumUp(queue, team, id);
      case backfillQueue:
        return compare();
      case sweepQueue:
        return goRound();
      default:
        throw new Error(`nobody knows the queue ${queue}`);
    }
  }

  async function wakeAll(names: ReadonlySet<string>): Promise<void> {
    const woken = await Promise.allSettled([...names].map((queue) => wake(queue)));
    for (const one of woken) if (one.status === 'rejected') log.warn({ error: one.reason as unknown }, 'a queue is woken later');
  }

  return {
    /** Takes `POST /webhooks/quiz`. */
    takeWebhook: createWebhookRoute({ ...deps, takeEvent, counters: webhookCounters }),
    listenerContext: createSubscriptionService({ store, outbox, subscriptions, slack, wake, newId, log, now }),
    subscriptions: ofThisWorkspace,
    status: async () => alertsStatus({ inbox, outbox, counters, subscriptions: ofThisWorkspace, now }),
    async start(): Promise<void> {
      webhookCounters.start();
      await queues.start(run);
      await wake(sweepQueue).catch((error: unknown) => log.warn({ error }, 'the queues are checked when the store is back'));
    },
    /** Ends after the messages that are on their way. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([queues.stop(), webhookCounters.stop()]);
    },
  };
}
