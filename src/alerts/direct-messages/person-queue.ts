import type { Counter } from 'prom-client';
import type { Announcement } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { CampaignMessage, NewQueueEntry, QueueEntry } from '../../domain/queue-entry.ts';
import type { Log } from '../../observability/log.ts';
import { BudgetError, RateLimitedError } from '../../quiz-api/errors.ts';
import { StoreAwayError, type Outbox } from '../../storage/storage.ts';
import type { AnnouncementChannel } from '../announcement-channel.ts';
import { aloneOrAll, createRuns } from '../channel-queue.ts';
import { afterFailure, freshState, restsUntil, type ChannelState, type InFlightMessage } from '../channel-state.ts';
import { stepBeforeEntries } from '../next-step.ts';
import { batchQueue, readQueue, userOfQueue } from '../../domain/queue-names.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { dueMessages, firstUntimed, noticesIn } from './due-messages.ts';
import type { Pace } from './pace.ts';

/**
 * Finds the person of the platform who is a user of the quiz account. `nobody` says why there is none to write to; `later`
 * is when to ask again, in milliseconds since the epoch.
 *
 * @throws {PlatformError} where the platform cannot be asked, and a `QuizApiError` where the service cannot
 */
export type FindRecipient = (
  userId: string,
) => Promise<Recipient | { kind: 'nobody'; reason: string } | { kind: 'later'; at: number }>;

/** `timeZone`: one that Intl knows. */
export interface Recipient {
  kind: 'found';
  personId: string;
  timeZone: string;
}

/**
 * Asks whether a person wants to be left alone now, in do-not-disturb for example. Never throws.
 * @returns when to ask again (milliseconds since the epoch); undefined: the person can be written to
 */
export type QuietUntil = (personId: string) => Promise<number | undefined>;

/**
 * Whether a user is in a group, by what the service said after a time (milliseconds since the epoch).
 * @throws a `QuizApiError` where the service cannot be asked
 */
export type IsMember = (userId: string, groupId: string, since: number) => Promise<boolean>;

/** Read at once; those of a person who cannot be written to are dropped together. */
const entriesAtMost = 100;

/** What a person can turn off. Messages about what others do with a campaign of theirs still come. */
const optionalKinds: ReadonlySet<string> = new Set(['assigned', 'own-result', 'campaign-notice']);

/**
 * Posts what waits for a user of the quiz account in the bot's direct messages with them: each once, a second apart.
 * Messages of campaigns come in the person's working hours, and notices once a day in one message; the others come in order
 * and at once. Messages to nobody, to a person who has turned them off, and those that have become pointless, are dropped.
 *
 * @param deps.pace that of all direct messages together
 */
export function createPersonQueue(deps: {
  outbox: Outbox;
  channel: AnnouncementChannel;
  findRecipient: FindRecipient;
  isMember: IsMember;
  wantsMessages: (teamId: string, personId: string) => Promise<boolean>;
  /** Whether a message of a campaign is still to be posted: the person may have taken the quiz meanwhile. */
  isStillWanted: (teamId: string, message: CampaignMessage, userId: string) => Promise<boolean>;
  /** IDs of the campaigns that run. */
  runningCampaigns: (teamId: string) => Promise<readonly string[]>;
  quietUntil: QuietUntil;
  /** When the conversation with a person may be opened (milliseconds since the epoch); undefined: now. */
  openingTurn: (personId: string) => Promise<number | undefined>;
  holidays: Holidays;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeUrl: (quizId: string) => string | undefined;
  pace: Pace;
  wake: (queue: string) => Promise<void>;
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
    const userId = userOfQueue(id);
    const { version, state = freshState } = await outbox.stateOf<ChannelState>(queue);
    const restingUntil = restsUntil(state, now());
    if (restingUntil !== undefined) return restingUntil;
    const early = stepBeforeEntries({ state, subscriptions: [], now: now() });
    if (early?.kind === 'wait') return early.until;
    const uncertain = early?.kind === 'resolve-uncertain' ? early.inFlight : undefined;
    const entries = await outbox.waiting(queue, { limit: entriesAtMost });
    if (entries.length === 0) return drop('old', []);

    let picked = pickAtOnce(entries, uncertain);
    if (picked.length === 0) {
      const recipient = await recipientOrProblem();
      if (recipient.kind !== 'found') return notFound(recipient);
      const running = await deps.runningCampaigns(teamId);
      const due = dueMessages(entries, {
        now: now(),
        timeZone: recipient.timeZone,
        noticedAt: state.noticedAt,
        holidays: deps.holidays,
        running,
      });
      if ('waitUntil' in due) return due.waitUntil;
      const quietUntil = await deps.quietUntil(recipient.personId);
      if (quietUntil !== undefined) return quietUntil;
      // Before the turn: conversations open more slowly than messages are posted.
      const conversation = await conversationWith(recipient.personId);
      if (typeof conversation !== 'string') return notFound(conversation);
      picked = aloneOrAll(state, due.entries);
    }
    const turnAt = deps.pace.turn(queue);
    if (turnAt !== undefined) return turnAt;

    if (uncertain === undefined) {
      const pointless = await pointlessOf(picked);
      if (pointless.length > 0) return removePointless(pointless);
    }
    const recipient = await recipientOrProblem();
    if (recipient.kind !== 'found') return notFound(recipient);
    const conversation = await conversationWith(recipient.personId);
    if (typeof conversation !== 'string') return notFound(conversation);
    const run = createRun(
      { queue, version, state },
      {
        id: conversation,
        // The id of the conversation would name the person.
        logged: { queue: 'person' },
        count: (outcome) => counter.inc({ outcome }),
        onClosed: async (code) => void (await drop(code, entries)),
      },
    );
    if (uncertain) return run.resolveUncertain(uncertain);
    const announcement = announcementOf(picked, recipient, userId);
    if (announcement === undefined) return drop('unknown', picked);
    const isNotice = announcement.kind === 'campaign-notices';
    return run.post(
      { announcement, positions: picked.map(({ position }) => position), responses: [], ...(isNotice && { isNotice }) },
      picked,
    );

    /** Takes entries out of the queue, and forgets the message in flight. */
    async function drop(reason: string, dropped: readonly QueueEntry[]): Promise<number | undefined> {
      const current = await outbox.stateOf<ChannelState>(queue);
      if (entries.length === 0 && current.state?.inFlight === undefined) return undefined;
      const { inFlight: _, ...settled } = current.state ?? freshState;
      const put = unreachedOf(teamId, dropped, now());
      const isKept = await outbox.commit(queue, {
        version: current.version,
        state: settled,
        isBusy: false,
        remove: dropped.map(({ position }) => position),
        put,
      });
      if (!isKept) return now();
      for (const entry of put) await deps.wake(entry.queue);
      if (dropped.length > 0) counter.inc({ outcome: reason }, dropped.length);
      log.debug({ queue: 'person', reason, dropped: dropped.length }, 'direct messages are dropped');
      return dropped.length === entries.length && entries.length < entriesAtMost ? undefined : now();
    }

    async function notFound(problem: Exclude<RecipientOrProblem, Recipient>): Promise<number | undefined> {
      if (problem.kind === 'later') return problem.at;
      if (problem.kind === 'nobody') return drop(problem.reason, entries);
      if (problem.kind === 'turned off')
        return drop(
          'turned_off',
          entries.filter(({ content }) => optionalKinds.has(content.kind)),
        );
      const { error } = problem;
      const next = afterFailure(
        state,
        { retryAfterMs: retryAfterMs(error), ...(error instanceof PlatformError && { kind: error.kind }) },
        now(),
      );
      await outbox.commit(queue, { version, state: next, isBusy: state.inFlight !== undefined });
      return next.notBefore;
    }

    async function recipientOrProblem(): Promise<RecipientOrProblem> {
      return orProblem(async () => {
        const found = await deps.findRecipient(userId);
        if (found.kind !== 'found') return found;
        const isOptional = (picked.length > 0 ? picked : entries).some(({ content }) =>
          optionalKinds.has(content.kind),
        );
        return !isOptional || (await deps.wantsMessages(teamId, found.personId)) ? found : { kind: 'turned off' };
      });
    }

    async function conversationWith(personId: string): Promise<string | Exclude<RecipientOrProblem, Recipient>> {
      return orProblem<string | { kind: 'later'; at: number }>(async () => {
        const at = await deps.openingTurn(personId);
        return at === undefined ? channel.openDirect(personId) : { kind: 'later', at };
      });
    }

    async function pointlessOf(candidates: readonly QueueEntry[]): Promise<readonly QueueEntry[]> {
      const areMeant = await Promise.all(candidates.map(async (entry) => isStillMeant(entry, teamId, userId)));
      return candidates.filter((_, index) => areMeant[index] === false);
    }

    async function removePointless(pointless: readonly QueueEntry[]): Promise<number> {
      const isKept = await outbox.commit(queue, {
        version,
        state,
        isBusy: false,
        remove: pointless.map(({ position }) => position),
      });
      if (isKept)
        for (const { content } of pointless)
          counter.inc({ outcome: content.kind === 'assigned' ? 'not_assigned' : 'not_wanted' });
      return now();
    }
  };

  async function orProblem<Answer>(
    look: () => Promise<Answer>,
  ): Promise<Answer | Exclude<RecipientOrProblem, Recipient>> {
    try {
      return await look();
    } catch (error) {
      if (error instanceof StoreAwayError || !(error instanceof Error)) throw error;
      if (error instanceof PlatformError && error.kind === 'closed') return { kind: 'nobody', reason: error.code };
      log.warn(
        { error, queue: 'person' },
        'a direct message is not posted yet: its recipient cannot be looked up; it is kept',
      );
      return { kind: 'failed', error };
    }
  }

  /** A user who has left the group meanwhile has not got its quiz. */
  async function isStillMeant({ content, at }: QueueEntry, teamId: string, userId: string): Promise<boolean> {
    switch (content.kind) {
      case 'assigned':
        return content.groupId === undefined || deps.isMember(userId, content.groupId, at);
      case 'campaign-notice':
      case 'campaign-escalation':
      case 'campaign-not-me':
        return deps.isStillWanted(teamId, content, userId);
      default:
        return true;
    }
  }

  /** Undefined for what an earlier version of the bot does not know. */
  function announcementOf(
    picked: readonly QueueEntry[],
    { timeZone }: Recipient,
    userId: string,
  ): Announcement | undefined {
    const content = picked[0]?.content;
    switch (content?.kind) {
      case 'assigned': {
        const { kind, quizId, quizName, by } = content;
        return { kind, quizName, by, takeUrl: deps.takeUrl(quizId) };
      }
      case 'own-result':
        return { kind: 'own-result', submission: content.submission, reportUrl: content.reportUrl };
      case 'own-password':
        return { ...content, userId };
      case 'campaign-notice':
        return { kind: 'campaign-notices', notices: noticesIn(picked, deps.takeUrl), timeZone, now: now() };
      case 'campaign-escalation':
        return {
          ...content,
          timeZone,
          takeUrl: content.ownQuizId === undefined ? undefined : deps.takeUrl(content.ownQuizId),
        };
      case 'campaign-not-me':
        return content;
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

/** Has batches know which of the users they created get no message about their password. */
function unreachedOf(teamId: string, dropped: readonly QueueEntry[], at: number): NewQueueEntry[] {
  return dropped.flatMap(({ content, subscriptionId }) => {
    if (content.kind !== 'own-password' || content.of === undefined) return [];
    const { batchId, row } = content.of;
    return [
      {
        queue: batchQueue(teamId, batchId),
        subscriptionId,
        at,
        content: { kind: 'batch-event', event: { kind: 'unreached', row } },
      },
    ];
  });
}

type RecipientOrProblem =
  Awaited<ReturnType<FindRecipient>> | { kind: 'turned off' } | { kind: 'failed'; error: Error };

/** What needs no look at the clock: what may be in the conversation already, or the first message that comes at any time. */
function pickAtOnce(entries: readonly QueueEntry[], uncertain: InFlightMessage | undefined): readonly QueueEntry[] {
  if (uncertain) return entries.filter(({ position }) => uncertain.positions.includes(position));
  const untimed = firstUntimed(entries);
  return untimed ? [untimed] : [];
}
