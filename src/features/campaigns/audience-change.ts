import { isInside } from '../../obligations/people.ts';
import type { Campaign, Candidate, Candidates } from '../../domain/campaign.ts';

/** More people at once are taken in only after a person has looked at the list: an import or a new group moves hundreds. */
export const takenInAtMost = 20;
/** What comes within this time comes at once. */
export const atOnceMs = 60 * 60_000;
/** Who answers for a campaign is asked to take people in at most this often. */
const askEveryMs = 24 * 60 * 60_000;

/** Who is in the audience of a campaign, as the account and the platform have it. */
export interface AudienceNow {
  /** Without people who are excepted, suspended, or gone from the account or the platform. */
  people: readonly { userId: string; name: string; isTrained: boolean }[];
  /** IDs of the users who can be in an audience, whether or not they are in this one. */
  able: ReadonlySet<string>;
  /** Each part of the audience could be read: who is in none of them has left. */
  isWhole: boolean;
  /** Each part that is excepted could be read: who is in none of them is not excepted. */
  knowsExceptions: boolean;
  /** The owner has the right to take people in. */
  ownerIsAble: boolean;
}

/** People that the bot took in by itself. `at`: in milliseconds since the epoch. */
export interface TakenIn {
  at: number;
  people: number;
}

/** What the audience has changed among the members. */
interface AudienceChange {
  /** IDs of members who have left. */
  gone: readonly string[];
  /** IDs of users who are taken in, in the order of the account. */
  joined: readonly string[];
  /** Who waits to be taken in; null for nobody. */
  candidates: Candidates | null;
}

/**
 * Compares the audience of a campaign that stands with its members. Up to 20 people an hour whom the owner trains are taken in;
 * others wait for a person. Who waits for a person is not taken in by and by, also where another owner could do so.
 *
 * @param setting.now in milliseconds since the epoch
 */
export function audienceChange(
  { members, candidates }: Pick<Campaign, 'members' | 'candidates'>,
  audience: AudienceNow,
  { now, takenIn }: { now: number; takenIn: readonly TakenIn[] },
): AudienceChange {
  const { people, able, isWhole, knowsExceptions, ownerIsAble } = audience;
  const inAudience = new Set(people.map(({ userId }) => userId));
  const inside = members.filter(isInside);
  const gone = inside
    .map(({ userId }) => userId)
    .filter((userId) => !able.has(userId) || (isWhole && !inAudience.has(userId)));
  const known = new Set(inside.map(({ userId }) => userId));
  const waiting = new Map(candidates?.people.map((one) => [one.userId, one]));
  const newcomers = people.filter(({ userId }) => !known.has(userId) && (knowsExceptions || waiting.has(userId)));

  /** What waits for a person goes on waiting, also where somebody else answers for the campaign by now. */
  const waitsFor = ({ userId }: { userId: string }) => {
    const why = waiting.get(userId)?.why;
    return why === 'owner' ? undefined : why;
  };
  const free = newcomers.filter((person) => ownerIsAble && person.isTrained && waitsFor(person) === undefined);
  const before = takenIn.filter(({ at }) => now - at < atOnceMs).reduce((sum, { people: count }) => sum + count, 0);
  const areMany = before + free.length > takenInAtMost;
  const joined = areMany || !knowsExceptions ? [] : free.map(({ userId }) => userId);

  const reason = (person: (typeof people)[number]): Candidate['why'] => {
    const why = waitsFor(person);
    if (why !== undefined) return why;
    if (!ownerIsAble) return 'owner';
    return person.isTrained ? 'many people' : 'other people';
  };
  const waits = newcomers
    .filter(({ userId }) => !joined.includes(userId))
    .map((person): Candidate => {
      const { userId, name } = person;
      return { userId, name, since: waiting.get(userId)?.since ?? now, why: reason(person) };
    });
  return { gone, joined, candidates: asked(waits, candidates?.askedAt ?? 0, now) };
}

/** One message for all who wait. Of people who come after it, the next one is a day later at the earliest. */
function asked(people: readonly Candidate[], askedAt: number, now: number): Candidates | null {
  if (people.length === 0) return null;
  const isNews = people.some(({ since }) => since > askedAt);
  return { people, askedAt: isNews && (askedAt === 0 || now - askedAt >= askEveryMs) ? now : askedAt };
}

/** Whether two lists of those who wait say the same. */
export function isSameList(one: Candidates | null, other: Candidates | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
