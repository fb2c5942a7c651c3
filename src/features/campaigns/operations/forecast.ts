import type { CampaignContact, Schedule } from '../../../domain/campaign.ts';
import type { CampaignPlan, PlannedMember } from '../../../domain/campaign-plan.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { backgroundDurationMs } from '../../../quiz-api/budget/rate-windows.ts';
import { nextWorkingMoment, startOfNextDay, type Holidays } from '../../../time/working-hours.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { nextMessageOf } from './schedule.ts';

export type Forecast = Pick<
  CampaignPlan,
  | 'firstMessagesAt'
  | 'firstMessagesUntil'
  | 'firstMessagesNow'
  | 'firstMessagesLocal'
  | 'clocksDiffer'
  | 'firstRemindersAt'
> &
  Required<Pick<CampaignPlan, 'delayed' | 'lateNames'>>;

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
/** So far apart, first messages are said to go out over a time. */
const spanMs = 5 * minuteMs;
/** The first people get the quiz within this time. */
const soonMs = minuteMs;
/** The conversations with people to whom the bot never wrote open at this pace. */
const openingEveryMs = 1_500;

/** A member whom messages reach, and when they have the quiz. */
interface Reached {
  member: PlannedMember;
  readyAt: number;
}

/**
 * Forecasts messages by the rules that the campaign and the people’s mailboxes follow: working hours, one day between notices
 * over all campaigns, the time that assigning takes. Do-not-disturb can delay them.
 *
 * @param setting.contacts when other campaigns write to these people, by user ID
 */
export function forecastMessages(
  {
    standing,
    schedule,
    members,
    assign,
    lead,
  }: Pick<CampaignPlan, 'standing' | 'schedule' | 'members' | 'assign' | 'lead'>,
  setting: { nowMs: number; holidays: Holidays; contacts: ReadonlyMap<string, CampaignContact> },
): Forecast {
  const calendar = cachedCalendar(setting.holidays);
  const asked = standing ? members.filter(({ isAsked }) => isAsked) : members;
  const reached = readyMembers(asked, assign, setting.nowMs).map(({ member, readyAt }) => {
    const { timeZone } = member;
    const at = amongOthers(readyAt, timeZone, setting.contacts.get(member.userId) ?? {}, calendar);
    return { member, at, isDelayed: at > calendar.workingMoment(readyAt, timeZone) };
  });
  let freeAt = -Infinity;
  const firsts = reached
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ member, at, ...rest }) => {
      const posted = at >= freeAt ? at : calendar.workingMoment(freeAt, member.timeZone);
      freeAt = Math.max(freeAt, at) + openingEveryMs;
      return posted >= (schedule.endsAt ?? Infinity) ? [] : [{ member, at: posted, ...rest }];
    });
  const times = firsts.map(({ at }) => at);
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), 0)];
  return {
    firstMessagesAt: firsts.length === 0 ? null : first,
    ...(last - first >= spanMs && { firstMessagesUntil: last }),
    ...(first <= setting.nowMs + soonMs && { firstMessagesNow: true as const }),
    ...onTheirClocks(firsts, lead.timeZone),
    firstRemindersAt: firstReminder(firsts, schedule, setting.holidays),
    delayed: firsts.filter(({ isDelayed }) => isDelayed).length,
    lateNames: firsts
      .filter(({ member, at }) => at >= (member.dueAt ?? schedule.dueAt ?? Infinity))
      .map(({ member }) => member.name),
  };
}

/** Where the clocks of people show other times than the lead’s: whether the first messages come at one time on all of them. */
function onTheirClocks(
  firsts: readonly { member: PlannedMember; at: number }[],
  leadZone: string,
): Pick<Forecast, 'clocksDiffer' | 'firstMessagesLocal'> {
  const offsetOf = cachedOffsets();
  const shown = firsts.map(({ member, at }) => ({
    own: at + offsetOf(member.timeZone, at),
    leads: at + offsetOf(leadZone, at),
  }));
  if (shown.every(({ own, leads }) => own === leads)) return {};
  const times = shown.map(({ own }) => own);
  const first = times.reduce((a, b) => Math.min(a, b), Infinity);
  const spread = spanMs + firsts.length * openingEveryMs;
  const isOneTime = times.every((time) => time - first < spread);
  return {
    clocksDiffer: true,
    ...(isOneTime && { firstMessagesLocal: new Date(first).toISOString().slice(0, 16) }),
  };
}

/** The forecast of a plan that is started now: other campaigns may have written to its people since the preview. */
export async function forecastNow(
  { campaigns, holidays, now }: OperationContext<'campaigns' | 'holidays'>,
  plan: CampaignPlan,
): Promise<Forecast> {
  const contacts = await campaigns.contactsWith(plan.members.map(({ userId }) => userId));
  return forecastMessages(plan, { nowMs: now(), holidays, contacts });
}

/** The members whom messages reach. A member who lacks the quiz gets it first, in the order in which it is assigned. */
function readyMembers(members: readonly PlannedMember[], assign: CampaignPlan['assign'], nowMs: number): Reached[] {
  const groupTurns = new Map(assign.groups.map(({ name }, index) => [name, index + 1]));
  const userTurns = new Map(assign.users.map(({ id }, index) => [id, assign.groups.length + index + 1]));
  return members
    .filter(({ personId, isTurnedOff }) => personId !== null && !isTurnedOff)
    .map((member) => {
      const turns = member.groups.flatMap((name) => groupTurns.get(name) ?? []);
      const turn = Math.min(...turns, userTurns.get(member.userId) ?? Infinity);
      return { member, readyAt: turn === Infinity ? nowMs : nowMs + backgroundDurationMs(turn) };
    });
}

/**
 * When a notice is posted that is handed over at a moment: not on the day of an earlier one. What is handed over later than the
 * next notice of another campaign, on the same day, misses it.
 */
function amongOthers(
  readyAt: number,
  timeZone: string,
  { lastAt, nextAt }: CampaignContact,
  { workingMoment, dayAfter }: Calendar,
): number {
  const freeFrom = lastAt === undefined ? 0 : dayAfter(lastAt, timeZone);
  const own = workingMoment(Math.max(readyAt, freeFrom), timeZone);
  if (nextAt === undefined) return own;
  const other = workingMoment(Math.max(nextAt, freeFrom), timeZone);
  const nextDay = dayAfter(other, timeZone);
  return other < own && own < nextDay ? workingMoment(nextDay, timeZone) : own;
}

interface Calendar {
  workingMoment(atMs: number, timeZone: string): number;
  dayAfter(atMs: number, timeZone: string): number;
}

/** Computing with time zones takes long, and most people are alike. In every zone, days begin on quarters of an hour. */
function cachedCalendar(holidays: Holidays): Calendar {
  const cached = (stepMs: number, compute: (atMs: number, timeZone: string) => number) => {
    const known = new Map<string, number>();
    return (atMs: number, timeZone: string) => {
      const step = Math.floor(atMs / stepMs) * stepMs;
      const key = `${timeZone} ${step}`;
      const found = known.get(key) ?? compute(step, timeZone);
      known.set(key, found);
      return Math.max(atMs, found);
    };
  };
  return {
    workingMoment: cached(minuteMs, (atMs, timeZone) => nextWorkingMoment(atMs, timeZone, holidays)),
    dayAfter: cached(quarterMs, startOfNextDay),
  };
}

/** How far clocks are from UTC, in milliseconds. Everywhere, it changes on quarters of an hour. */
function cachedOffsets(): (timeZone: string, atMs: number) => number {
  const known = new Map<string, number>();
  return (timeZone, atMs) => {
    const quarter = Math.floor(atMs / quarterMs) * quarterMs;
    const key = `${timeZone} ${quarter}`;
    const offset = known.get(key) ?? wallClock(timeZone).shownAt(quarter) - quarter;
    known.set(key, offset);
    return offset;
  };
}

/** The first reminder of the person who gets the first message first, in each zone and for each due time. */
function firstReminder(
  firsts: readonly { member: PlannedMember; at: number }[],
  schedule: Schedule,
  holidays: Holidays,
): number | null {
  const alike = new Map<string, (typeof firsts)[number]>();
  for (const first of firsts) {
    const key = JSON.stringify([first.member.timeZone, first.member.dueAt]);
    if (first.at < (alike.get(key)?.at ?? Infinity)) alike.set(key, first);
  }
  const reminders = [...alike.values()].flatMap(({ member: { timeZone, dueAt = schedule.dueAt }, at }) => {
    const progress = { addedAt: at, isDone: false, notifiedAt: at, remindedUpTo: at };
    const next = nextMessageOf(
      { ...schedule, dueAt },
      { ...progress, snoozedUntil: undefined, remindNowAt: undefined },
      { timeZone, lastMessageAt: at },
      holidays,
    );
    return next ? [next.at] : [];
  });
  return reminders.length === 0 ? null : Math.min(...reminders);
}
