import type { Schedule } from '../../../domain/campaign.ts';
import { durationWords } from '../../../operations/fields/durations.ts';

/**
 * When reminders go out, in words; empty where there are none.
 *
 * @param since reminders that are planned before do not come, in milliseconds since the epoch
 */
export function reminderWords({ dueAt, remindBeforeMs, overdueEveryMs }: Schedule, since: number): string[] {
  const coming = remindBeforeMs.filter((ms) => dueAt !== undefined && dueAt - ms > since);
  const before =
    coming.length === 0 ? [] : [`${new Intl.ListFormat('en-GB').format(coming.map(durationWords))} before`];
  const after =
    overdueEveryMs === undefined
      ? []
      : [`every ${overdueEveryMs === 24 * 3_600_000 ? 'day' : durationWords(overdueEveryMs)} after it’s due`];
  return before.length + after.length === 0 ? [] : [[...before, ...after].join(', and ')];
}

export function peopleWords(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
}
