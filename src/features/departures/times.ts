import { wallClock } from '../../time/wall-clock.ts';
import { nextWorkingMoment, startOfNextDay, type Holidays } from '../../time/working-hours.ts';
import { newlyLeft, openNotices, type DeparturesState } from './departures-state.ts';

/** The clock and the days of the bot: a proposal goes to several people. */
export interface OfficeHours {
  timeZone: string;
  holidays: Holidays;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Working hours begin then. On other days, people are read at the same time. */
const readsAtMs = 9 * hourMs;
/** What is done in the quiz service itself is noticed within this time. */
const comparesEveryMs = hourMs;
/** What is done through the bot is noticed sooner. Many changes in a row are compared together. */
const changesGatheredForMs = 30_000;

/** When everybody is read next, in milliseconds since the epoch: each morning, right before people are proposed. */
export function nextReadingAt({ readAt }: Pick<DeparturesState, 'readAt'>, timeZone: string): number {
  if (readAt === 0) return 0;
  const clock = wallClock(timeZone);
  const shown = clock.shownAt(readAt);
  const thatDay = Math.floor(shown / dayMs) * dayMs + readsAtMs;
  return clock.firstMomentOf(shown < thatDay ? thatDay : thatDay + dayMs);
}

/**
 * When people are proposed who left, at most once a day: at 9 on the working day after the first of them left; undefined where
 * nobody did.
 */
export function proposalDueAt(state: DeparturesState, { timeZone, holidays }: OfficeHours): number | undefined {
  const left = newlyLeft(state);
  if (left.length === 0) return undefined;
  const since = Math.max(state.proposedAt, Math.min(...left.map((person) => person.left.at)));
  return nextWorkingMoment(startOfNextDay(since, timeZone), timeZone, holidays);
}

/** When a notice goes out about people who are back and still suspended: as soon as people may be written to; undefined where nobody is. */
export function returnDueAt({ returned }: DeparturesState, { timeZone, holidays }: OfficeHours): number | undefined {
  if (returned.length === 0) return undefined;
  return nextWorkingMoment(Math.min(...returned.map(({ at }) => at)), timeZone, holidays);
}

/** When people are written to for whom it was due: later, where the bot stood still until the evening. */
export function writtenAt(dueAt: number, { timeZone, holidays }: OfficeHours, now: number): number {
  return nextWorkingMoment(Math.max(dueAt, now), timeZone, holidays);
}

/** When the people in open notices are looked up in the account; undefined where no notice is open. */
export function comparisonDueAt(state: DeparturesState): number | undefined {
  if (openNotices(state).length === 0) return undefined;
  return Math.min(state.comparedAt + comparesEveryMs, (state.changedAt ?? Infinity) + changesGatheredForMs);
}
