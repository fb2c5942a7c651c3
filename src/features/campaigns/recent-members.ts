import type { MembersOf } from '../../operations/services/people.ts';
import type { Mention } from '../../operations/typed-text.ts';

const listsAtMost = 200;

/** People in a channel or user group, or why the bot cannot see who they are. `isCut`: there are more. */
type RecentMembers = { personIds: readonly string[]; isCut: boolean } | { problem: string };

/**
 * Reads who is in a channel or user group, for all campaigns that name it.
 *
 * @param notBefore an earlier answer is too old, in milliseconds since the epoch
 * @throws where the platform does not answer
 */
export type MembersSince = (mention: Mention, askedBy: string, notBefore: number) => Promise<RecentMembers>;

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
