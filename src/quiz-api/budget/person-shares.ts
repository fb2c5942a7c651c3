import type { Now } from '../../time/clock.ts';
import type { RateWindow } from './rate-windows.ts';

/** What a person may do in the account, as far as it decides how much of the requests they can use. */
export type PersonRank = 'respondent' | 'trainer' | 'administrator';

/** Long changes are made in the background, so nobody needs a minute for themselves. */
const sharesOfMinute: Readonly<Record<PersonRank, number>> = { respondent: 0.25, trainer: 0.5, administrator: 0.75 };
const shareOfLongerWindow = 0.5;
const minuteMs = 60_000;
/** With more people than this, those who sent nothing lately are forgotten. */
const peopleAtMost = 1_000;

/**
 * How much of each window one person can use, so that nobody uses up everyone's requests: of a minute, what their rank gives
 * them, and half of an hour. Each instance counts for itself.
 */
export function createPersonShares(windows: readonly RateWindow[], now: Now) {
  const limitOf = ({ limit, windowMs }: RateWindow, rank: PersonRank) =>
    Math.max(1, Math.floor(limit * (windowMs <= minuteMs ? sharesOfMinute[rank] : shareOfLongerWindow)));
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
    take(personId: string, rank: PersonRank): number | undefined {
      const time = now();
      const times = (sentAt.get(personId) ?? []).filter((at) => at > time - longestMs);
      const turns = windows.map((window) => (times.at(-limitOf(window, rank)) ?? -Infinity) + window.windowMs);
      const turn = Math.max(...turns);
      if (turn > time) return turn;
      if (sentAt.size >= peopleAtMost) forgetOld();
      sentAt.set(personId, [...times, time]);
      return undefined;
    },
  };
}

const ranksAtMost = 10_000;

/** The ranks of people as they were last known, for the request budget. */
export interface Ranks {
  note(personId: string, rank: PersonRank): void;
  /** Of somebody who is not known yet, finding out who they are must not fail: they count as an administrator. */
  of(personId: string): PersonRank;
}

export function createRanks(): Ranks {
  const known = new Map<string, PersonRank>();
  return {
    note(personId, rank) {
      known.delete(personId);
      known.set(personId, rank);
      const [oldest] = known.keys();
      if (known.size > ranksAtMost && oldest !== undefined) known.delete(oldest);
    },
    of: (personId) => known.get(personId) ?? 'administrator',
  };
}
