import type { Campaign } from '../../../domain/campaign.ts';
import { publicName } from '../../../directory/names.ts';
import type { User } from '../../../quiz-api/users.ts';

/** Someone who is in a group of a campaign, and not in the campaign. */
export interface Joiner {
  userId: string;
  name: string;
}

/**
 * Who has joined the groups that were named at the start, in the order of the account.
 *
 * @param users all users of the account
 */
export function joinersOf(
  campaign: Pick<Campaign, 'audience' | 'members' | 'leftOut'>,
  users: readonly User[],
): Joiner[] {
  const groups = groupsNamed(campaign);
  if (groups.size === 0) return [];
  const known = new Set([...campaign.members.map(({ userId }) => userId), ...(campaign.leftOut ?? [])]);
  return users
    .filter((user) => !user.suspended && !known.has(user.user_id) && isInOne(user, groups))
    .map((user) => ({ userId: user.user_id, name: publicName(user) }));
}

/** IDs of the groups of the account that were named. */
function groupsNamed({ audience = [] }: Pick<Campaign, 'audience'>): ReadonlySet<string> {
  return new Set(audience.flatMap((part) => (part.startsWith('group:') ? [part.slice('group:'.length)] : [])));
}

function isInOne({ groups }: User, wanted: ReadonlySet<string>): boolean {
  return groups.some(({ group_id }) => wanted.has(group_id));
}
