import type { Schedule } from '../../../domain/campaign.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { readTime } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A day without a time of day is due at this time. */
const endOfWorkMs = 17 * hourMs;
const longestMs = 2 * 366 * dayMs;
/** After the due time, or after the first escalation. */
const endsAfterMs = 28 * dayMs;
const usualReminders = [7 * dayMs, dayMs];
const usualEscalationMs = dayMs;
const examples = 'Type it like 15 dec 17:00, friday or in 2 weeks.';

/** What a person entered; times in milliseconds. */
export interface ScheduleInput {
  due: string | undefined;
  remind: readonly number[] | undefined;
  overdue: readonly number[] | undefined;
  escalate: readonly number[] | undefined;
  /** A lead was named. */
  hasLead: boolean;
}

/** When and where the input was entered. */
interface Setting {
  nowMs: number;
  timeZone: string;
}

/**
 * What is left out: reminders a week and a day before the due time, as far as these times are ahead; none after it, since
 * people find daily messages that nobody asked for a nuisance; no escalation, unless a lead is named: then after a day.
 * @throws {InvalidInputError}
 */
export function readSchedule({ due, remind, overdue, escalate, hasLead }: ScheduleInput, setting: Setting): Schedule {
  if (due === undefined) {
    const given = Object.entries({ remind, overdue, escalate }).find(
      ([, times]) => times !== undefined && times.length > 0,
    );
    if (given || hasLead)
      throw new InvalidInputError(
        'due',
        'Reminders and escalations need a due time. Add one, for example due 15 dec 17:00.',
      );
    return {
      dueAt: undefined,
      remindBeforeMs: [],
      overdueEveryMs: undefined,
      escalateAfterMs: undefined,
      endsAt: undefined,
    };
  }
  const dueAt = readDue(due, 'due', setting);
  const [overdueEveryMs] = overdue ?? [];
  if (overdueEveryMs !== undefined && overdueEveryMs < dayMs)
    throw new InvalidInputError('overdue', 'People get at most one message a day, so enter 1d or more.');
  const [escalateAfterMs] = escalate ?? (hasLead ? [usualEscalationMs] : []);
  return {
    dueAt,
    remindBeforeMs: (remind ?? usualReminders).filter((ms) => dueAt - ms > setting.nowMs),
    overdueEveryMs,
    escalateAfterMs,
    endsAt: endOf(dueAt, escalateAfterMs),
  };
}

/** When a campaign ends by itself: four weeks after its due time, or after the first escalation. */
export function endOf(dueAt: number, escalateAfterMs: number | undefined): number {
  return dueAt + (escalateAfterMs ?? 0) + endsAfterMs;
}

/**
 * A due time, in milliseconds since the epoch. A day alone is due at 17:00.
 * @throws {InvalidInputError}
 */
export function readDue(typed: string, field: string, { nowMs, timeZone }: Setting): number {
  const time = readTime(typed.replace(/^(?:due|until|to|by)\s+/i, ''), { nowMs, timeZone, direction: 'future' });
  if (time === undefined) throw new InvalidInputError(field, `“${typed}” isn’t a time I know. ${examples}`);
  if (time.kind === 'problem') throw new InvalidInputError(field, `“${typed}”: ${time.message}`);
  const dueAt = time.isDay ? atEndOfWork(time.atMs, timeZone) : time.atMs;
  if (dueAt <= nowMs) throw new InvalidInputError(field, `“${typed}” is over already. ${examples}`);
  if (dueAt > nowMs + longestMs) throw new InvalidInputError(field, `“${typed}” is more than two years away.`);
  return dueAt;
}

function atEndOfWork(atMs: number, timeZone: string): number {
  const clock = wallClock(timeZone);
  return clock.firstMomentOf(Math.floor(clock.shownAt(atMs) / dayMs) * dayMs + endOfWorkMs);
}
