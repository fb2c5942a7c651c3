import { publicName } from '../../directory/names.ts';
import type { Campaign, Candidate, Candidates } from '../../domain/campaign.ts';
import { parseMention, type Mention } from '../../operations/typed-text.ts';
import type { User } from '../../quiz-api/records.ts';
import { isInside } from '../../obligations/people.ts';
import type { MembersOf } from '../../operations/services/people.ts';

/** Where the bot finds out who is in audiences. */
export interface AudienceSources {
  /** All users of the account. @param maxAgeMs how old the list may be; undefined: as old as it is */
  users(maxAgeMs?: number): Promise<readonly User[]>;
  membersSince: MembersSince;
  /** The users of the account who these people of the platform are, by the IDs of the people. */
  usersOf(personIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whom the owner of a campaign trains, by their rights now; undefined where they may take nobody in. */
  trainedByOwner(campaign: Campaign): Promise<((user: User) => boolean) | undefined>;
  /** People of a workspace who were deactivated on the platform. */
  departed(teamId: string): Promise<ReadonlySet<string>>;
}

/** The part of an audience that a text of `partId` names: without the name of a channel or user group. */
export function partKey(part: string): string {
  const mention = parseMention(part);
  return mention === undefined ? part : `${mention.kind}:${mention.id}`;
}

/**
 * Finds out who is in the audience of a campaign now.
 *
 * @param age.users how old the list of users may be; undefined: as old as it is
 * @param age.membersSince lists of channels and user groups that were read earlier are read again, in milliseconds since the epoch
 * @throws where the service or the platform does not answer
 */
export async function readAudience(
  sources: AudienceSources,
  campaign: Campaign,
  age: { users: number | undefined; membersSince: number },
) {
  const users = await sources.users(age.users);
  const [trains, departed] = await Promise.all([sources.trainedByOwner(campaign), sources.departed(campaign.teamId)]);
  const personOf = new Map(campaign.members.map(({ userId, personId }) => [userId, personId]));
  /** The parts of the audience that the bot cannot see, as they were named. */
  const unreadable: string[] = [];

  const included = await usersIn(campaign.audience);
  const excepted = await usersIn(campaign.except);
  const able = users.filter(
    (user) => !user.suspended && !excepted.has(user) && !departed.has(personOf.get(user.user_id) ?? ''),
  );
  return {
    users,
    unreadable,
    audience: {
      people: able
        .filter(included.has)
        .map((user) => ({ userId: user.user_id, name: publicName(user), isTrained: trains?.(user) ?? false })),
      able: new Set(able.map(({ user_id }) => user_id)),
      isWhole: included.isWhole,
      knowsExceptions: excepted.isWhole,
      ownerIsAble: trains !== undefined,
    },
  };

  async function usersIn(parts: readonly string[]): Promise<{ has: (user: User) => boolean; isWhole: boolean }> {
    const named = new Set(parts);
    const persons = new Set<string>();
    let isWhole = true;
    for (const part of parts) {
      const mention = parseMention(part);
      if (mention === undefined) continue;
      const found = await sources.membersSince(mention, campaign.ownerId, age.membersSince);
      if ('problem' in found) unreadable.push(part);
      else for (const personId of found.personIds) persons.add(personId);
      isWhole &&= !('problem' in found) && !found.isCut;
    }
    const userIds = persons.size === 0 ? new Set<string>() : await usersBehind(persons);
    const has = ({ user_id, groups }: User) =>
      named.has(`user:${user_id}`) ||
      userIds.has(user_id) ||
      groups.some(({ group_id }) => named.has(`group:${group_id}`));
    return { has, isWhole };
  }

  /** Members are known already. */
  async function usersBehind(persons: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const known = campaign.members.filter(({ personId }) => personId !== null && persons.has(personId));
    const knownPersons = new Set(known.map(({ personId }) => personId));
    const others = await sources.usersOf([...persons].filter((personId) => !knownPersons.has(personId)));
    return new Set([...known.map(({ userId }) => userId), ...others.values()]);
  }
}

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

/**
 * Compares the audience of a campaign that stands with its members. Up to 20 people an hour whom the owner trains are taken in;
 * others wait for a person. Who waits for a person is not taken in by and by, also where another owner could do so.
 *
 * @param setting.now in milliseconds since the epoch
 * @returns `joined`: in the order of the account; `candidates`: who waits to be taken in
 */
export function audienceChange(
  { members, candidates }: Pick<Campaign, 'members' | 'candidates'>,
  audience: AudienceNow,
  { now, takenIn }: { now: number; takenIn: readonly TakenIn[] },
): { gone: string[]; joined: string[]; candidates: Candidates | null } {
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

const listsAtMost = 200;

/** People in a channel or user group, or why the bot cannot see who they are. `isCut`: there are more. */
type RecentMembers = { personIds: readonly string[]; isCut: boolean } | { problem: string };

/**
 * Reads who is in a channel or user group, for all campaigns that name it.
 *
 * @param notBefore an earlier answer is too old, in milliseconds since the epoch
 * @throws where the platform does not answer
 */
type MembersSince = (mention: Mention, askedBy: string, notBefore: number) => Promise<RecentMembers>;

/** Remembers the lists that it reads. @param atMost people in a list */
export function createMembersSince({
  membersOf,
  atMost,
  now,
}: {
  membersOf: MembersOf;
  atMost: number;
  now: () => number;
}): MembersSince {
  const read = new Map<string, { at: number; members: Promise<RecentMembers> }>();

  async function readNow(mention: Mention, askedBy: string): Promise<RecentMembers> {
    const found = await membersOf(mention, askedBy, { atMost });
    if ('problem' in found) return found;
    return { personIds: found.personIds, isCut: found.isCut === true || found.personIds.length > atMost };
  }

  return async (mention, askedBy, notBefore) => {
    const key = `${mention.kind} ${mention.id} ${askedBy}`;
    const known = read.get(key);
    if (known !== undefined && known.at >= notBefore && known.at <= now()) return known.members;
    const reading = { at: now(), members: readNow(mention, askedBy) };
    read.delete(key);
    read.set(key, reading);
    for (const oldest of [...read.keys()].slice(0, -listsAtMost)) read.delete(oldest);
    const forget = () => {
      if (read.get(key) === reading) read.delete(key);
    };
    reading.members.then((found) => 'problem' in found && forget(), forget);
    return reading.members;
  };
}

/** Users of the account came, went, were suspended or reinstated: anybody’s audience can have changed. */
export const accountPart = 'account';

/** The parts of audiences that users changed: `before` and `after` are undefined for users who came and went. */
export function changedParts(
  changes: readonly { before: User | undefined; after: User | undefined }[],
): readonly string[] {
  const parts = new Set<string>();
  for (const { before, after } of changes) {
    if (before === undefined || after === undefined || before.suspended !== after.suspended) parts.add(accountPart);
    const [left, joined] = [groupIds(before), groupIds(after)];
    for (const id of left.symmetricDifference(joined)) parts.add(`group:${id}`);
  }
  return [...parts];
}

function groupIds(user: User | undefined): Set<string> {
  return new Set(user?.groups.map(({ group_id }) => group_id));
}
