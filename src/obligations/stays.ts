import type { Stay } from '../domain/campaign.ts';

/** The stays in an audience, from those in its parts: who is in two of them at a time, or moves from one to another, has one stay. */
export function staysIn(parts: readonly Stay[]): Stay[] {
  const stays: Stay[] = [];
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const last = stays.at(-1);
    if (last === undefined || endOf(last) < part.from) stays.push(part);
    else if (endOf(part) > endOf(last)) stays[stays.length - 1] = { ...part, from: last.from };
  }
  return stays;
}

function endOf({ to = Infinity }: Stay): number {
  return to;
}
