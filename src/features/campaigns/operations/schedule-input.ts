import { dayMs, minuteMs } from '../../../domain/durations.ts';
import { endOf, type Rule, type Schedule, type StandingRule } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import { endOfWork, type Holidays } from '../../../time/working-hours.ts';
import { isInstant, isNoTime, withoutMore } from '../../../operations/fields/text.ts';
import { inOtherLanguages } from '../../../operations/dates/other-languages.ts';
import { parseTime } from '../../../operations/dates/time-expression.ts';
import { readTime, momentInWords } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';

const longestMs = 2 * 366 * dayMs;
const usualReminders = [7 * dayMs, dayMs];
const usualEscalationMs = dayMs;
const examples = say`Type it like 15 dec 17:00, friday or in 2 weeks.`;

/** What a person entered; times in milliseconds. */
export interface ScheduleInput {
  due?: string | undefined;
  /** The campaign stands: each person’s due time counts from when they came in. */
  within?: readonly number[] | undefined;
  /** How long before its end a pass is to be renewed. */
  renew?: readonly number[] | undefined;
  remind?: readonly number[] | undefined;
  overdue?: readonly number[] | undefined;
  escalate?: readonly number[] | undefined;
  /** A lead was named. */
  hasLead: boolean;
}

/** When and where the input was entered. */
export interface TimeSetting {
  nowMs: number;
  timeZone: string;
}

/**
 * What is left out: reminders a week and a day before the due time; none after it, since
 * people find daily messages that nobody asked for a nuisance; no escalation, unless a lead is named: then after a day.
 * @throws {InvalidInputError}
 */
export function readSchedule(
  { due, within, remind, overdue, escalate, hasLead }: ScheduleInput,
  setting: TimeSetting,
): Schedule {
  if (due === undefined && within === undefined) {
    const given = Object.entries({ remind, overdue, escalate }).find(
      ([, times]) => times !== undefined && times.length > 0,
    );
    if (given || hasLead)
      throw new InvalidInputError(
        'due',
        say`Reminders and escalations need a due time. Add one, for example due 15 dec 17:00, or within 14d.`,
      );
    return { dueAt: null, remindBeforeMs: [], overdueEveryMs: null, escalateAfterMs: null, endsAt: null };
  }
  const dueAt = due === undefined ? null : readDue(due, 'due', setting);
  const [overdueEveryMs = null] = overdue ?? [];
  if (overdueEveryMs !== null && overdueEveryMs < dayMs)
    throw new InvalidInputError('overdue', say`People get at most one message a day, so enter 1d or more.`);
  const [escalateAfterMs = null] = escalate ?? (hasLead ? [usualEscalationMs] : []);
  return {
    dueAt,
    remindBeforeMs: remind ?? usualReminders,
    overdueEveryMs,
    escalateAfterMs,
    endsAt: dueAt && endOf(dueAt, escalateAfterMs),
  };
}

const usualRenewDays = 30;
const withinDaysAtMost = 366;

/**
 * The rule of a campaign that stands; null for one round.
 * @throws {InvalidInputError}
 */
export function readStanding(
  { due, within, renew }: Pick<ScheduleInput, 'due' | 'within' | 'renew'>,
  { validity, holidays }: Pick<Rule, 'validity'> & { holidays: Holidays },
): StandingRule | null {
  const [withinMs] = within ?? [];
  const [renewMs] = renew ?? [];
  if (withinMs === undefined) {
    if (renewMs === undefined) return null;
    throw new InvalidInputError(
      'renew',
      say`Only an ongoing campaign asks again. Add how long people have, for example within 14d.`,
    );
  }
  if (due !== undefined)
    throw new InvalidInputError(
      'within',
      say`Leave out either the due time, for one round, or within, for an ongoing campaign.`,
    );
  const withinDays = withinMs / dayMs;
  if (!Number.isInteger(withinDays) || withinDays > withinDaysAtMost)
    throw new InvalidInputError('within', say`Enter whole days, from 1d to 366d.`);
  if (renewMs !== undefined && validity === null)
    throw new InvalidInputError(
      'renew',
      say`Nothing is to be renewed while a pass counts for good. Add how long it counts, for example valid 12 months.`,
    );
  const renewDays = renewMs === undefined ? usualRenewDaysOf(validity) : renewMs / dayMs;
  if (!Number.isInteger(renewDays) || renewDays > longestRenewal(validity))
    throw new InvalidInputError(
      'renew',
      say`Enter whole days, from 1d to ${longestRenewal(validity)}d: less than a pass counts.`,
    );
  return { withinDays, renewDays, holidays: [...holidays] };
}

/** In days, where nobody says another. A pass that counts for a month cannot be due again from the day on which it is made. */
export function usualRenewDaysOf(validity: Rule['validity']): number {
  return Math.min(usualRenewDays, Math.floor(longestRenewal(validity) / 2));
}

/** How long before its end a pass can be renewed at most, in days. */
export function longestRenewal(validity: Rule['validity']): number {
  return validity !== null && 'months' in validity ? Math.min(validity.months * 28 - 1, 180) : 180;
}

/**
 * The new due time of a campaign, in milliseconds since the epoch: as `readDue` reads it; `1 week` for a week later than it is due
 * now; `none`, for none.
 * @param dueAt the present due time; null for none
 * @throws {InvalidInputError}
 */
export function readNewDue(typed: string, dueAt: number | null, setting: TimeSetting): number | null {
  const text = typed.trim();
  if (isNoTime(text)) return null;
  const later = dueAt === null ? undefined : readLater(text, { ...setting, nowMs: dueAt });
  if (later?.kind !== 'moment') return readDue(text, 'time', setting);
  const newDueAt = later.atMs;
  if (newDueAt <= setting.nowMs)
    throw new InvalidInputError(
      'time',
      say`That would be ${momentInWords(newDueAt, setting)}, which is over already. Type it like friday, or in 1 week.`,
    );
  return isLater(newDueAt, text, 'time', setting);
}

/** How much later than it is due, such as `1 week` or `by 2 months`; “in 1 week” counts from now. @param setting with the due time as now */
function readLater(typed: string, setting: TimeSetting) {
  const text = withoutMore(typed.replace(/^(?:\+\s*|by\s+|to\s+)/i, ''));
  const [span] = [text, ...inOtherLanguages(text)].flatMap((words) => {
    const amount = words.replace(/^(?=(?:day|week|month|year|hour)$)/, '1 ');
    const time = parseTime(amount.split(/\s+/));
    return time?.kind === 'span' && !time.isAgo ? [amount] : [];
  });
  return span === undefined || /^in /i.test(span) ? undefined : readTime(span, { ...setting, direction: 'future' });
}

/** As buttons have it; undefined for any other text. */
export function instantOf(text: string): number | undefined {
  return isInstant(text) ? Date.parse(text) : undefined;
}

/**
 * A due time, in milliseconds since the epoch. A day alone is due at 17:00. What counts from now is due at a whole minute, as people
 * read it.
 * @throws {InvalidInputError}
 */
export function readDue(typed: string, field: string, setting: TimeSetting): number {
  const instant = instantOf(typed.trim());
  if (instant !== undefined) return isLater(instant, typed, field, setting);
  const { atMs, isDay } = readMoment(typed, field, setting);
  return isLater(isDay ? endOfWork(atMs, setting.timeZone) : atMs - (atMs % minuteMs), typed, field, setting);
}

/**
 * A time to come, in milliseconds since the epoch. A day alone is its beginning.
 * @throws {InvalidInputError}
 */
export function readLaterTime(typed: string, field: string, setting: TimeSetting): number {
  return isLater(instantOf(typed.trim()) ?? readMoment(typed, field, setting).atMs, typed, field, setting);
}

function readMoment(typed: string, field: string, { nowMs, timeZone }: TimeSetting): { atMs: number; isDay: boolean } {
  const time = readTime(withoutMore(typed.replace(/^(?:due|until|to|by)\s+/i, '')), {
    nowMs,
    timeZone,
    direction: 'future',
  });
  if (time === undefined)
    throw new InvalidInputError(field, [say`“${typed}” isn’t a time I know.`, examples].join(' '));
  if (time.kind === 'problem') throw new InvalidInputError(field, `“${typed}”: ${time.message}`);
  return time;
}

function isLater(atMs: number, typed: string, field: string, setting: TimeSetting): number {
  const { nowMs } = setting;
  const shown = instantOf(typed.trim()) === undefined ? typed : momentInWords(atMs, setting);
  if (atMs <= nowMs) throw new InvalidInputError(field, [say`“${shown}” is over already.`, examples].join(' '));
  if (atMs > nowMs + longestMs) throw new InvalidInputError(field, say`“${shown}” is more than two years away.`);
  return atMs;
}
