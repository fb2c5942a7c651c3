import { createSubscriptionList, createSubscriptionService, createPausing } from '../features/alerts/subscriptions.ts';
import type { AnnouncementChannel } from '../operations/services/platform.ts';
import { backfillMachine, createQuizActivity } from '../features/webhooks/backfill.ts';
import { createSetAside, createUpkeep, inboxMachine } from '../features/webhooks/inbox.ts';
import { createTakeEvent, createMatcher } from '../features/webhooks/take.ts';
import { randomUUID } from 'node:crypto';
import type { Storage } from '../storage/records.ts';
import { channelMachine } from '../features/delivery/channel-machine.ts';
import { assignmentsFor, type NewAssignments } from '../features/delivery/person-view.ts';
import { createPace } from '../time/timers.ts';
import { personMachine } from '../features/delivery/person-machine.ts';
import { liveMachine, type LiveContent } from '../features/delivery/live-messages.ts';
import type { Machine } from '../durable/machine.ts';
import { createCoalescing, type Mail } from '../durable/mail.ts';
import { digestMachine } from '../features/delivery/digests.ts';
import { backfillQueue, inboxQueue, pausesQueue } from '../domain/queues.ts';
import type { Lasting } from '../durable/runtime.ts';
import { createMissedRoute, createWebhookRoute, type WebhookTaker } from '../features/webhooks/route.ts';
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

/** What is made here. */
type Made =
  | 'inbox'
  | 'outbox'
  | 'store'
  | 'counters'
  | 'subscriptions'
  | 'matcher'
  | 'takeEvent'
  | 'wake'
  | 'setAside'
  | 'activity'
  | 'everyMs'
  | 'refusals'
  | `on${'Backfilled' | 'Lag'}`;

/**
 * Carries submissions from a webhook to the subscribed channels and to the respondents.
 *
 * @param deps.configuredChannelId a channel that gets every submission
 * @param deps.notifiesRespondents whether respondents get direct messages. Without them, campaigns still write to leads
 * @param deps.people how people are reached in direct messages
 * @param deps.live reads what the live messages of other rooms show
 * @param deps.retentionMs how long live messages are kept after their last change
 */
export function createAlerts(
  deps: Omit<
    Parameters<typeof createWebhookRoute>[0] &
      Parameters<typeof createMatcher>[0] &
      Parameters<typeof inboxMachine>[0] &
      Parameters<typeof backfillMachine>[0] &
      Parameters<typeof createPausing>[0] &
      Parameters<typeof createUpkeep>[0],
    Made
  > &
    Pick<Parameters<typeof createTakeEvent>[0], 'onSubmission'> &
    Pick<Parameters<typeof alertsStatus>[0], 'quizName'> &
    Pick<Parameters<typeof createWebhookCounters>[0], 'sleep'> & {
      storage: Pick<Storage, 'inbox' | 'outbox' | 'queues' | 'subscriptions' | 'counters' | 'kv' | 'content'>;
      mail: Mail;
      channel: AnnouncementChannel;
      configuredChannelId: string | undefined;
      people: Omit<
        Parameters<typeof personMachine>[0],
        'channel' | 'notifiesRespondents' | 'pace' | 'newId' | 'log' | 'counter' | 'now'
      >;
      live: LiveContent;
      timeZone: string;
      retentionMs: number;
    },
) {
  const {
    storage,
    storage: { inbox, outbox, queues, subscriptions: store },
    mail,
    teamId,
    log,
    metrics,
    now,
  } = deps;
  const wake = (queue: string, at?: number) => queues.wake(queue, at);
  const newId = () => randomUUID();

  const subscriptions = createSubscriptionList({
    ...deps,
    store,
    channelId: deps.configuredChannelId,
    lostSince: () => storage.content.loss()?.settledUntil,
  });
  const subscriptionOf = async (team: string, id: string) =>
    (await subscriptions(team)).find((subscription) => subscription.id === id);
  const ofThisWorkspace = async () => subscriptions(await teamId());
  const { pauseChannel, notifyOwners } = createPausing({ ...deps, store, outbox, subscriptions, mail });
  const pauses: Machine<never> = {
    mailAtMost: 1,
    isBusy: () => false,
    async step() {
      await notifyOwners(await teamId());
      return { kind: 'rest', until: undefined };
    },
  };

  const stopping = new AbortController();
  const wakeSoon = createCoalescing(
    (names: ReadonlySet<string>) => mail.wake([...names].map((queue) => ({ queue }))),
    wakePauseMs,
    (ms) => deps.sleep(ms, stopping.signal),
  );
  const matcher = createMatcher({ ...deps, store, subscriptions });
  const activity = createQuizActivity(now);
  const onSubmission: typeof deps.onSubmission = (submission, questions) => {
    activity.seen(submission.quizId, Math.min(now(), submission.submittedAt ?? now()));
    deps.onSubmission?.(submission, questions);
  };
  const takeEvent = createTakeEvent({ inbox, outbox, matcher, wake: wakeSoon, onSubmission });
  const channels = channelMachine({ ...deps, subscriptions, onClosed: pauseChannel, newId });
  const pace = createPace({ ...directMessagesPace, now });
  const people = personMachine({ ...deps, ...deps.people, pace, newId, counter: metrics.directMessages });
  const livePace = createPace({ ...liveMessagesPace, now });
  const liveMessages = liveMachine({ ...deps, content: deps.live, pace: livePace, newId });
  const digests = digestMachine({ ...deps, subscriptionOf });
  const refusals = storage.kv<RefusedSignature[]>('refused-signatures');
  const webhookCounters = createWebhookCounters({ ...deps, ...storage, refusals, everyMs: countersEveryMs });
  const setAsideEvents = storage.kv<SetAsideEvent[]>('set-aside');
  const setAside = createSetAside({ store: setAsideEvents, counters: webhookCounters, log, metrics });
  const waiting = inboxMachine({ ...deps, matcher, takeEvent, setAside });
  const onBackfilled = (count: number) => {
    webhookCounters.took('backfilled', count);
    metrics.webhooks.inc({ outcome: 'backfilled' }, count);
  };
  const backfill = backfillMachine({
    ...deps,
    inbox,
    outbox,
    takeEvent,
    subscriptions: ofThisWorkspace,
    activity,
    onBackfilled,
    lastLoss: () => storage.content.loss(),
    onLag: (ms) => metrics.backfillLag.set(ms / 1000),
  });
  const upkeep = createUpkeep({ ...deps, inbox, outbox, wake, matcher });
  const wakeBackfill = () =>
    void wake(backfillQueue).catch((error: unknown) => log.warn({ error }, 'the comparison begins anew later'));

  const taker: WebhookTaker = { takeEvent, counters: webhookCounters };
  return {
    /** Handles `POST /webhooks/quiz`. */
    takeWebhook: createWebhookRoute({ ...deps, ...taker }),
    missWebhook: createMissedRoute({ ...taker, metrics }),
    /** For webhooks that are read and verified elsewhere. */
    taker,
    subscriptionService: createSubscriptionService({ ...deps, store, outbox, subscriptions, wake, newId }),
    /** Tells users about quizzes that a person assigned to them. Nothing where the configuration turns direct messages off. */
    async putAssigned(team: string, by: string, assignments: NewAssignments): Promise<void> {
      if (!deps.notifiesRespondents) return;
      const entries = assignmentsFor(assignments, { by, teamId: team, at: now() });
      await mail.put(entries);
    },
    subscriptions: ofThisWorkspace,
    pauseChannel,
    status: async () =>
      alertsStatus({ ...deps, ...storage, refusals, setAside: setAsideEvents, subscriptions: ofThisWorkspace }),
    /** What carries submissions on. */
    lasting: {
      machines: {
        channel: channels,
        person: people,
        live: liveMessages,
        digest: digests,
        [backfillQueue]: backfill,
        [inboxQueue]: waiting,
        [pausesQueue]: pauses,
      },
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
