import { randomUUID } from 'node:crypto';
import type { Submission } from '../domain/queue-entry.ts';
import type { Subscription } from '../domain/subscription.ts';
import type { ReadBody } from '../http/read-body.ts';
import type { BeginWork } from '../observability/tracing.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { Responses } from '../quiz-api/quiz-api.ts';
import type { Storage } from '../storage/storage.ts';
import type { AnnouncementChannel } from './announcement-channel.ts';
import { createChannelQueue } from './channel-queue.ts';
import { assignmentsFor, type NewAssignments } from './direct-messages/contents.ts';
import { createPace } from './direct-messages/pace.ts';
import { createPersonQueue } from './direct-messages/person-queue.ts';
import { createLiveQueue, type LiveContent } from './live-messages/live-queue.ts';
import { createCoalescing, createTakeEvent } from './take-event.ts';
import { createBackfill } from './backfill.ts';
import { createSubscriptionList, createSubscriptionService } from './subscription-service.ts';
import { createDigestQueue } from './digests/digest-queue.ts';
import { createFanOut } from './fan-out.ts';
import { createQuizActivity } from './quiz-activity.ts';
import { directMessages, backfillQueue, inboxQueue, readQueue, sweepQueue } from '../domain/queue-names.ts';
import { createPausing } from './pausing.ts';
import { createMatcher, type EntriesForFollowers } from './match-subscriptions.ts';
import { createSweeper } from './sweep.ts';
import { createWebhookRoute } from './route.ts';
import type { SignatureRule } from './signature.ts';
import { alertsStatus } from './status.ts';
import { createWebhookCounters } from './webhook-counters.ts';
import type { RefusedSignature, SetAsideEvent } from '../domain/alerts-status.ts';
import { createSetAside } from './set-aside.ts';

/** How often the counts of webhooks are stored. */
const countersEveryMs = 5_000;
/** While webhooks keep coming, queues are woken no more often than this: a run costs the same for one event as for many. */
const wakePauseMs = 50;

/** While the platform is away, a queue looks this often whether it is back, in case its wake was lost. */
const awayPauseMs = 15_000;

/** Of all direct messages together, 300 a minute: of the whole workspace, the platform takes “several hundred messages per minute”. */
const directMessagesPace = { everyMs: 200, burst: 5 };
/** Of all live messages together, 40 a minute: the platform takes 50 changes of messages. */
const liveMessagesPace = { everyMs: 1_500, burst: 5 };

const postingKinds: ReadonlySet<string> = new Set(['channel', 'person', 'live']);

/** What runs queues, by the kind of queue. @returns when to run the queue next (milliseconds since the epoch); undefined: when it is woken */
export type Runners = Readonly<Record<string, (queue: string) => Promise<number | undefined>>>;

/** Carries submissions from a webhook to the subscribed channels and to the respondents. */
export function createAlerts(deps: {
  storage: Pick<Storage, 'inbox' | 'outbox' | 'queues' | 'subscriptions' | 'counters' | 'kv' | 'content'>;
  rule: SignatureRule;
  readBody: ReadBody;
  channel: AnnouncementChannel;
  /** Whether the platform is away. While it is, no queue calls it. `onBack` calls back when it answers again. */
  platformOutage: { isAway: () => boolean; onBack: (listener: () => void) => void };
  beginWork: BeginWork;
  responses: Responses;
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
    Parameters<typeof createPersonQueue>[0],
    'outbox' | 'channel' | 'pace' | 'wake' | 'newId' | 'log' | 'counter' | 'now'
  >;
  /** Whether respondents get direct messages. Without them, campaigns still write to leads. */
  notifiesRespondents: boolean;
  /** Called with a submission that was not known before. */
  onSubmission?: (submission: Submission) => void;
  entriesForFollowers: EntriesForFollowers;
  /** Reads what the live messages of other rooms show. */
  live: LiveContent;
  /** Called with a subscription that is paused without anybody knowing. */
  onNobodyNotified: (subscription: Subscription) => Promise<void>;
  timeZone: string;
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
  const { pauseChannel, notifyOwners } = createPausing({ ...deps, store, outbox, subscriptions });

  const stopping = new AbortController();
  const wakeSoon = createCoalescing(wakeAll, wakePauseMs, (ms) => deps.sleep(ms, stopping.signal));
  const matcher = createMatcher({
    teamId,
    store,
    subscriptions,
    notifiesRespondents: deps.notifiesRespondents,
    entriesForFollowers: deps.entriesForFollowers,
    now,
  });
  const activity = createQuizActivity(now);
  const onSubmission = (submission: Submission) => {
    activity.seen(submission.quizId, Math.min(now(), submission.submittedAt ?? now()));
    deps.onSubmission?.(submission);
  };
  const takeEvent = createTakeEvent({ inbox, matcher, wake: wakeSoon, onSubmission });
  const postNext = createChannelQueue({
    outbox,
    channel,
    subscriptions,
    onClosed: pauseChannel,
    newId,
    log,
    metrics,
    now,
  });
  const wantsMessages: typeof deps.people.wantsMessages = async (...person) =>
    deps.notifiesRespondents && deps.people.wantsMessages(...person);
  const postToPerson = createPersonQueue({
    ...deps.people,
    wantsMessages,
    outbox,
    channel,
    pace: createPace({ ...directMessagesPace, now }),
    wake,
    newId,
    log,
    counter: metrics.directMessages,
    now,
  });
  const updateLive = createLiveQueue({
    outbox,
    channel,
    content: deps.live,
    pace: createPace({ ...liveMessagesPace, now }),
    newId,
    log,
    now,
  });
  const makeDigest = createDigestQueue({ outbox, responses, subscriptionOf, wake, log, now });
  const refusals = storage.kv<RefusedSignature[]>('refused-signatures');
  const webhookCounters = createWebhookCounters({ ...deps, counters, refusals, everyMs: countersEveryMs });
  const setAsideEvents = storage.kv<SetAsideEvent[]>('set-aside');
  const setAside = createSetAside({ store: setAsideEvents, counters: webhookCounters, log, metrics });
  const fanOut = createFanOut({ ...deps, inbox, matcher, takeEvent, wake, setAside });
  const onBackfilled = (count: number) => {
    webhookCounters.took('backfilled', count);
    metrics.webhooks.inc({ outcome: 'backfilled' }, count);
  };
  const backfill = createBackfill({
    ...deps,
    inbox,
    takeEvent,
    outbox,
    subscriptions: ofThisWorkspace,
    activity,
    onBackfilled,
    lastLoss: () => storage.content.loss(),
    onLag: (ms) => metrics.backfillLag.set(ms / 1000),
  });
  const sweep = createSweeper({
    inbox,
    outbox,
    wake,
    matcher,
    teamId,
    subscriptions,
    notifyOwners,
    log,
    metrics,
    now,
    steadyNow: deps.steadyNow,
  });

  async function run(queue: string, runners: Runners): Promise<number | undefined> {
    const { kind, teamId: team, id } = readQueue(queue);
    if (postingKinds.has(kind) && deps.platformOutage.isAway()) return now() + awayPauseMs;
    switch (kind) {
      case inboxQueue:
        return fanOut();
      case 'channel':
        return postNext(queue);
      case 'person':
        if (!deps.notifiesRespondents) await outbox.drop(directMessages, Infinity);
        return postToPerson(queue);
      case 'live':
        return updateLive(queue);
      case 'digest':
        return makeDigest(queue, team, id);
      case backfillQueue:
        return backfill();
      case sweepQueue:
        return sweep();
      default: {
        const runner = runners[kind];
        if (runner === undefined) throw new Error(`unknown queue ${queue}`);
        return runner(queue);
      }
    }
  }

  async function wakeAll(names: ReadonlySet<string>): Promise<void> {
    const woken = await Promise.allSettled([...names].map((queue) => wake(queue)));
    for (const one of woken)
      if (one.status === 'rejected') log.warn({ error: one.reason as unknown }, 'a queue is woken later');
  }

  return {
    /** Handles `POST /webhooks/quiz`. */
    takeWebhook: createWebhookRoute({ ...deps, takeEvent, counters: webhookCounters }),
    subscriptionService: createSubscriptionService({ store, outbox, subscriptions, channel, wake, newId, log, now }),
    /** Tells users about quizzes that a person assigned to them. Nothing where the configuration turns direct messages off. */
    async putAssigned(team: string, by: string, assignments: NewAssignments): Promise<void> {
      if (!deps.notifiesRespondents) return;
      const entries = assignmentsFor(assignments, { by, teamId: team, at: now() });
      await outbox.put(entries);
      await wakeAll(new Set(entries.map(({ queue }) => queue)));
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
    /** @param runners what runs the queues of other rooms */
    async start(runners: Runners): Promise<void> {
      webhookCounters.start();
      await queues.start(async (queue) =>
        deps.beginWork(
          { from: `queue ${readQueue(queue).kind}`, attributes: { 'invigilator.queue': queue } },
          async () => run(queue, runners),
        ),
      );
      const wakeSweep = () =>
        wake(sweepQueue).catch((error: unknown) => log.warn({ error }, 'sweeping begins when the store is back'));
      await wakeSweep();
      deps.platformOutage.onBack(() => void wakeSweep());
      // With its content, the store lost when the queues run.
      storage.content.onLoss(() => void wakeSweep());
    },
    /** Ends after the messages in flight. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([queues.stop(), webhookCounters.stop()]);
    },
  };
}
