import { minuteMs, dayMs } from '../../domain/durations.ts';
import type { Announcement, CampaignEscalation, CampaignNotice, LateReport } from '../../domain/announcement.ts';
import type { Note } from '../../domain/note.ts';
import { amount, say } from '../../domain/said.ts';
import type { CampaignMessage, QueueEntry } from '../../domain/queues.ts';
import type { PersonState } from './person-view.ts';
import { wallClock } from '../../time/wall-clock.ts';
import { nextWorkingMoment, startOfNextDay, turnOfDay, type Holidays } from '../../time/working-hours.ts';

/** Messages that answer what a person does come at any time, these in working hours alone, in this order. */
const timedKinds: readonly string[] = [
  'week',
  'campaign-escalation',
  'campaign-reports',
  'campaign-notice',
  'taking in',
] satisfies (QueueEntry['content']['kind'] | 'taking in')[];

/** The kind of a message; those that ask to take people into a campaign are one of their own. */
function kindOf({ content }: QueueEntry): string {
  return content.kind === 'note' && 'untilTakenIn' in content ? 'taking in' : content.kind;
}

export const isAskingToTakeIn = (entry: QueueEntry) => kindOf(entry) === 'taking in';

/** What goes to people as respondents. Messages about what others do with a campaign of theirs are for leads and owners. */
const respondentKinds: ReadonlySet<string> = new Set(['assigned', 'own-result', 'campaign-notice']);

export const isForRespondent = ({ content }: QueueEntry) => respondentKinds.has(content.kind);

/** Whether a person who turned messages off does not get it. What a campaign asks of them is an obligation. */
export function isOptional(entry: QueueEntry): boolean {
  return isForRespondent(entry) && entry.content.kind !== 'campaign-notice';
}

/** The person’s clock, and what they got. Times are milliseconds since the epoch. */
interface PersonTimes {
  now: number;
  timeZone: string;
  /** When notices of campaigns were posted last. */
  noticedAt: number | undefined;
  /** When the list of late people was posted last, to a manager. */
  listedAt: number | undefined;
  /** When the person was last asked to take people into campaigns. */
  askedAt: number | undefined;
  holidays: Holidays;
  /** IDs of the campaigns that run. */
  running: readonly string[];
}

/** Campaigns whose messages come due at the same moment each read their responses first, which takes a while. */
const gatheredForMs = 2 * minuteMs;

const daysToNextListMs = 6 * dayMs;

/**
 * Chooses what is posted next of the messages that come in working hours: all escalations as one message, or all notices, or all
 * who wait to be taken in. Over all campaigns, a person gets notices once a day and is asked to take people in once a day, unless something is due before the next day, and a manager the list of late
 * people once a week.
 */
export function dueMessages(
  entries: readonly QueueEntry[],
  times: PersonTimes,
): { entries: readonly QueueEntry[] } | { waitUntil: number } {
  const { now, timeZone, noticedAt, listedAt, askedAt, holidays } = times;
  /** A manager gets the next list on the same day of the next week, from the morning on. */
  const nextListAt =
    listedAt === undefined || listedAt > now ? now : startOfNextDay(listedAt + daysToNextListMs, timeZone);
  const week = entries.findLast(({ content }) => content.kind === 'week');
  const weekAt = week && weekTurn(week, times);
  const turns = timedKinds.flatMap((kind) => {
    const own = entries.filter((entry) => kindOf(entry) === kind);
    if (own.length === 0) return [];
    if (kind === 'week') return [{ entries: own, at: weekAt! }];
    const from = Math.max(gatheredAt(own, times), kind === 'campaign-reports' ? nextListAt : now);
    const last = kind === 'campaign-notice' ? noticedAt : kind === 'taking in' ? askedAt : undefined;
    const lastAt = (last ?? Infinity) <= now ? last : undefined;
    const at = turnOfDay(from, { lastAt, dueAt: firstDueAt(own, now), timeZone, holidays });
    // What the message of that morning says is not said twice.
    const isOfWeek = kind === 'campaign-escalation' && weekAt !== undefined && weekAt - at <= gatheredForMs;
    return [{ entries: own, at: isOfWeek ? Math.max(at, weekAt) : at }];
  });
  return turns.find(({ at }) => at <= now) ?? { waitUntil: Math.min(...turns.map(({ at }) => at)) };
}

/** When the first of what these entries speak of is due that is not due yet; infinite where nothing is. */
function firstDueAt(entries: readonly QueueEntry[], now: number): number {
  const dueTimes = entries.flatMap(({ content }) => (content.kind === 'campaign-notice' ? (content.dueAt ?? []) : []));
  return Math.min(...dueTimes.filter((at) => at > now));
}

/** On Monday morning, once the escalations of the same moment are there. */
function weekTurn({ at }: QueueEntry, { now, timeZone, holidays }: PersonTimes): number {
  const clock = wallClock(timeZone);
  const today = Math.floor(clock.shownAt(at) / dayMs);
  // 5 January 1970 was a Monday.
  const monday = clock.firstMomentOf(Math.ceil((today - 4) / 7) * 7 * dayMs + 4 * dayMs);
  const morning = nextWorkingMoment(monday, timeZone, holidays) + gatheredForMs;
  return nextWorkingMoment(Math.max(now, morning), timeZone, holidays);
}

/**
 * Until when the messages of other campaigns are waited for: notices would come a day later, and escalations one by one. Not
 * with the first message of a campaign that was started during working hours, and not past the end of these.
 */
function gatheredAt(entries: readonly QueueEntry[], { now, timeZone, holidays, running }: PersonTimes): number {
  const here = new Set(entries.flatMap(({ content }) => ('campaignId' in content ? [content.campaignId] : [])));
  if (running.every((id) => here.has(id))) return now;
  const isOpen = (moment: number) => nextWorkingMoment(moment, timeZone, holidays) === moment;
  const moments = entries.map(({ at, content }) => {
    const isFirst = content.kind === 'campaign-notice' && !content.isReminder;
    const isPlanned = !isFirst || !isOpen(at - gatheredForMs);
    const gathered = at + gatheredForMs;
    return isPlanned && isOpen(at) && isOpen(gathered) && gathered <= now + gatheredForMs ? gathered : now;
  });
  return Math.min(...moments, now + gatheredForMs);
}

/** What needs no look at the clock: what may be in the conversation already, or the first message that comes at any time. */
export function pickAtOnce(entries: readonly QueueEntry[], uncertain: PersonState['inFlight']): readonly QueueEntry[] {
  if (uncertain) return entries.filter(({ position }) => uncertain.positions.includes(position));
  const untimed = entries.find((entry) => !timedKinds.includes(kindOf(entry)));
  return untimed ? [untimed] : [];
}

/** Who reads a message, and when it is written (milliseconds since the epoch). */
interface Reader {
  userId: string;
  now: number;
  /** Those of a manager who are late. */
  reports: readonly LateReport[];
}

/** The address where a quiz is taken; undefined where the account has none configured. */
type TakeUrl = (quizId: string) => string | undefined;

/** The message of these entries, which are of one kind. Undefined for what an earlier version of the bot does not know. */
export function personAnnouncement(
  picked: readonly QueueEntry[],
  { userId, now, reports }: Reader,
  takeUrl: TakeUrl,
): Announcement | undefined {
  const content = picked[0]?.content;
  switch (content?.kind) {
    case 'assigned': {
      const { kind, quizId, quizName, by } = content;
      return { kind, quizName, by, takeUrl: takeUrl(quizId) };
    }
    case 'own-result':
      return {
        kind: 'own-result',
        submission: content.submission,
        reportUrl: content.reportUrl,
        takeUrl: content.submission.outcome === 'failed' ? takeUrl(content.submission.quizId) : undefined,
      };
    case 'own-password':
      return { ...content, userId };
    case 'campaign-notice':
      return { kind: 'campaign-notices', notices: noticesIn(picked, takeUrl), now };
    case 'campaign-escalation':
      return { kind: 'campaign-escalations', escalations: escalationsIn(picked, takeUrl) };
    case 'campaign-reports':
      return reports.length === 0 ? undefined : { kind: 'campaign-reports', people: reports };
    case 'note':
      return { kind: 'note', note: noteOf(picked) };
    default:
      return undefined;
  }
}

/** The notices of these entries, the latest of each campaign, what is due first before the others. A person who has not had the first message yet is not reminded. */
function noticesIn(entries: readonly Pick<QueueEntry, 'content'>[], takeUrl: TakeUrl): CampaignNotice[] {
  const notices = entries.flatMap(({ content }) => (content.kind === 'campaign-notice' ? [content] : []));
  const latest = [...Map.groupBy(notices, ({ campaignId }) => campaignId).values()].flatMap((own) =>
    own.slice(-1).map(({ kind: _, words: _words, takesMinutes: _minutes, ...last }) => ({
      ...last,
      ...firstWords(own),
      isReminder: own.every(({ isReminder }) => isReminder),
      takeUrl: takeUrl(last.quizId),
    })),
  );
  return latest.toSorted((one, other) => (one.dueAt ?? Infinity) - (other.dueAt ?? Infinity));
}

/** The note of these entries; where several campaigns ask to take people in, the latest of each with its buttons. */
function noteOf(entries: readonly Pick<QueueEntry, 'content'>[]): Note {
  const latest = new Map(
    entries.flatMap(({ content }) =>
      content.kind === 'note' ? [['campaignId' in content ? content.campaignId : '', content.note]] : [],
    ),
  );
  const notes = [...latest.values()];
  if (notes.length === 1) return notes[0]!;
  const parts = notes.map(({ heading, parts: own = [], steps = [] }) => ({
    lines: [heading, ...own.flatMap(({ lines }) => lines)],
    steps,
  }));
  return { heading: say`👋 People wait to be taken into ${amount(notes.length)} campaigns.`, parts };
}

/** The escalations of these entries, the latest of each campaign. */
function escalationsIn(entries: readonly Pick<QueueEntry, 'content'>[], takeUrl: TakeUrl): CampaignEscalation[] {
  const latest = new Map(
    entries.flatMap(({ content }) => (content.kind === 'campaign-escalation' ? [[content.campaignId, content]] : [])),
  );
  return [...latest.values()].map(({ kind: _, ...escalation }) => ({
    ...escalation,
    takeUrl: escalation.ownQuizId === undefined ? undefined : takeUrl(escalation.ownQuizId),
  }));
}

/** What goes with a first message that waits. */
function firstWords(notices: readonly Extract<CampaignMessage, { kind: 'campaign-notice' }>[]) {
  const first = notices.find(({ isReminder }) => !isReminder);
  return {
    words: first?.words,
    takesMinutes: first?.takesMinutes,
  };
}
