import type { Chart } from '../../../operations/page.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { memberState } from '../../../obligations/members.ts';
import { validOverWeeks } from '../../../obligations/standing.ts';
import { say } from '../../../domain/said.ts';
import { dateInWords } from '../../../time/date-words.ts';
import { startOfNextDay } from '../../../time/working-hours.ts';

/** A chart takes 20 points; this many are readable on a phone. */
const pointsAtMost = 14;

/**
 * How many members were done at the end of each day so far, by the lead’s clock. Longer campaigns have a point for several
 * days.
 *
 * @param now milliseconds since the epoch
 * @returns undefined on the first day and while nobody is done, which a figure says better
 */
export function doneOverDays(campaign: Campaign, now: number): Chart | undefined {
  const {
    members,
    startedAt,
    endedAt,
    lead: { timeZone },
  } = campaign;
  const lastAt = Math.min(now, endedAt ?? Infinity);
  const days = daysBetween(startedAt, lastAt, timeZone);
  if (days.length < 2) return undefined;
  const perPoint = Math.ceil(days.length / pointsAtMost);
  // Counted from the last day, which is complete.
  const shown = days.filter((_, index) => (days.length - 1 - index) % perPoint === 0);
  // Where the service names no time, the result counts as of today.
  const doneAt = members.flatMap((member) =>
    memberState(member, campaign, now) === 'complete' ? [member.result?.submittedAt ?? lastAt] : [],
  );
  if (doneAt.length === 0) return undefined;
  const points = shown.map(({ beginsAt, endsAt }, index) => ({
    label: dateInWords(beginsAt, 'dayOfYear', timeZone),
    value: index === shown.length - 1 ? doneAt.length : doneAt.filter((at) => at < endsAt).length,
  }));
  const goal = {
    name: say`Everyone`,
    value: members.filter((member) => memberState(member, campaign, now) !== 'excused').length,
  };
  return {
    title: say`Done so far`,
    name: say`Done`,
    points,
    goal,
    xLabel: perPoint === 1 ? say`At the end of the day` : say`Every ${perPoint} days`,
    yLabel: say`People`,
  };
}

const weeksShown = 12;

/** How many people had a pass that counted, of those who had to have one, at the end of each of the last weeks; undefined in the first. */
export function validByWeek(campaign: Campaign, now: number): Chart | undefined {
  const weeks = validOverWeeks(campaign, weeksShown, Math.min(now, campaign.endedAt ?? Infinity));
  const last = weeks.at(-1);
  if (weeks.length < 2 || last === undefined) return undefined;
  const { timeZone } = campaign.lead;
  return {
    title: say`Valid, week by week`,
    name: say`Valid`,
    points: weeks.map(({ at, valid }) => ({
      label: dateInWords(at, 'dayOfYear', timeZone),
      value: valid,
    })),
    goal: { name: say`Everyone now`, value: last.required },
    xLabel: say`At the end of the week`,
    yLabel: say`People`,
  };
}

/** Two years of days: a start that is longer ago comes from a wrong clock. */
const daysAtMost = 800;

function daysBetween(from: number, to: number, timeZone: string): { beginsAt: number; endsAt: number }[] {
  const days: { beginsAt: number; endsAt: number }[] = [];
  for (let beginsAt = from; beginsAt <= to && days.length < daysAtMost;) {
    const endsAt = startOfNextDay(beginsAt, timeZone);
    days.push({ beginsAt, endsAt });
    beginsAt = endsAt;
  }
  return days;
}
