import type { Counter } from 'prom-client';
import type { Announcement } from '../../../domain/announcement.ts';
import { PlatformError } from '../../../domain/errors.ts';
import { notNeeded } from '../../../domain/campaign-messages.ts';
import type { CampaignMessage, QueueEntry } from '../../../domain/queue-entry.ts';
import type { Log } from '../../../observability/log.ts';
import { BudgetError, RateLimitedError } from '../../../quiz-api/errors.ts';
import { StoreAwayError } from '../../../storage/storage.ts';
import type { AnnouncementChannel } from '../announcement-channel.ts';
import { aloneOrAll } from '../channel-machine.ts';
import { afterFailure, freshState, type ChannelState, type InFlightMessage } from '../channel-state.ts';
import { createPosting, resting, settlePost, type AlertPost, type PostNote } from '../posting.ts';
import { graceEndsAt } from '../../../durable/look-up.ts';
import { userOfQueue } from '../../../domain/queue-names.ts';
import type { Keep, Machine, Step, View } from '../../../durable/machine.ts';
import type { PostAnswer } from '../../../durable/post-once.ts';
import { restsUntil } from '../../../durable/rest.ts';
import type { Holidays } from '../../../time/working-hours.ts';
import { dueMessages, firstUntimed, noticesIn, type PersonTimes } from './due-messages.ts';
import type { Pace } from './pace.ts';
import { putForOthers } from './put-for-others.ts';

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

interface PersonFacts {
  recipient: RecipientOrProblem;
  /** IDs of the campaigns that run. */
  running: readonly string[];
  quietUntil: number | undefined;
  /** When the next message may be posted; undefined: now. */
  turnAt: number | undefined;
  /** Those of the picked messages that need not be posted any more. */
  pointless: readonly QueueEntry[];
  conversation: string | Exclude<RecipientOrProblem, Recipient>;
}

type PersonNote =
  PostNote | { kind: 'dropped'; reason: string; count: number } | { kind: 'pointless'; entries: readonly QueueEntry[] };
type PersonView = View<ChannelState, PersonFacts>;
type PersonStep = Step<ChannelState, PersonFacts, AlertPost, PersonNote>;

/**
 * Posts what waits for a user of the quiz account in the bot's direct messages with them: each once, a second apart.
 * Messages of campaigns come in the person's working hours, and notices once a day in one message; the others come in order
 * and at once. Messages to nobody, to a person who has turned them off, and those that have become pointless, are dropped.
 *
 * @param deps.pace that of all direct messages together
 */
export function personMachine(deps: {
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
  newId: () => string;
  log: Log;
  counter: Pick<Counter<'outcome'>, 'inc'>;
  now: () => number;
}): Machine<ChannelState, PersonFacts, AlertPost, PostAnswer, PersonNote> {
  const { channel, log, counter, now } = deps;
  const posting = createPosting({
    ...deps,
    // The id of the conversation would name the person.
    of: () => ({ logged: { queue: 'person' }, count: (outcome) => counter.inc({ outcome }) }),
  });
  const timesOf = ({ state, facts, now: at }: PersonView, { timeZone }: Recipient): PersonTimes => ({
    now: at,
    timeZone,
    noticedAt: state?.noticedAt,
    holidays: deps.holidays,
    running: facts.running ?? [],
  });

  /** The messages of the next post, as far as they are known by now. */
  function pickedIn(view: PersonView): readonly QueueEntry[] {
    const { state = freshState, mail, facts } = view;
    const atOnce = pickAtOnce(mail, state.inFlight);
    if (atOnce.length > 0 || facts.recipient?.kind !== 'found' || facts.running === undefined) return atOnce;
    const due = dueMessages(mail, timesOf(view, facts.recipient));
    return 'entries' in due ? aloneOrAll(state, due.entries) : [];
  }

  /** What keeps messages from being posted; undefined: nothing. */
  function hindrance(
    view: PersonView,
    problem: PersonFacts['conversation'] | RecipientOrProblem,
  ): PersonStep | undefined {
    if (typeof problem === 'string' || problem.kind === 'found') return undefined;
    if (problem.kind === 'later') return { kind: 'rest', until: problem.at };
    if (problem.kind === 'nobody') return dropped(view, problem.reason, view.mail);
    if (problem.kind === 'turned off') return dropped(view, 'turned_off', view.mail.filter(isOptional));
    const { error } = problem;
    const failure = { retryAfterMs: retryAfterMs(error), ...(error instanceof PlatformError && { kind: error.kind }) };
    return resting(afterFailure(view.state ?? freshState, failure, view.now));
  }

  function step(view: PersonView): PersonStep {
    const { state = freshState, mail, facts } = view;
    const { inFlight } = state;
    const graceUntil = inFlight && graceEndsAt(inFlight.startedAt, view.now);
    if (graceUntil !== undefined) return { kind: 'rest', until: graceUntil };
    if (mail.length === 0) return inFlight ? dropped(view, 'old', []) : { kind: 'rest', until: undefined };

    const isTimed = pickAtOnce(mail, inFlight).length === 0;
    if (isTimed) {
      const early = stepBeforeTurn(view);
      if (early) return early;
    }
    if (!('turnAt' in facts)) return { kind: 'ask', for: 'turnAt' };
    if (facts.turnAt !== undefined) return { kind: 'rest', until: facts.turnAt };

    const picked = pickedIn(view);
    if (inFlight === undefined) {
      const { pointless } = facts;
      if (pointless === undefined) return { kind: 'ask', for: 'pointless' };
      if (pointless.length > 0)
        return {
          kind: 'keep',
          state,
          take: positionsOf(pointless),
          put: putForOthers(pointless, { ...fateIn(view), failure: notNeeded }),
          note: { kind: 'pointless', entries: pointless },
        };
    }
    const { recipient, conversation } = facts;
    if (recipient === undefined) return { kind: 'ask', for: 'recipient' };
    if (recipient.kind !== 'found') return hindrance(view, recipient)!;
    if (conversation === undefined) return { kind: 'ask', for: 'conversation' };
    if (typeof conversation !== 'string') return hindrance(view, conversation)!;
    if (inFlight) return posting.lookFor(state, conversation, inFlight);
    const announcement = announcementOf(picked, recipient, userOfQueue(view.mailbox.id));
    if (announcement === undefined) return dropped(view, 'unknown', picked);
    const isNotice = announcement.kind === 'campaign-notices';
    return posting.begin(
      state,
      conversation,
      { announcement, positions: positionsOf(picked), responses: [], ...(isNotice && { isNotice }) },
      view.now,
    );
  }

  /** What comes before a message that comes in working hours. Conversations open more slowly than messages are posted. */
  function stepBeforeTurn(view: PersonView): PersonStep | undefined {
    const { mail, facts } = view;
    const { recipient, conversation } = facts;
    if (recipient === undefined) return { kind: 'ask', for: 'recipient' };
    if (recipient.kind !== 'found') return hindrance(view, recipient);
    if (facts.running === undefined) return { kind: 'ask', for: 'running' };
    const due = dueMessages(mail, timesOf(view, recipient));
    if ('waitUntil' in due) return { kind: 'rest', until: due.waitUntil };
    if (!('quietUntil' in facts)) return { kind: 'ask', for: 'quietUntil' };
    if (facts.quietUntil !== undefined) return { kind: 'rest', until: facts.quietUntil };
    if (conversation === undefined) return { kind: 'ask', for: 'conversation' };
    return hindrance(view, conversation);
  }

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    keptAtRestMs: 30 * 24 * 3_600_000,
    restsUntil,
    isBusy: ({ inFlight }) => inFlight !== undefined,
    step,
    facts: {
      recipient: async (view) =>
        orProblem(async () => {
          const { mailbox, mail } = view;
          const found = await deps.findRecipient(userOfQueue(mailbox.id));
          if (found.kind !== 'found') return found;
          const picked = pickAtOnce(mail, view.state?.inFlight);
          const areOptional = (picked.length > 0 ? picked : mail).some(isOptional);
          return !areOptional || (await deps.wantsMessages(mailbox.teamId, found.personId))
            ? found
            : { kind: 'turned off' };
        }),
      running: ({ mailbox: { teamId } }) => deps.runningCampaigns(teamId),
      quietUntil: async ({ facts: { recipient } }) =>
        recipient?.kind === 'found' ? deps.quietUntil(recipient.personId) : undefined,
      turnAt: async ({ mailbox: { name } }) => deps.pace.turn(name),
      async pointless(view) {
        const { teamId, id } = view.mailbox;
        const picked = pickedIn(view);
        const areMeant = await Promise.all(picked.map(async (entry) => isStillMeant(entry, teamId, userOfQueue(id))));
        return picked.filter((_, index) => areMeant[index] === false);
      },
      conversation: async ({ facts: { recipient } }) =>
        orProblem<string | { kind: 'later'; at: number }>(async () => {
          const { personId } = recipient as Recipient;
          const at = await deps.openingTurn(personId);
          return at === undefined ? channel.openDirect(personId) : { kind: 'later', at };
        }),
    },
    deeds: {
      do: posting.do,
      look: posting.look,
      settle(deed, answer, view) {
        // What waits for a person who cannot be written to goes to nobody.
        if (answer instanceof PlatformError && answer.kind === 'closed') return dropped(view, answer.code, view.mail);
        return withFate(settlePost(deed, answer, view, pickedIn(view)), view);
      },
    },
    note(note, { mailbox }) {
      if (note.kind === 'dropped') {
        if (note.count > 0) counter.inc({ outcome: note.reason }, note.count);
        log.debug({ queue: 'person', reason: note.reason, dropped: note.count }, 'direct messages are dropped');
      } else if (note.kind === 'pointless') {
        for (const { content } of note.entries)
          counter.inc({ outcome: content.kind === 'assigned' ? 'not_assigned' : 'not_wanted' });
      } else posting.note(note, mailbox);
    },
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
      case 'campaign-paused':
      case 'campaign-orphaned':
      case 'campaign-round':
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
        return {
          kind: 'own-result',
          submission: content.submission,
          reportUrl: content.reportUrl,
          ...(content.submission.outcome === 'failed' && { takeUrl: deps.takeUrl(content.submission.quizId) }),
        };
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
      case 'campaign-paused':
      case 'campaign-orphaned':
      case 'campaign-round':
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

/** Takes messages out of the mailbox that go to nobody, and forgets the message in flight. */
function dropped(
  { mailbox: { teamId, id }, state, now }: PersonView,
  reason: string,
  entries: readonly QueueEntry[],
): Keep<ChannelState, PersonNote> {
  const { inFlight: _, ...settled } = state ?? freshState;
  return {
    kind: 'keep',
    state: settled,
    take: positionsOf(entries),
    put: putForOthers(entries, { teamId, userId: userOfQueue(id), at: now, failure: reason }),
    note: { kind: 'dropped', reason, count: entries.length },
  };
}

const fateIn = ({ mailbox: { teamId, id }, now }: PersonView) => ({ teamId, userId: userOfQueue(id), at: now });

/** What is taken out after a post has arrived, or is refused for what is in it. */
function withFate(kept: Keep<ChannelState, PostNote>, view: PersonView): Keep<ChannelState, PostNote> {
  const { take = [], note } = kept;
  const taken = view.mail.filter(({ position }) => take.includes(position));
  if (taken.length === 0) return kept;
  const failure = note?.kind === 'set_aside' ? note.error.code : undefined;
  const at = note?.kind === 'found' ? (view.state?.inFlight?.startedAt ?? view.now) : view.now;
  return { ...kept, put: putForOthers(taken, { ...fateIn(view), at, ...(failure !== undefined && { failure }) }) };
}

const isOptional = ({ content }: QueueEntry) => optionalKinds.has(content.kind);
const positionsOf = (entries: readonly QueueEntry[]) => entries.map(({ position }) => position);

type RecipientOrProblem =
  Awaited<ReturnType<FindRecipient>> | { kind: 'turned off' } | { kind: 'failed'; error: Error };

/** What needs no look at the clock: what may be in the conversation already, or the first message that comes at any time. */
function pickAtOnce(entries: readonly QueueEntry[], uncertain: InFlightMessage | undefined): readonly QueueEntry[] {
  if (uncertain) return entries.filter(({ position }) => uncertain.positions.includes(position));
  const untimed = firstUntimed(entries);
  return untimed ? [untimed] : [];
}
