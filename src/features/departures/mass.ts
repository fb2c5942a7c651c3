const dayMs = 24 * 3_600_000;
/** More than this share of the people who are watched, within a day, is a migration and not so many leavers. */
const share = 0.1;
/** Of a small account, a tenth is one person, and two people do leave on the same day. */
const massFrom = 3;

/**
 * Finds the people who left in a mass deactivation: within a day, with more than a tenth of all others.
 *
 * @param left when each of those left who left since the bot knew them, in milliseconds since the epoch
 * @param total the people who are watched, with those who left
 */
export function massDeparture<Person extends { at: number }>(left: readonly Person[], total: number): Set<Person> {
  const sorted = left.toSorted((a, b) => a.at - b.at);
  const mass = new Set<Person>();
  let from = 0;
  for (const [to, { at }] of sorted.entries()) {
    while (at - (sorted[from]?.at ?? at) >= dayMs) from += 1;
    const count = to - from + 1;
    if (count >= massFrom && count > total * share) for (const person of sorted.slice(from, to + 1)) mass.add(person);
  }
  return mass;
}
