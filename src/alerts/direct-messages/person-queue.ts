import type { Counter } from 'prom-client';
import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { Log } from '../../observability/log.ts';
import { BudgetError, RateLimitedError } from '../../quiz-api/errors.ts';
import { StoreAwayError, type Outbox } from '../../storage/storage.ts';
import type { AnnouncementChannel } from '../announcement-channel.ts';
import { createRuns } from '../channel-queue.ts';
import { afterFailure, freshState, restsUntil, type ChannelState } from '../channel-state.ts';
import { stepBeforeEntries } from '../next-step.ts';
import { readQueue, userOfQueue } from '../../domain/queue-names.ts';
import type { Pace } from './pace.ts';

/**
 * Finds the person of the platform who is a user of the quiz account. `nobody` says why there is none to write to; `later`
 * is when to ask again, in milliseconds since the epoch.
 *
 * @throws {PlatformError} where the platform cannot be asked, and a `QuizApiError` where the service cannot
 */
export type FindRecipient = (userId: string) => Promise<{ kind: 'found'; personId: string } | { kind: 'nobody'; reason: string } | { kind: 'later'; at: number }>;

/**
 * Whether a user is in a group, by what the service said after a time (milliseconds since the epoch).
 * @throws a `QuizApiError` where the service cannot be asked
 */
export type IsMember = (userId: string, groupId: string, since: number) => Promise<boolean>;

/** Read at once; those of a person who cannot be written to are dropped together. */
const entriesAtMost = 100;

/**
 * Posts what waits for a user of the quiz account in the bot's direct messages with them: in order, each once, a second
 * apart. Messages to nobody, and to a person who has turned them off, are dropped.
 *
 * @param deps.pace that of all direct messages together
 */
export function createPersonQueue(deps: {
  outbox: Outbox;
  channel: AnnouncementChannel;
  findRecipient: FindRecipient;
  isMember: IsMember;
  wantsMessages: (teamId: string, personId: string) => Promise<boolean>;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeUrl: (quizId: string) => string | undefined;
  pace: Pace;
  newId: () => string;
  log: Log;
  counter: Pick<Counter<'outcome'>, 'inc'>;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, channel, log, counter, now } = deps;
  const createRun = createRuns(deps);

  /** Does one step. @returns when to run again (milliseconds since the epoch); undefined: when something new comes */
  return async (queue) => {
    const { teamId, id } = readQueue(queue);
    const { version, state = freshState } = await outbox.stateOf<ChannelState>(queue);
    const restingUntil = restsUntil(state, now());
    if (restingUntil !== undefined) return restingUntil;
    const early = stepBeforeEntries({ state, subscriptions: [], now: now() });
    if (early?.kind === 'wait') return early.until;
    const entries = await outbox.waiting(queue, { limit: entriesAtMost });
    const [entry] = entries;
    if (entry === undefined) return drop('old');
    const turnAt = deps.pace.turn(queue);
    if (turnAt !== undefined) return turnAt;

    if (early === undefined && !(await isStillMeant(entry, userOfQueue(id)))) {
      const isKept = await outbox.commit(queue, { version, state, isBusy: false, remove: [entry.position] });
      if (isKept) counter.inc({ outcome: 'not_assigned' });
      return now();
    }
    const conversation = await conversationWith(userOfQueue(id));
    if ('at' in conversation) return conversation.at;
    if ('reason' in conversation) return drop(conversation.reason);
    if (conversation instanceof Error) {
      const next = afterFailure(state, { retryAfterMs: retryAfterMs(conversation) }, now());
      await outbox.commit(queue, { version, state: next, isBusy: state.inFlight !== undefined });
      return next.notBefore;
    }
    const announcement = announcementOf(entry);
    if (announcement === undefined) return drop('unknown');
    const run = createRun({ queue, version, state }, {
      id: conversation.id,
      // The id of the conversation would name the person.
      logged: { queue: 'person' },
      count: (outcome) => counter.inc({ outcome }),
      onClosed: async (code) => void (await drop(code)),
    });
    if (early?.kind === 'resolve-uncertain') return run.resolveUncertain(early.inFlight);
    return run.post({ announcement, positions: [entry.position], responses: [] }, [entry]);

    /** Takes what waits out of the queue, and forgets the message in flight. */
    async function drop(reason: string): Promise<number | undefined> {
      const current = await outbox.stateOf<ChannelState>(queue);
      if (entries.length === 0 && current.state?.inFlight === undefined) return undefined;
      const { inFlight: _, ...settled } = current.state ?? freshState;
      const isKept = await outbox.commit(queue, { version: current.version, state: settled, isBusy: false, remove: entries.map(({ position }) => position) });
      if (!isKept) return now();
      if (entries.length > 0) counter.inc({ outcome: reason }, entries.length);
      log.debug({ queue: 'person', reason, dropped: entries.length }, 'direct messages are dropped');
      return entries.length < entriesAtMost ? undefined : now();
    }

    async function conversationWith(userId: string): Promise<{ id: string } | { at: number } | { reason: string } | Error> {
      try {
        const recipient = await deps.findRecipient(userId);
        if (recipient.kind === 'later') return recipient;
        if (recipient.kind === 'nobody') return recipient;
        if (!(await deps.wantsMessages(teamId, recipient.personId))) return { reason: 'turned_off' };
        return { id: await channel.openDirect(recipient.personId) };
      } catch (error) {
        if (error instanceof StoreAwayError || !(error instanceof Error)) throw error;
        if (error instanceof PlatformError && error.kind === 'closed') return { reason: error.code };
        log.warn({ error, queue: 'person' }, 'a direct message is not posted yet: its recipient cannot be looked up; it is kept');
        return error;
      }
    }
  };

  /** A user who has left the group meanwhile has not got its quiz. */
  async function isStillMeant({ content, at }: QueueEntry, userId: string): Promise<boolean> {
    return content.kind !== 'assigned' || content.groupId === undefined || deps.isMember(userId, content.groupId, at);
  }

  /** Undefined for what an earlier version of the bot does not know. */
  function announcementOf({ content }: QueueEntry): Announcement | undefined {
    switch (content.kind) {
      case 'assigned': {
        const { kind, quizId, quizName, by } = content;
        return { kind, quizName, by, takeUrl: deps.takeUrl(quizId) };
      }
      case 'own-result':
        return { kind: 'own-result', submission: content.submission, reportUrl: content.reportUrl };
      default:
        return undefined;
    }
  }

  /** Undefined: after a longer pause with each failure. */
  function retryAfterMs(error: Error): number | undefined {
    if (error instanceof BudgetError) return error.availableAt.getTime() - now();
    if (error instanceof RateLimitedError) return error.retryAt.getTime() - now();
    return error instanceof PlatformError ? error.retryAfterMs : undefined;
  }
}
