/** A pause that a state keeps. Times are milliseconds since the epoch. */
export interface Rest {
  /** When it began; undefined before the first pause. */
  restsFrom?: number | undefined;
  notBefore: number;
}

/** A pause from now on. */
export function restFor(pauseMs: number, now: number): Required<Rest> {
  return { restsFrom: now, notBefore: now + pauseMs };
}

/** @returns until when it lasts; undefined where it is over, also where the clock was set back to before it began */
export function restsUntil({ restsFrom = 0, notBefore }: Rest, now: number): number | undefined {
  return restsFrom <= now && now < notBefore ? notBefore : undefined;
}
