import { minuteMs, hourMs, dayMs, weekMs } from '../../domain/durations.ts';
import type { Campaign, CampaignMember, Obligation, Schedule } from '../../domain/campaign.ts';
import { nextExcuseEnd, openPeople, peopleOf, neededFrom, personOf, type Person } from '../../obligations/people.ts';
import { isWaiting, otherDueTime } from '../../domain/campaign-messages.ts';
import { restsUntil } from '../../durable/machine.ts';
import {
  type Holidays,
  lastWorkingHourBefore,
  nextWorkingMoment,
  startOfNextDay,
  turnOfDay,
} from '../../time/working-hours.ts';
import type { CampaignProgress } from './stored-campaign.ts';

/** What a run of a campaign does next. */
export type CampaignStep =
  /** Read the quiz's responses: what follows must not be written to people whose result is in. */
  | { kind: 'ask' }
  /** Look how far the batch is that assigns the quiz. */
  | { kind: 'read-assignments' }
  | { kind: 'notify'; members: readonly CampaignMember[] }
  | { kind: 'remind'; members: readonly CampaignMember[] }
  | { kind: 'escalate'; missing: readonly CampaignMember[] }
  /** Compare the audience of a campaign that stands with its members. */
  | { kind: 'compare' }
  /** Put on the record who was taken in and who left. */
  | { kind: 'record' }
  /** Bring the board up to date: the time has changed what it shows. */
  | { kind: 'refresh' }
  | { kind: 'end' }
  /** Put the end on the record. */
  | { kind: 'close' }
  /** Undefined: until something happens. */
  | { kind: 'wait'; until: number | undefined };

/** What a step is decided on, besides the campaign. Messages of other campaigns and do-not-disturb are matters of delivery. */
export interface Circumstances extends CampaignProgress {
  now: number;
  holidays: Holidays;
}

/** Responses that were read up to so long ago will do, if it was after the messages came due. */
export const askedForMs = 15 * minuteMs;
/** Lost webhooks are found within this time, even where no message is due. */
const asksEveryMs = weekMs;
/** Nothing says that the service sends a webhook when a person marks a result, or opens a quiz. */
const asksOftenEveryMs = hourMs;
/** The last person may have been excused by mistake. */
const waitsAfterExcuseMs = dayMs;
/** Between two looks at the batch that assigns the quiz. They cost no requests. */
const assignmentsEveryMs = 5_000;
/** A board shows days. */
const refreshEveryMs = dayMs;

export function nextStep(campaign: Campaign, circumstances: Circumstances): CampaignStep {
  const step = plannedStep(campaign, circumstances);
  const { now, restsFrom, askAgainAt: notBefore } = circumstances;
  const until = step.kind === 'ask' ? restsUntil({ restsFrom, notBefore }, now) : undefined;
  return until === undefined ? step : { kind: 'wait', until };
}

function plannedStep(campaign: Campaign, circumstances: Circumstances): CampaignStep {
  const { now, askedAt, holidays, assignmentsReadAt, unrecorded } = circumstances;
  if (unrecorded !== undefined) return { kind: 'record' };
  if (campaign.endedAt !== null) return circumstances.isClosed ? { kind: 'wait', until: undefined } : { kind: 'close' };
  /** @param since what follows came due then */
  const mustAsk = (since: number) => askedAt === 0 || askedAt < since || now - askedAt > askedForMs || now < askedAt;

  const endsAt = campaign.rule.endsAt ?? Infinity;
  if (now >= endsAt) return mustAsk(endsAt) ? { kind: 'ask' } : { kind: 'end' };
  const finishedAt = whenFinished(campaign, now);
  if (campaign.obstacle?.status === 'gone') return { kind: 'end' };
  if (finishedAt <= now) return mustAsk(0) ? { kind: 'ask' } : { kind: 'end' };

  const isAssigning = campaign.members.some(({ assignment }) => assignment === 'waiting');
  const compareAt = nextComparison(campaign, circumstances, isAssigning);
  if (compareAt <= now) return { kind: 'compare' };

  // What people have passed before is a part of what they have to do.
  if (askedAt === 0) return { kind: 'ask' };

  if (isAssigning && Math.abs(now - assignmentsReadAt) >= assignmentsEveryMs) return { kind: 'read-assignments' };

  const isHeld = campaign.obstacle !== null;
  const messages = isHeld ? [] : nextMessages(campaign, now, holidays);
  const due = messages.filter(({ message }) => message.at <= now);
  const latest = (some: typeof due) => Math.max(...some.map(({ message }) => message.at));
  const first = due.filter(({ message }) => message.kind === 'first');
  if (first.length > 0)
    return mustAsk(latest(first)) ? { kind: 'ask' } : { kind: 'notify', members: first.map(({ member }) => member) };
  const escalateAt = isHeld ? undefined : escalationTime(campaign, now, holidays);
  const isEscalating = escalateAt !== undefined && escalateAt <= now;
  // The escalation reminds the leads, too.
  const leads = isEscalating && !campaign.unable.includes('lead') ? campaign.leads : [];
  const reminders = due.filter(({ member }) => !leads.includes(member.userId));
  if (reminders.length > 0)
    return mustAsk(latest(reminders))
      ? { kind: 'ask' }
      : { kind: 'remind', members: reminders.map(({ member }) => member) };
  if (isEscalating)
    return mustAsk(escalateAt) ? { kind: 'ask' } : { kind: 'escalate', missing: lateMembers(campaign, now) };

  const isMarking = peopleOf(campaign, now).some(({ state }) => state === 'marking');
  const askAt = askedAt + (isMarking || isHeld ? asksOftenEveryMs : asksEveryMs);
  if (askAt <= now || now < askedAt) return { kind: 'ask' };
  const refreshAt = nextRefresh(campaign, circumstances);
  if (refreshAt <= now) return { kind: 'refresh' };
  const moments = [
    ...messages.map(({ message }) => message.at),
    escalateAt ?? Infinity,
    endsAt,
    finishedAt,
    nextExcuseEnd(campaign, now) ?? Infinity,
    askAt,
    compareAt,
    refreshAt,
    isAssigning ? assignmentsReadAt + assignmentsEveryMs : Infinity,
  ];
  return { kind: 'wait', until: earliest(moments) };
}

/** The next message of each member who is to get one. */
export function nextMessages(campaign: Campaign, now: number, holidays: Holidays) {
  // Most members are as far as many others: computing with time zones takes long.
  const known = new Map<string, NextMessage | undefined>();
  return peopleOf(campaign, now).flatMap((person) => {
    const { member, obligation } = person;
    const { personId, assignment, timeZone, stays, messages, snoozedUntil } = member;
    if (!isToBeAsked(person) || personId === null || assignment !== 'has') return [];
    const last = messages.at(-1);
    const remindNowAt = askedAgainAt(member, campaign, obligation);
    const told = [stays[0]?.from, last?.handedAt, snoozedUntil, remindNowAt];
    const key = JSON.stringify([timeZone, ...told, obligation.dueAt, obligation.asksFrom]);
    if (!known.has(key))
      known.set(
        key,
        nextMessageOf(
          { ...campaign.rule, dueAt: obligation.dueAt ?? null },
          {
            timeZone,
            addedAt: stays[0]?.from ?? 0,
            asksFrom: obligation.asksFrom,
            lastMessageAt: last?.handedAt,
            snoozedUntil: snoozedUntil ?? 0,
            remindNowAt,
          },
          holidays,
        ),
      );
    const message = known.get(key);
    return message ? [{ member, message }] : [];
  });
}

/** Now, or when what they have passed is to be renewed. */
function isToBeAsked({ state, obligation }: Person): boolean {
  return state === 'open' || (obligation.state === 'done' && obligation.asksFrom !== undefined);
}

/** Where a campaign stands, the lead hears who is missing the set time after a member’s due time, and at most once a week. */
function escalationTime(campaign: Campaign, now: number, holidays: Holidays): number | undefined {
  const { rule, escalatedUpTo, timeZone } = campaign;
  if (rule.standing === null) return nextEscalation(rule, escalatedUpTo, campaign, holidays);
  const dueTimes = openPeople(campaign, now).flatMap(({ obligation }) => obligation.dueAt ?? []);
  if (rule.escalateAfterMs === null || dueTimes.length === 0) return undefined;
  const first = dueTimes.reduce((a, b) => Math.min(a, b), Infinity) + rule.escalateAfterMs;
  return nextWorkingMoment(Math.max(first, escalatedUpTo + weekMs), timeZone, holidays);
}

/** Whether they get a message about their due time. One that waits for them says it, and can come too late for an earlier one. */
function isToBeTold(member: CampaignMember, obligation: Obligation): boolean {
  const { dueAt = Infinity, asksFrom = 0 } = obligation;
  const waiting = member.messages.findLast((message) => isWaiting(message));
  return waiting === undefined
    ? otherDueTime(member, obligation) !== undefined
    : waiting.handedAt >= asksFrom && dueAt < (waiting.dueAt ?? Infinity);
}

/** When they are to be reminded whatever is planned: a person asked for it, or they know another due time. */
function askedAgainAt(member: CampaignMember, campaign: Campaign, obligation: Obligation): number {
  return Math.max(
    campaign.remindNowAt ?? 0,
    member.remindNowAt ?? 0,
    member.askAgainAt ?? 0,
    isToBeTold(member, obligation) ? (campaign.dueChangedAt ?? 0) : 0,
  );
}

/** When the time next changes what the board shows; infinite without a board. */
function nextRefresh(campaign: Campaign, { refreshedAt, now }: Circumstances): number {
  const { rule } = campaign;
  if (rule.board === null) return Infinity;
  const moments =
    rule.standing === null
      ? [rule.dueAt ?? undefined, nextExcuseEnd(campaign, refreshedAt)]
      : peopleOf(campaign, refreshedAt).flatMap(turningPoints);
  return moments
    .flatMap((moment) => (moment !== undefined && moment > refreshedAt ? [moment] : []))
    .reduce((a, b) => Math.min(a, b), Math.min(refreshedAt, now) + refreshEveryMs);
}

/** At which the time changes the state of a member. */
function turningPoints({ obligation }: Person): (number | undefined)[] {
  const { dueAt, validUntil, excusedUntil, asksFrom } = obligation;
  return [dueAt, validUntil, excusedUntil, asksFrom];
}

function earliest(moments: readonly number[]): number | undefined {
  const first = Math.min(...moments);
  return first === Infinity ? undefined : first;
}

/** Since when nobody is left who has to do something, or will have to when an excuse ends; infinite while there is somebody. */
function whenFinished(campaign: Campaign, now: number): number {
  if (campaign.rule.standing !== null) return Infinity;
  const finished = peopleOf(campaign, now).map(({ member, state }) => {
    switch (state) {
      case 'complete':
        return 0;
      case 'excused':
        return member.excused === null || member.excused.until !== null
          ? Infinity
          : member.excused.at + waitsAfterExcuseMs;
      default:
        return Infinity;
    }
  });
  return Math.max(0, ...finished);
}

/** Those of these members who are late by the time after which a campaign escalates; none where it never does. */
export function lateMembers(campaign: Campaign, now: number, among = campaign.members): CampaignMember[] {
  const { escalateAfterMs } = campaign.rule;
  if (escalateAfterMs === null) return [];
  return among.filter((member) => {
    const { state, obligation } = personOf(member, campaign, now);
    return state === 'open' && !member.away && (obligation.dueAt ?? Infinity) + escalateAfterMs <= now;
  });
}

/** How far a person is in a campaign. */
export interface MemberProgress {
  timeZone: string;
  addedAt: number;
  /** Where the campaign stands: they are asked from then on for what is due now. What was sent before was about another due time. */
  asksFrom?: number | undefined;
  /** The planned reminders up to this moment are sent, or were passed over; undefined before the first message. */
  lastMessageAt?: number | undefined;
  snoozedUntil: number;
  /** When a person asked for reminders at once. */
  remindNowAt: number;
}

interface NextMessage {
  kind: 'first' | 'reminder';
  /** Not before this moment. */
  at: number;
}

/**
 * Decides which message a person gets next, and when: the first one once, then each reminder that is planned. A person gets
 * at most one message a day, in their working hours, unless the next one would come after the due time. A planned reminder that
 * comes due on the day of the last message is left out, and those that come due during a night or a weekend are one. A reminder before the due time comes before it. A reminder
 * that a person asks for comes all the same: the next day.
 *
 * @returns undefined where no message is to come
 */
export function nextMessageOf(
  schedule: Schedule,
  { timeZone, addedAt, asksFrom = 0, lastMessageAt, snoozedUntil, remindNowAt }: MemberProgress,
  holidays: Holidays,
): NextMessage | undefined {
  const planned = lastMessageAt === undefined ? Math.max(addedAt, asksFrom) : reminderAfter(lastMessageAt);
  if (planned === undefined) return undefined;
  const at = turnOfDay(planned, { lastAt: lastMessageAt, dueAt: schedule.dueAt ?? Infinity, timeZone, holidays });
  if (at >= (schedule.endsAt ?? Infinity)) return undefined;
  return { kind: lastMessageAt === undefined ? 'first' : 'reminder', at };

  function reminderAfter(lastAt: number): number | undefined {
    const nextDayAt = startOfNextDay(lastAt, timeZone);
    const workingMoment = (ms: number) => nextWorkingMoment(ms, timeZone, holidays);
    const sinceAt = Math.max(lastAt, asksFrom);
    if (snoozedUntil > sinceAt) return snoozedUntil;
    if (remindNowAt > sinceAt) return remindNowAt;
    if (lastAt < asksFrom) return asksFrom;
    const nextAfter = (ms: number) => nextReminderAfter(schedule, { afterMs: ms, asksFrom }, timeZone, holidays);
    let next = nextAfter(lastAt);
    while (next !== undefined && next < nextDayAt && workingMoment(next) < nextDayAt) next = nextAfter(next);
    return next;
  }
}

/**
 * The first planned reminder after a moment. One that is planned before the due time comes before it: where it would not in the
 * person's next working hours, it comes in the last hour of those before. It comes a day after they were asked or later: who has a
 * week isn't reminded a week before.
 */
function nextReminderAfter(
  { dueAt, remindBeforeMs, overdueEveryMs, endsAt }: Schedule,
  { afterMs, asksFrom }: { afterMs: number; asksFrom: number },
  timeZone: string,
  holidays: Holidays,
): number | undefined {
  if (dueAt === null) return undefined;
  const before = remindBeforeMs
    .map((ms) => dueAt - ms)
    .filter((at) => at >= asksFrom + dayMs)
    .map((at) =>
      nextWorkingMoment(at, timeZone, holidays) < dueAt ? at : lastWorkingHourBefore(at, timeZone, holidays),
    )
    .filter((at) => at > afterMs);
  const overdue = overdueEveryMs === null ? [] : [nextInSeries(dueAt, overdueEveryMs, afterMs)];
  const next = Math.min(...before, ...overdue);
  return next < (endsAt ?? Infinity) ? next : undefined;
}

/**
 * When the lead hears next who is missing: after the set time, then every week until the end; in the lead's working hours.
 *
 * @param escalatedUpTo the planned escalations up to this moment are sent
 */
export function nextEscalation(
  { dueAt, escalateAfterMs, endsAt }: Schedule,
  escalatedUpTo: number,
  { timeZone }: Pick<Campaign, 'timeZone'>,
  holidays: Holidays,
): number | undefined {
  if (dueAt === null || escalateAfterMs === null) return undefined;
  const first = dueAt + escalateAfterMs;
  const planned = escalatedUpTo < first ? first : nextInSeries(first, weekMs, escalatedUpTo);
  const at = nextWorkingMoment(planned, timeZone, holidays);
  return at < (endsAt ?? Infinity) ? at : undefined;
}

/** The first of `start + everyMs`, `start + 2 * everyMs`, … after a moment. */
function nextInSeries(start: number, everyMs: number, afterMs: number): number {
  return start + Math.max(1, Math.floor((afterMs - start) / everyMs) + 1) * everyMs;
}

/** After the first of several changes: a channel that is filled is compared once. */
export const changesGatheredForMs = 60_000;
/** Campaigns are compared within this time after the beginning of a day in UTC, so that they share what is read. */
const spreadMs = 30 * minuteMs;

/**
 * When the audience of a campaign is next compared with its members: once a day, after a change, and when a member needs the quiz
 * who did not need it before. While its quiz is being
 * assigned, changes wait. In milliseconds since the epoch; infinite where the campaign does not stand.
 */
function nextComparison(
  campaign: Campaign,
  circumstances: Pick<
    Circumstances,
    'now' | 'askedAt' | 'comparedAt' | 'audienceChangedAt' | 'compareRestsFrom' | 'compareAgainAt'
  >,
  isAssigning: boolean,
): number {
  if (campaign.rule.standing === null) return Infinity;
  const { now, audienceChangedAt = Infinity, compareRestsFrom, compareAgainAt = 0 } = circumstances;
  const changed = isAssigning ? Infinity : audienceChangedAt + changesGatheredForMs;
  const followed = campaign.audience.length === 0 ? Infinity : Math.min(nextDaily(campaign, circumstances), changed);
  // What they have passed is known once the responses were read.
  const needed = isAssigning || circumstances.askedAt === 0 ? Infinity : nextNeeded(campaign, now);
  return restsUntil({ restsFrom: compareRestsFrom, notBefore: compareAgainAt }, now) ?? Math.min(followed, needed);
}

/** When the next member needs the quiz who did not need it yet; infinite where there is none. */
function nextNeeded(campaign: Campaign, now: number): number {
  if (campaign.members.every(({ assignment }) => assignment !== 'later')) return Infinity;
  return peopleOf(campaign, now).reduce(
    (first, { member, obligation }) =>
      member.assignment === 'later' ? Math.min(first, neededFrom(obligation)) : first,
    Infinity,
  );
}

/** When a campaign is next compared whatever has changed, in milliseconds since the epoch. */
export function nextDaily(
  { id, startedAt }: Pick<Campaign, 'id' | 'startedAt'>,
  { now, comparedAt }: Pick<CampaignProgress, 'comparedAt'> & { now: number },
): number {
  if (comparedAt === undefined || comparedAt > now) return startedAt;
  const spread = spreadOf(id);
  return Math.floor((comparedAt - spread) / dayMs + 1) * dayMs + spread;
}

/** The same for a campaign each day. */
function spreadOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % spreadMs;
  return sum;
}
