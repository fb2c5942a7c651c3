import { randomUUID } from 'node:crypto';
import type { ReadBody } from '../http/read-body.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { Responses } from '../quiz-api/responses.ts';
import type { Message } from '../slack/views/message.ts';
import type { Storage } from '../storage/storage.ts';
import { createChannelLane } from './channel-queue.ts';
import { createCoalescing } from './coalescing.ts';
import { createCompare } from './backfill.ts';
import { createWithConfigured } from './configured.ts';
import { createAlertsDesk } from './subscription-service.ts';
import { createDigestLane } from './digests/digest-queue.ts';
import { createDistribute } from './fan-out.ts';
import { channelLane, compareLane, inboxLane, readLane, roundsLane } from './queue-names.ts';
import { createPausing } from './pausing.ts';
import { createRounds } from './sweep.ts';
import { createWebhookRoute } from './route.ts';
import type { SignatureRule } from './signature.ts';
import type { SlackChannel } from './slack-channel.ts';
import { alertsStatus } from './status.ts';
import { createWebhookTally } from './webhook-counters.ts';

/** How often what became of webhooks is written down. */
const tallyEveryMs = 5_000;
/** While webhooks keep coming, the inbox is woken no oftener: each run costs the same for one event as for many. */
const wakePauseMs = 50;

/** From a webhook to the channels that want to hear of it: put together from its parts. */
export function createAlerts(deps: {
  storage: Pick<Storage, 'inbox' | 'outbox' | 'lanes' | 'subscriptions' | 'tallies'>;
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
  const { storage: { inbox, outbox, lanes, subscriptions: store, tallies }, slack, responses, teamId, log, metrics, now } = deps;
  const wake = (lane: string, at?: number) => lanes.wake(lane, at);
  const newId = () => randomUUID();
  const tell = async (slackId: string, message: Message) => void (await slack.post(slackId, message));

  const subscriptions = createWithConfigured({ store, channelId: deps.configuredChannelId, timeZone: deps.timeZone, now });
  const subscriptionOf = async (team: string, id: string) => (await subscriptions(team)).find((subscription) => subscription.id === id);
  const ofThisWorkspace = async () => subscriptions(await teamId());
  const { pauseChannel, tellOwners } = createPausing({ ...deps, store, outbox, subscriptions, tell });

  const distribute = createDistribute({ inbox, outbox, wake, subscriptions: ofThisWorkspace, responses, log, now });
  const postNext = createChannelLane({ outbox, slack, subscriptions, onClosed: pauseChannel, newId, log, metrics, now });
  const sumUp = createDigestLane({ outbox, responses, subscriptionOf, wake, channelLane, log, now });
  const tally = createWebhookTally({ ...deps, tallies, everyMs: tallyEveryMs });
  const onMissed = (count: number) => {
    tally.took('missed', count);
    metrics.webhooks.inc({ outcome: 'missed' }, count);
  };
  const compare = createCompare({ ...deps, inbox, outbox, subscriptions: ofThisWorkspace, wakeInbox: () => wake(inboxLane), onMissed });
  const goRound = createRounds({ inbox, outbox, wake, teamId, subscriptions, tellOwners, log, metrics, now });

  async function run(lane: string): Promise<number | undefined> {
    const { kind, teamId: team, id } = readLane(lane);
    switch (kind) {
      case inboxLane:
        return distribute();
      case 'channel':
        return postNext(lane);
      case 'digest':
        return sumUp(lane, team, id);
      case compareLane:
        return compare();
      case roundsLane:
        return goRound();
      default:
        throw new Error(`nobody knows the lane ${lane}`);
    }
  }

  const stopping = new AbortController();
  const onTaken = createCoalescing(async () => wake(inboxLane).catch((error: unknown) => log.warn({ error }, 'the inbox is looked at later')), wakePauseMs, (ms) => deps.sleep(ms, stopping.signal));

  return {
    /** Takes `POST /webhooks/quiz`. */
    takeWebhook: createWebhookRoute({ ...deps, inbox, tally, onTaken }),
    desk: createAlertsDesk({ store, outbox, subscriptions, slack, wake, newId, log, now }),
    subscriptions: ofThisWorkspace,
    status: async () => alertsStatus({ inbox, outbox, tallies, subscriptions: ofThisWorkspace, now }),
    async start(): Promise<void> {
      tally.start();
      await lanes.start(run);
      await wake(roundsLane).catch((error: unknown) => log.warn({ error }, 'the rounds begin when the store is back'));
    },
    /** Ends after the messages that are on their way. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([lanes.stop(), tally.stop()]);
    },
  };
}
