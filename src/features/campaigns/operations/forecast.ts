import type { PlannedMember, Schedule } from '../../../domain/campaign.ts';
import type { Holidays } from '../../../time/working-hours.ts';
import { nextMessageOf } from './schedule.ts';

/** When the first of the messages and of the reminders go out, in milliseconds since the epoch; null where there are none. */
export interface Forecast {
  firstMessagesAt: number | null;
  firstRemindersAt: number | null;
}

/** Forecasts messages by the rules that the campaign follows. Do-not-disturb and messages of other campaigns can delay them. */
export function forecastMessages(
  schedule: Schedule,
  members: readonly PlannedMember[],
  { nowMs, holidays }: { nowMs: number; holidays: Holidays },
): Forecast {
  const zones = new Set(members.flatMap(({ personId, timeZone }) => (personId === null ? [] : [timeZone])));
  const forecasts = [...zones].map((timeZone) => forecastIn(timeZone, schedule, nowMs, holidays));
  return {
    firstMessagesAt: earliest(forecasts.map(([first]) => first)),
    firstRemindersAt: earliest(forecasts.map(([, reminder]) => reminder)),
  };
}

function forecastIn(
  timeZone: string,
  schedule: Schedule,
  nowMs: number,
  holidays: Holidays,
): readonly [first: number | undefined, reminder: number | undefined] {
  const member = {
    addedAt: nowMs,
    isDone: false,
    notifiedAt: undefined,
    remindedUpTo: 0,
    snoozedUntil: undefined,
    remindNowAt: undefined,
  };
  const first = nextMessageOf(schedule, member, { timeZone, lastMessageAt: undefined }, holidays)?.at;
  if (first === undefined) return [undefined, undefined];
  return [
    first,
    nextMessageOf(
      schedule,
      { ...member, notifiedAt: first, remindedUpTo: first },
      { timeZone, lastMessageAt: first },
      holidays,
    )?.at,
  ];
}

function earliest(moments: readonly (number | undefined)[]): number | null {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}
