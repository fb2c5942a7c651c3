import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { threadMessage } from '../slack/views/submission-thread.ts';
import type { QueueEntry } from '../domain/queue-entry.ts';
import type { Outbox } from '../storage/storage.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';
import { freshState, isBusy, isStale, withFailure, withPosted, type ChannelState, type Thread, type InFlightMessage } from './channel-state.ts';
import { readQueue } from './queue-names.ts';
import { nextMessage, type NextMessage } from './next-message.ts';
import { explainSlackFailure, type SlackChannel, type SlackFailure } from './slack-channel.ts';

/** What is looked at for one message; more than fits into it. */
const entriesAtMost = 500;
/** A message whose answer was lost may still be on its way into the channel. */
const settlingMs = 2_000;
/** While submissions keep coming, the first message of their thread is changed no oftener than this. */
const refreshEveryMs = 10_000;
/** No wait is longer; where one seems to be, the clock was set back. */
const clockTrustedMs = 3_600_000;

/**
 * Carries what waits for a channel into it: in order, a message a second, once. What is about to be posted is
 * written down first; where it is not clear afterwards whether it is there, the channel is asked before anything
 * is posted again.
 */
export function createChannelQueue(deps: {
  outbox: Outbox;
  slack: SlackChannel;
  subscriptions: (teamId: string) => Promise<readonly Subscription[]>;
  /** Slack does not let the bot post in the channel. */
  onClosed: (teamId: string, channelId: string, code: string) => Promise<void>;
  newId: () => string;
  log: Log;
  metrics: Metrics;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, slack, log, metrics, now } = deps;

  /** @returns when there is something to do again; undefined: when something new comes */
  return async (queue) => {
    const { teamId, id: channelId } = readQueue(queue);
    const { version, state = freshState } = await outbox.stateOf<ChannelState>(queue);
    if (state.notBefore > now() && state.notBefore < now() + clockTrustedMs) return state.notBefore;
    const round = createRound(queue, channelId, version);
    const onClosed = (code: string) => deps.onClosed(teamId, channelId, code);

    const all = await deps.subscriptions(teamId);
    const here = all.filter((subscription) => subscription.channelId === channelId);
    const paused = here.filter((subscription) => isPaused(subscription, now()));
    const resumesAt = earliest(paused.map(({ pause }) => pause?.until ?? undefined));
    if (here.length > 0 && paused.length === here.length) return resumesAt;
    if (state.inFlight) return round.settle(state, state.inFlight, onClosed);

    const stale = Object.entries(state.threads).find(([, thread]) => isStale(thread));
    if (stale && now() >= (state.refreshedAt ?? 0) + refreshEveryMs) return round.refresh(state, ...stale);
    const entries = await outbox.waiting(queue, { limit: entriesAtMost, exceptSubscriptions: paused.map(({ id }) => id) });
    const isOrphan = ({ subscriptionId }: QueueEntry) => !here.some(({ id }) => id === subscriptionId);
    if (entries.some(isOrphan)) {
      // Somebody may have subscribed since the subscriptions were read.
      const young = await deps.subscriptions(teamId);
      return round.discard(state, entries.filter((entry) => isOrphan(entry) && !young.some(({ id, channelId: own }) => id === entry.subscriptionId && own === channelId)));
    }
    const next = nextMessage(entries, new Map(here.map((subscription) => [subscription.id, subscription])), state.threads);
    if (next) return round.post(state, next, onClosed);
    return stale ? round.refresh(state, ...stale) : resumesAt;
  };

  /** One run over the queue: what is decided on one version of its state. */
  function createRound(queue: string, channelId: string, readVersion: number) {
    let version = readVersion;

    /** @returns whether this is still the only run */
    async function keep(state: ChannelState, remove?: readonly number[]): Promise<boolean> {
      const isKept = await outbox.commit(queue, { version, state, isBusy: isBusy(state), ...(remove && { remove }) });
      version += 1;
      return isKept;
    }

    async function post(state: ChannelState, next: NextMessage, onClosed: (code: string) => Promise<void>): Promise<number | undefined> {
      const inFlight: InFlightMessage = { id: deps.newId(), startedAt: now(), positions: next.positions, ...(next.thread && { thread: next.thread }) };
      if (!(await keep({ ...state, inFlight }))) return now();
      const sent = await attempt(state, () => slack.post(channelId, next.message, { id: inFlight.id, threadTs: next.threadTs }));
      if (!('failure' in sent)) {
        metrics.alerts.inc({ outcome: 'posted' });
        log.info({ channel: channelId, message: inFlight.id, responses: next.responses }, 'alert posted');
        return finish(state, inFlight, sent.done);
      }
      const { kind, code, retryAfterMs } = sent.failure;
      if (kind === 'unclear') return wait({ ...withFailure(state, now()), inFlight });
      if (kind === 'thread gone' && inFlight.thread) return wait(withFailure(without(state, inFlight.thread.key), now()));
      if (kind !== 'closed') return wait(withFailure(state, now(), retryAfterMs));
      await keep(state);
      await onClosed(code);
      return now();
    }

    /** Forgets what nobody wants to hear of any more. */
    async function discard(state: ChannelState, entries: readonly QueueEntry[]): Promise<number> {
      await keep(state, entries.map(({ position }) => position));
      return now();
    }

    async function finish(state: ChannelState, inFlight: InFlightMessage, ts: string): Promise<number> {
      const posted = withPosted(state, inFlight, ts, now());
      await keep(posted, inFlight.positions);
      return posted.notBefore;
    }

    /** Finds out what became of a message that may be in the channel. */
    async function settle(state: ChannelState, inFlight: InFlightMessage, onClosed: (code: string) => Promise<void>): Promise<number | undefined> {
      const settledAt = inFlight.startedAt + settlingMs;
      if (now() < settledAt && inFlight.startedAt <= now()) return settledAt;
      const threadTs = inFlight.thread?.isParent === false ? inFlight.thread.counted.ts : undefined;
      const looked = await attempt(state, () => slack.find(channelId, inFlight.id, { threadTs, sinceTs: threadTs ?? state.lastTs }));
      if ('failure' in looked) {
        const { kind, code, retryAfterMs } = looked.failure;
        // Without leave to read the channel nobody can tell: told twice is better than not at all.
        if (code === 'missing_scope' || kind === 'thread gone') return wait({ ...state, inFlight: undefined });
        if (kind !== 'closed') return wait(withFailure(state, now(), retryAfterMs));
        await onClosed(code);
        return undefined;
      }
      if (looked.done === undefined) return wait({ ...state, inFlight: undefined });
      metrics.alerts.inc({ outcome: 'found' });
      log.info({ channel: channelId, message: inFlight.id }, 'the alert is in the channel already');
      return finish(state, inFlight, looked.done);
    }

    /** Brings the first message of a thread up to date. */
    async function refresh(state: ChannelState, key: string, thread: Thread): Promise<number> {
      const changed = await attempt(state, () => slack.change(channelId, thread.ts ?? '', threadMessage(thread, thread.timeZone)));
      if (!('failure' in changed)) return wait({ ...state, refreshedAt: now(), threads: { ...state.threads, [key]: { ...thread, shown: thread.submitted } } });
      const { kind, retryAfterMs } = changed.failure;
      const isOver = kind === 'thread gone' || kind === 'closed';
      return wait(isOver ? without(state, key) : withFailure(state, now(), retryAfterMs));
    }

    /** Asks Slack for something; what goes wrong in the bot itself is no failure of Slack's. */
    async function attempt<Done>(state: ChannelState, ask: () => Promise<Done>): Promise<{ done: Done } | { failure: SlackFailure }> {
      try {
        return { done: await ask() };
      } catch (error) {
        const failure = explainSlackFailure(error);
        metrics.alerts.inc({ outcome: failure.code });
        const details = { error, channel: channelId, code: failure.code, failures: state.failures + 1 };
        log[failure.kind === 'rate_limited' ? 'warn' : 'error'](details, `an alert is not posted yet (${failure.kind}); it is kept`);
        return { failure };
      }
    }

    async function wait(state: ChannelState): Promise<number> {
      await keep(state);
      return state.notBefore;
    }

    return { post, settle, refresh, discard };
  }
}

function without(state: ChannelState, threadKey: string): ChannelState {
  const { [threadKey]: _, ...threads } = state.threads;
  return { ...state, threads };
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
