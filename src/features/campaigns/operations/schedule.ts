import type { Schedule } from '../../../domain/campaign.ts';
import {
  lastWorkingHourBefore,
  nextWorkingMoment,
  startOfNextDay,
  type Holidays,
} from '../../../time/working-hours.ts';

/** How far a person is in a campaign. */
export interface MemberProgress {
  addedAt: number;
  /** The result is in, or the person is excused. */
  isDone: boolean;
  /** Where the campaign stands: they are asked from then on for what is due now. What was sent before was about another due time. */
  asksFrom?: number | undefined;
  /** When the first message was sent; undefined before. */
  notifiedAt: number | undefined;
  /** The planned reminders up to this moment are sent, or were passed over. */
  remindedUpTo: number;
  snoozedUntil: number | undefined;
  /** When a person asked for reminders at once. */
  remindNowAt: number | undefined;
}

/** The person who is written to. */
export interface Recipient {
  timeZone: string;
  lastMessageAt: number | undefined;
}

export interface NextMessage {
  kind: 'first' | 'reminder';
  /** Not before this moment. */
  at: number;
}

/**
 * Decides which message a person gets next, and when: the first one once, then each reminder that is planned. A person gets
 * at most one message a day, in their working hours. A planned reminder that comes due on the day of the last message is left
 * out, and those that come due during a night or a weekend are one. A reminder before the due time comes before it. A reminder
 * that a person asks for comes all the same: the next day.
 *
 * @returns undefined where no message is to come
 */
export function nextMessageOf(
  schedule: Schedule,
  member: MemberProgress,
  recipient: Recipient,
  holidays: Holidays,
): NextMessage | undefined {
  if (member.isDone) return undefined;
  const kind = member.notifiedAt === undefined ? 'first' : 'reminder';
  const { timeZone, lastMessageAt } = recipient;
  const nextDayAt = lastMessageAt === undefined ? 0 : startOfNextDay(lastMessageAt, timeZone);
  const workingMoment = (ms: number) => nextWorkingMoment(ms, timeZone, holidays);
  const { asksFrom = 0 } = member;
  const planned = kind === 'first' ? Math.max(member.addedAt, asksFrom) : reminderAt();
  if (planned === undefined) return undefined;
  const at = workingMoment(Math.max(planned, nextDayAt));
  return at >= (schedule.endsAt ?? Infinity) ? undefined : { kind, at };

  function reminderAt(): number | undefined {
    const lastAt = Math.max(member.remindedUpTo, member.notifiedAt ?? 0);
    const { remindNowAt = 0, snoozedUntil = 0 } = member;
    const sinceAt = Math.max(lastAt, asksFrom);
    if (snoozedUntil > sinceAt) return snoozedUntil;
    if (remindNowAt > sinceAt) return remindNowAt;
    if (lastAt < asksFrom) return asksFrom;
    let next = nextReminderAfter(schedule, lastAt, timeZone, holidays);
    while (next !== undefined && next < nextDayAt && workingMoment(next) < nextDayAt)
      next = nextReminderAfter(schedule, next, timeZone, holidays);
    return next;
  }
}

/**
 * The first planned reminder after a moment. One that is planned before the due time comes before it: where it would not in the
 * person's next working hours, it comes in the last hour of those before.
 */
function nextReminderAfter(
  { dueAt, remindBeforeMs, overdueEveryMs, endsAt }: Schedule,
  afterMs: number,
  timeZone: string,
  holidays: Holidays,
): number | undefined {
  if (dueAt === null) return undefined;
  const before = remindBeforeMs
    .map((ms) => dueAt - ms)
    .map((at) =>
      nextWorkingMoment(at, timeZone, holidays) < dueAt ? at : lastWorkingHourBefore(at, timeZone, holidays),
    )
    .filter((at) => at > afterMs);
  const overdue = overdueEveryMs === null ? [] : [nextInSeries(dueAt, overdueEveryMs, afterMs)];
  const next = Math.min(...before, ...overdue);
  return next < (endsAt ?? Infinity) ? next : undefined;
}

const weekMs = 7 * 24 * 60 * 60_000;

/**
 * When the lead hears next who is missing in a campaign that stands: the set time after a member’s due time, and at most once a
 * week; in the lead's working hours.
 *
 * @param dueTimes of the members who still have to take the quiz
 */
export function nextStandingEscalation(
  escalateAfterMs: number | null,
  dueTimes: readonly number[],
  escalatedUpTo: number,
  lead: Pick<Recipient, 'timeZone'>,
  holidays: Holidays,
): number | undefined {
  if (escalateAfterMs === null || dueTimes.length === 0) return undefined;
  const first = dueTimes.reduce((a, b) => Math.min(a, b), Infinity) + escalateAfterMs;
  return nextWorkingMoment(Math.max(first, escalatedUpTo + weekMs), lead.timeZone, holidays);
}

/**
 * When the lead hears next who is missing: after the set time, then every week until the end; in the lead's working hours.
 *
 * @param escalatedUpTo the planned escalations up to this moment are sent
 */
export function nextEscalation(
  { dueAt, escalateAfterMs, endsAt }: Schedule,
  escalatedUpTo: number,
  lead: Pick<Recipient, 'timeZone'>,
  holidays: Holidays,
): number | undefined {
  if (dueAt === null || escalateAfterMs === null) return undefined;
  const first = dueAt + escalateAfterMs;
  const planned = escalatedUpTo < first ? first : nextInSeries(first, weekMs, escalatedUpTo);
  const at = nextWorkingMoment(planned, lead.timeZone, holidays);
  return at < (endsAt ?? Infinity) ? at : undefined;
}

/** The first of `start + everyMs`, `start + 2 * everyMs`, … after a moment. */
function nextInSeries(start: number, everyMs: number, afterMs: number): number {
  return start + Math.max(1, Math.floor((afterMs - start) / everyMs) + 1) * everyMs;
}
