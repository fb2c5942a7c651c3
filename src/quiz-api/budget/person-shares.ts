import type { Now } from '../../time/clock.ts';
import type { RateWindow } from './rate-windows.ts';

/** A click can assign a quiz to 50 people, so the share of a minute is large. */
const shareOfMinute = 0.9;
const shareOfLongerWindow = 0.5;
const minuteMs = 60_000;
/** With more people than this, those who sent nothing lately are forgotten. */
const peopleAtMost = 1_000;

/**
 * How much of each window one person can use, so that nobody uses up everyone's requests: nine tenths of a minute, half
 * of an hour. Each instance counts for itself.
 */
export function createPersonShares(windows: readonly RateWindow[], now: Now) {
  const shares = windows.map(({ limit, windowMs }) => ({
    windowMs,
    limit: Math.max(1, Math.floor(limit * (windowMs <= minuteMs ? shareOfMinute : shareOfLongerWindow))),
  }));
  const longestMs = Math.max(...windows.map(({ windowMs }) => windowMs));
  /** By person, the times of their requests, the oldest first. */
  const sentAt = new Map<string, number[]>();

  function forgetOld(): void {
    for (const [personId, times] of sentAt) if ((times.at(-1) ?? 0) <= now() - longestMs) sentAt.delete(personId);
  }

  return {
    /**
     * Counts a request, unless the share is used up.
     * @returns undefined, or when the person's next request can be sent, in milliseconds since the epoch
     */
    take(personId: string): number | undefined {
      const time = now();
      const times = (sentAt.get(personId) ?? []).filter((at) => at > time - longestMs);
      const turns = shares.map(({ limit, windowMs }) => (times.at(-limit) ?? -Infinity) + windowMs);
      const turn = Math.max(...turns);
      if (turn > time) return turn;
      if (sentAt.size >= peopleAtMost) forgetOld();
      sentAt.set(personId, [...times, time]);
      return undefined;
    },
  };
}
