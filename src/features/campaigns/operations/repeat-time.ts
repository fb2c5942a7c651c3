import type { Campaign } from '../../../domain/campaign.ts';
import { wallClock } from '../../../time/wall-clock.ts';

/** When a campaign starts again: a year after its start, on the lead’s clock. */
export function repeatsAt({ startedAt, lead: { timeZone } }: Campaign): number {
  return yearAfter(startedAt, timeZone);
}

/** The same date and time of the next year; 28 February after a 29 February. */
function yearAfter(moment: number, timeZone: string): number {
  const clock = wallClock(timeZone);
  const shown = new Date(clock.shownAt(moment));
  const next = new Date(shown);
  next.setUTCFullYear(shown.getUTCFullYear() + 1);
  if (next.getUTCMonth() !== shown.getUTCMonth()) next.setUTCDate(0);
  return clock.firstMomentOf(next.getTime());
}
