import { publicName } from '../../directory/names.ts';
import type { Campaign } from '../../domain/campaign.ts';
import { parseMention } from '../../operations/typed-text.ts';
import type { User } from '../../quiz-api/users.ts';
import type { AudienceNow } from './audience-change.ts';
import type { MembersSince } from './recent-members.ts';

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

/** How old what is read may be. Times are milliseconds since the epoch. */
interface AudienceAge {
  users: number | undefined;
  /** Lists of channels and user groups that were read earlier are read again. */
  membersSince: (part: string) => number;
}

/** An audience as it was read. */
interface ReadAudience {
  audience: AudienceNow;
  users: readonly User[];
  /** The parts of the audience that the bot cannot see, as they were named. */
  unreadable: readonly string[];
}

/** The part of an audience that a text of `partId` names: without the name of a channel or user group. */
export function partKey(part: string): string {
  const mention = parseMention(part);
  return mention === undefined ? part : `${mention.kind}:${mention.id}`;
}

/**
 * Finds out who is in the audience of a campaign now.
 *
 * @throws where the service or the platform does not answer
 */
export async function readAudience(
  sources: AudienceSources,
  campaign: Campaign,
  age: AudienceAge,
): Promise<ReadAudience> {
  const users = await sources.users(age.users);
  const [trains, departed] = await Promise.all([sources.trainedByOwner(campaign), sources.departed(campaign.teamId)]);
  const personOf = new Map(campaign.members.map(({ userId, personId }) => [userId, personId]));
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
      const found = await sources.membersSince(mention, campaign.ownerId, age.membersSince(partKey(part)));
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
