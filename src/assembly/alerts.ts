import { createSubscriptionList, createSubscriptionService, createPausing } from '../features/alerts/subscriptions.ts';
import type { AnnouncementChannel } from '../operations/services/platform.ts';
import { backfillMachine, createQuizActivity } from '../features/webhooks/backfill.ts';
import { createFanOut, createSetAside, createUpkeep } from '../features/webhooks/inbox.ts';
import { createTakeEvent, createMatcher, type EntriesForFollowers } from '../features/webhooks/take.ts';
import { randomUUID } from 'node:crypto';
import type { WhoseAttempt } from '../directory/whose-attempt.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { ReadBody } from '../http/bodies.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { Responses } from '../quiz-api/quiz-api.ts';
import type { Storage } from '../storage/records.ts';
import { channelMachine } from '../features/delivery/channel-machine.ts';
import { assignmentsFor, type NewAssignments } from '../features/delivery/person-view.ts';
import { createPace } from '../features/delivery/pace.ts';
import { personMachine } from '../features/delivery/person-machine.ts';
import { liveMachine, type LiveContent } from '../features/delivery/live-messages.ts';
import { createCoalescing, type Mail } from '../durable/mail.ts';
import { digestMachine } from '../features/delivery/digests.ts';
import { backfillQueue, inboxQueue, pausesQueue } from '../domain/queue-names.ts';
import type { Lasting } from '../durable/engine.ts';
import {
  createMissedRoute,
  createWebhookRoute,
  type createTurns,
  type WebhookTaker,
} from '../features/webhooks/route.ts';
import type { SignatureRule } from '../features/webhooks/signature.ts';
import { alertsStatus, createWebhookCounters } from '../features/webhooks/tally.ts';
import type { RefusedSignature, SetAsideEvent } from '../domain/alerts-status.ts';

/** How often the counts of webhooks are stored. */
const countersEveryMs = 5_000;
/** While webhooks keep coming, queues are woken no more often than this: a run costs the same for one event as for many. */
const wakePauseMs = 50;

/** Of all direct messages together, 300 a minute: of the whole workspace, the platform takes “several hundred messages per minute”. */
const directMessagesPace = { everyMs: 200, burst: 5 };
/** Of all live messages together, 40 a minute: the platform takes 50 changes of messages. */
const liveMessagesPace = { everyMs: 1_500, burst: 5 };

/** Carries submissions from a webhook to the subscribed channels and to the respondents. */
export function createAlerts(deps: {
  storage: Pick<Storage, 'inbox' | 'outbox' | 'queues' | 'subscriptions' | 'counters' | 'kv' | 'content'>;
  mail: Mail;
  rule: SignatureRule;
  readBody: ReadBody;
  /** How webhooks wait for each other. Default: they do not. */
  inTurn?: ReturnType<typeof createTurns> | undefined;
  channel: AnnouncementChannel;
  responses: Responses;
  whoseAttempt: () => Promise<WhoseAttempt>;
  budget: Pick<RequestBudget, 'left'>;
  /** Every quiz of the account. */
  quizIds: () => Promise<string[]>;
  /** Quizzes that nobody can take now. */
  closedIds: () => Promise<ReadonlySet<string>>;
  /** Quizzes that are assigned to users or groups. */
  assignedIds: () => Promise<ReadonlySet<string>>;
  /** The name of a quiz, where it is at hand. */
  quizName: (quizId: string) => Promise<string | undefined>;
  /** Whether the service answered the last call; undefined before the first. */
  isServiceWell: () => boolean | undefined;
  /** A channel that gets every submission. */
  configuredChannelId: string | undefined;
  /** Rejects until the platform has named the workspace. */
  teamId: () => Promise<string>;
  administrators: () => Promise<string[]>;
  /** How people are reached in direct messages. */
  people: Omit<
    Parameters<typeof personMachine>[0],
    'channel' | 'notifiesRespondents' | 'pace' | 'newId' | 'log' | 'counter' | 'now'
  >;
  /** Whether respondents get direct messages. Without them, campaigns still write to leads. */
  notifiesRespondents: boolean;
  /** Called with a submission that was not known before. */
  onSubmission?: Parameters<typeof createTakeEvent>[0]['onSubmission'];
  entriesForFollowers: EntriesForFollowers;
  /** Reads what the live messages of other rooms show. */
  live: LiveContent;
  /** Called with a subscription that is paused without anybody knowing. */
  onNobodyNotified: (subscription: Subscription) => Promise<void>;
  timeZone: string;
  /** How long live messages are kept after their last change. */
  retentionMs: number;
  log: Log;
  metrics: Metrics;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}) {
  const {
    storage,
    storage: { inbox, outbox, queues, subscriptions: store, counters },
    mail,
    channel,
    responses,
    teamId,
    log,
    metrics,
    now,
  } = deps;
  const wake = (queue: string, at?: number) => queues.wake(queue, at);
  const newId = () => randomUUID();

  const subscriptions = createSubscriptionList({
    store,
    channelId: deps.configuredChannelId,
    lostSince: () => storage.content.loss()?.settledUntil,
    timeZone: deps.timeZone,
    now,
  });
  const subscriptionOf = async (team: string, id: string) =>
    (await subscriptions(team)).find((subscription) => subscription.id === id);
  const ofThisWorkspace = async () => subscriptions(await teamId());
  const { pauseChannel, notifyOwners } = createPausing({ ...deps, store, outbox, subscriptions, mail });
  const tellOwners = async () => {
    await notifyOwners(await teamId());
    return undefined;
  };

  const stopping = new AbortController();
  const wakeSoon = createCoalescing(
    (names: ReadonlySet<string>) => mail.wake([...names].map((queue) => ({ queue }))),
    wakePauseMs,
    (ms) => deps.sleep(ms, stopping.signal),
  );
  const matcher = createMatcher({
    teamId,
    store,
    subscriptions,
    notifiesRespondents: deps.notifiesRespondents,
    entriesForFollowers: deps.entriesForFollowers,
    now,
  });
  const activity = createQuizActivity(now);
  const onSubmission: typeof deps.onSubmission = (submission, questions) => {
    activity.seen(submission.quizId, Math.min(now(), submission.submittedAt ?? now()));
    deps.onSubmission?.(submission, questions);
  };
  const takeEvent = createTakeEvent({ inbox, matcher, wake: wakeSoon, onSubmission });
  const channels = channelMachine({
    channel,
    subscriptions,
    onClosed: pauseChannel,
    newId,
    log,
    metrics,
  });
  const people = personMachine({
    ...deps.people,
    notifiesRespondents: deps.notifiesRespondents,
    channel,
    pace: createPace({ ...directMessagesPace, now }),
    newId,
    log,
    counter: metrics.directMessages,
    now,
  });
  const liveMessages = liveMachine({
    channel,
    content: deps.live,
    pace: createPace({ ...liveMessagesPace, now }),
    retentionMs: deps.retentionMs,
    newId,
    log,
  });
  const digests = digestMachine({ responses, subscriptionOf, log, now });
  const refusals = storage.kv<RefusedSignature[]>('refused-signatures');
  const webhookCounters = createWebhookCounters({ ...deps, counters, refusals, everyMs: countersEveryMs });
  const setAsideEvents = storage.kv<SetAsideEvent[]>('set-aside');
  const setAside = createSetAside({ store: setAsideEvents, counters: webhookCounters, log, metrics });
  const fanOut = createFanOut({ ...deps, inbox, matcher, takeEvent, wake, setAside });
  const onBackfilled = (count: number) => {
    webhookCounters.took('backfilled', count);
    metrics.webhooks.inc({ outcome: 'backfilled' }, count);
  };
  const backfill = backfillMachine({
    ...deps,
    inbox,
    takeEvent,
    subscriptions: ofThisWorkspace,
    activity,
    onBackfilled,
    lastLoss: () => storage.content.loss(),
    onLag: (ms) => metrics.backfillLag.set(ms / 1000),
  });
  const upkeep = createUpkeep({
    notifiesRespondents: deps.notifiesRespondents,
    inbox,
    outbox,
    wake,
    matcher,
    log,
    metrics,
    now,
    steadyNow: deps.steadyNow,
  });
  const wakeBackfill = () =>
    void wake(backfillQueue).catch((error: unknown) => log.warn({ error }, 'the comparison begins anew later'));

  const taker: WebhookTaker = { takeEvent, counters: webhookCounters };
  return {
    /** Handles `POST /webhooks/quiz`. */
    takeWebhook: createWebhookRoute({ ...deps, ...taker }),
    missWebhook: createMissedRoute({ ...taker, metrics }),
    /** For webhooks that are read and verified elsewhere. */
    taker,
    subscriptionService: createSubscriptionService({ store, outbox, subscriptions, channel, wake, newId, log, now }),
    /** Tells users about quizzes that a person assigned to them. Nothing where the configuration turns direct messages off. */
    async putAssigned(team: string, by: string, assignments: NewAssignments): Promise<void> {
      if (!deps.notifiesRespondents) return;
      const entries = assignmentsFor(assignments, { by, teamId: team, at: now() });
      await mail.put(entries);
    },
    subscriptions: ofThisWorkspace,
    status: async () =>
      alertsStatus({
        inbox,
        outbox,
        counters,
        refusals,
        setAside: setAsideEvents,
        quizName: deps.quizName,
        subscriptions: ofThisWorkspace,
        now,
      }),
    /** What carries submissions on. */
    lasting: {
      machines: {
        channel: channels,
        person: people,
        live: liveMessages,
        digest: digests,
        [backfillQueue]: backfill,
      },
      jobs: { [inboxQueue]: fanOut, [pausesQueue]: tellOwners },
      upkeep,
    } satisfies Lasting,
    start(): void {
      webhookCounters.start();
      storage.content.onLoss(wakeBackfill);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await webhookCounters.stop();
    },
  };
}
