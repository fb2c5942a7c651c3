import type { PersonRank } from './person-shares.ts';

const peopleAtMost = 10_000;

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
      if (known.size > peopleAtMost && oldest !== undefined) known.delete(oldest);
    },
    of: (personId) => known.get(personId) ?? 'administrator',
  };
}
