import { managerOfQueue, type CampaignMessage, type QueueEntry, userOfQueue } from '../../domain/queues.ts';
import { turnAfter } from '../../quiz-api/errors.ts';
import type { Counter } from 'prom-client';
import type { Announcement, CampaignWeek, LateReport } from '../../domain/announcement.ts';
import { PlatformError } from '../../domain/errors.ts';
import { resting, type Machine, type Mailbox, type Step } from '../../durable/machine.ts';
import {
  afterFailure,
  lookFor,
  post,
  postingRestsUntil,
  settlePost,
  type PostAnswer,
  type PostDeed,
} from '../../durable/posting.ts';
import type { Log } from '../../observability/log.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import { StoreAwayError } from '../../storage/storage.ts';
import type { Holidays } from '../../time/working-hours.ts';
import {
  dueMessages,
  isAskingToTakeIn,
  isForRespondent,
  isOptional,
  personAnnouncement,
  pickAtOnce,
} from './due-messages.ts';
import type { Pace } from '../../time/timers.ts';
import {
  freshPersonState,
  dropped,
  positionsOf,
  withFate,
  withoutPointless,
  type FindRecipient,
  type Hindrance,
  type IsMember,
  type PersonState,
  type PersonView,
  type QuietUntil,
  type Recipient,
  type PersonNote,
} from './person-view.ts';
import { createPosting, firstOf, keepPosted } from './posting.ts';

/** Read at once; those of a person who cannot be written to are dropped together. */
const entriesAtMost = 100;

/** Of what may be in the conversation already. */
const nothingSaid = { said: [], pointless: [] };

type PersonStep = Step<PersonState, PostDeed<PersonState>, PersonNote>;

/**
 * Posts what waits for a user of the quiz account, or for a manager, in the bot's direct messages with them: each once, a second apart.
 * Messages of campaigns come in the person's working hours, and notices once a day in one message; the others come in order
 * and at once. Messages to nobody, to a person who has turned them off, and those that have become pointless, are dropped.
 */
export function personMachine(deps: {
  channel: AnnouncementChannel;
  findRecipient: FindRecipient;
  /** As `findRecipient`, by the person’s ID on the platform. */
  findPerson: FindRecipient;
  isMember: IsMember;
  /** Whether respondents get messages. */
  notifiesRespondents: boolean;
  wantsMessages: (teamId: string, personId: string) => Promise<boolean>;
  wantsWeeks: (teamId: string, personId: string) => Promise<boolean>;
  /** What there is to say on Monday of the campaigns that a user answers for. */
  weeksOf: (teamId: string, userId: string) => Promise<CampaignWeek[]>;
  /** What a message of a campaign says by now; undefined: it need not be posted any more. The person may have taken the quiz meanwhile. */
  messageNow: (
    teamId: string,
    message: CampaignMessage,
    to: { userId: string; handedAt: number },
  ) => Promise<CampaignMessage | undefined>;
  /** The people of a manager who are late in these campaigns now. */
  lateReports: (teamId: string, managerId: string, campaignIds: readonly string[]) => Promise<LateReport[]>;
  /** IDs of the campaigns that run. */
  runningCampaigns: (teamId: string) => Promise<readonly string[]>;
  quietUntil: QuietUntil;
  /** When the conversation with a person may be opened (milliseconds since the epoch); undefined: now. */
  openingTurn: (personId: string) => Promise<number | undefined>;
  holidays: Holidays;
  /** That of all direct messages together. */
  pace: Pace;
  log: Log;
  /** The address where a quiz is taken; undefined where the account has none configured. */
  takeUrl: (quizId: string) => string | undefined;
  newId: () => string;
  counter: Pick<Counter<'outcome'>, 'inc'>;
  now: () => number;
}): Machine<PersonState, PostDeed<PersonState>, PostAnswer, PersonNote> {
  const { log, counter, holidays, now } = deps;
  const posting = createPosting({
    ...deps,
    // The id of the conversation would name the person.
    of: () => ({ logged: { queue: 'person' }, count: (outcome) => counter.inc({ outcome }) }),
  });

  /** What keeps messages from being posted. */
  function hindered(view: PersonView, problem: Hindrance): PersonStep {
    if (problem.kind === 'later') return { kind: 'rest', until: problem.at };
    if (problem.kind === 'nobody') return dropped(view, problem.reason, view.mail);
    if (problem.kind === 'turned off')
      return dropped(view, 'turned_off', view.mail.filter(problem.by === 'person' ? isOptional : isForRespondent));
    const { error } = problem;
    const failure = {
      retryAfterMs: retryAfterMs(error),
      kind: error instanceof PlatformError ? error.kind : undefined,
    };
    return resting(afterFailure(view.state ?? freshPersonState, failure, view.now));
  }

  async function step(view: PersonView): Promise<PersonStep> {
    const { state = freshPersonState, mail, mailbox } = view;
    if (mail.length === 0) return state.inFlight ? dropped(view, 'old', []) : { kind: 'rest', until: undefined };
    const picked = pickAtOnce(mail, state.inFlight);
    if (picked.length === 0) return timedStep(view);
    const turnAt = deps.pace.turn(mailbox.name);
    if (turnAt !== undefined) return { kind: 'rest', until: turnAt };
    const { pointless, said } = state.inFlight === undefined ? await saidNow(view, picked, []) : nothingSaid;
    if (pointless.length > 0) return withoutPointless(view, pointless);
    const recipient = await recipientOf(view);
    if (recipient.kind !== 'found') return hindered(view, recipient);
    const conversation = await conversationWith(recipient);
    if (typeof conversation !== 'string') return hindered(view, conversation);
    return state.inFlight ? lookFor(state, { channelId: conversation }) : posted(view, said, [], conversation);
  }

  /** Messages that come in working hours. Conversations open more slowly than messages are posted. */
  async function timedStep(view: PersonView): Promise<PersonStep> {
    const { state = freshPersonState, mail, mailbox } = view;
    const recipient = await recipientOf(view);
    if (recipient.kind !== 'found') return hindered(view, recipient);
    const running = await deps.runningCampaigns(mailbox.teamId);
    const { now: at } = view;
    const { timeZone, personId } = recipient;
    const { noticedAt, listedAt, askedAt } = state;
    const due = dueMessages(mail, { now: at, timeZone, noticedAt, listedAt, askedAt, holidays, running });
    if ('waitUntil' in due) return { kind: 'rest', until: due.waitUntil };
    const quietUntil = await deps.quietUntil(personId);
    if (quietUntil !== undefined) return { kind: 'rest', until: quietUntil };
    const conversation = await conversationWith(recipient);
    if (typeof conversation !== 'string') return hindered(view, conversation);
    const turnAt = deps.pace.turn(mailbox.name);
    if (turnAt !== undefined) return { kind: 'rest', until: turnAt };

    const picked = firstOf(state, due.entries);
    if (picked[0]?.content.kind === 'week') return weekStep(view, picked, recipient, conversation);
    const managerId = managerOfQueue(mailbox.id);
    const isList = picked[0]?.content.kind === 'campaign-reports' && managerId !== undefined;
    const reports = isList ? await deps.lateReports(mailbox.teamId, managerId, running) : [];
    const { pointless, said } = await saidNow(view, picked, reports);
    return pointless.length > 0 ? withoutPointless(view, pointless) : posted(view, said, reports, conversation);
  }

  function posted(
    view: PersonView,
    picked: readonly QueueEntry[],
    reports: readonly LateReport[],
    channelId: string,
  ): PersonStep {
    const reader = { userId: userOfQueue(view.mailbox.id), now: view.now, reports };
    const announcement = personAnnouncement(picked, reader, deps.takeUrl);
    return announcement === undefined
      ? dropped(view, 'unknown', picked)
      : postedAs(announcement, view, picked, channelId);
  }

  /** The message of Monday. It takes the place of escalations, but not of one to somebody who is missing themselves. */
  async function weekStep(
    view: PersonView,
    picked: readonly QueueEntry[],
    { personId }: Recipient,
    channelId: string,
  ): Promise<PersonStep> {
    const { teamId, id } = view.mailbox;
    const isWanted = await deps.wantsWeeks(teamId, personId);
    const weeks = isWanted ? await deps.weeksOf(teamId, userOfQueue(id)) : [];
    if (weeks.length === 0) return withoutPointless(view, picked);
    const late = new Set(weeks.flatMap(({ campaignId, late: names }) => (names.length > 0 ? campaignId : [])));
    const said = view.mail.filter(
      ({ content }) =>
        content.kind === 'campaign-escalation' && content.ownQuizId === undefined && late.has(content.campaignId),
    );
    return postedAs({ kind: 'campaign-weeks', weeks }, view, [...picked, ...said], channelId);
  }

  function postedAs(
    announcement: Announcement,
    { state = freshPersonState, now: startedAt }: PersonView,
    picked: readonly QueueEntry[],
    channelId: string,
  ): PersonStep {
    const inFlight = {
      id: deps.newId(),
      startedAt,
      positions: positionsOf(picked),
      isNotice: announcement.kind === 'campaign-notices',
      isList: announcement.kind === 'campaign-reports',
      isAsking: picked.some(isAskingToTakeIn),
    };
    return post(state, { channelId, inFlight, announcement });
  }

  async function recipientOf({ mailbox, mail, state }: PersonView): Promise<Recipient | Hindrance> {
    return orHindrance<Recipient | Hindrance>(async () => {
      const managerId = managerOfQueue(mailbox.id);
      const found = await (managerId === undefined
        ? deps.findRecipient(userOfQueue(mailbox.id))
        : deps.findPerson(managerId));
      if (found.kind !== 'found') return found;
      const picked = pickAtOnce(mail, state?.inFlight);
      const next = picked.length > 0 ? picked : mail;
      if (!deps.notifiesRespondents && next.some(isForRespondent)) return { kind: 'turned off', by: 'operator' };
      return !next.some(isOptional) || (await deps.wantsMessages(mailbox.teamId, found.personId))
        ? found
        : { kind: 'turned off', by: 'person' };
    });
  }

  async function conversationWith({ personId }: Recipient): Promise<string | Hindrance> {
    return orHindrance<string | Hindrance>(async () => {
      const at = await deps.openingTurn(personId);
      return at === undefined ? deps.channel.openDirect(personId) : { kind: 'later', at };
    });
  }

  async function orHindrance<Answer>(look: () => Promise<Answer>): Promise<Answer | Hindrance> {
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

  /** These entries with what they say now, and those that need not be posted any more. */
  async function saidNow({ mailbox }: PersonView, picked: readonly QueueEntry[], reports: readonly LateReport[]) {
    const contents = await Promise.all(picked.map(async (entry) => contentNow(entry, mailbox, reports)));
    return {
      said: picked.flatMap((entry, index) => {
        const content = contents[index];
        return content === undefined ? [] : [{ ...entry, content }];
      }),
      pointless: picked.filter((_, index) => contents[index] === undefined),
    };
  }

  /** A user who has left the group meanwhile has not got its quiz. */
  async function contentNow(
    { content, at: handedAt }: QueueEntry,
    { teamId, id }: Mailbox,
    reports: readonly LateReport[],
  ): Promise<QueueEntry['content'] | undefined> {
    const userId = userOfQueue(id);
    if (content.kind === 'assigned') {
      const { groupId } = content;
      return groupId === undefined || (await deps.isMember(userId, groupId, handedAt)) ? content : undefined;
    }
    if (content.kind === 'campaign-reports') {
      const { campaignId } = content;
      return reports.some(({ quizzes }) => quizzes.some((quiz) => quiz.campaignId === campaignId))
        ? content
        : undefined;
    }
    return 'campaignId' in content ? deps.messageNow(teamId, content, { userId, handedAt }) : content;
  }

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    keptAtRestMs: 30 * 24 * 3_600_000,
    restsUntil: postingRestsUntil,
    isBusy: ({ inFlight }) => inFlight !== undefined,
    step,
    deeds: {
      do: posting.do,
      look: posting.look,
      settle(deed, answer, view) {
        // What waits for a person who cannot be written to goes to nobody.
        if (answer instanceof PlatformError && answer.kind === 'closed') return dropped(view, answer.code, view.mail);
        const { state, outcome } = settlePost(view.state, deed, answer, view.now);
        const { isNotice, isList, isAsking, startedAt } = deed.inFlight;
        const isThere = outcome.kind === 'posted';
        const after = {
          ...state,
          ...(isThere && isNotice && { noticedAt: startedAt }),
          ...(isThere && isList && { listedAt: startedAt }),
          ...(isThere && isAsking && { askedAt: startedAt }),
        };
        return withFate(keepPosted({ state: after, outcome }, deed, view), view, deed.announcement);
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

  /** Undefined: after a longer pause with each failure. */
  function retryAfterMs(error: Error): number | undefined {
    const turn = turnAfter(error);
    if (turn !== undefined) return turn - now();
    return error instanceof PlatformError ? error.retryAfterMs : undefined;
  }
}
