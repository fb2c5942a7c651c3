import type { Campaign } from '../../domain/campaign.ts';
import type { User } from '../../quiz-api/users.ts';
import { canLead } from './operations/can-lead.ts';

/** Who answers for a campaign, as the account has them now. IDs are those of users. */
export interface Responsible {
  /** `userId`: undefined for an owner without a user. */
  owner: { userId: string | undefined; isAble: boolean };
  /** `userIds`: those of the leads who are able. */
  lead: { userIds: readonly string[]; isAble: boolean };
  /** Who is asked where neither is able. */
  administrators: readonly string[];
}

/** Messages about a campaign that nobody answers for go to so many administrators. */
const administratorsAtMost = 10;

/** @param owner the person who owns the campaign, by their rights now */
export function responsibleIn(
  { leads }: Pick<Campaign, 'leads'>,
  owner: Responsible['owner'],
  users: readonly User[],
): Responsible {
  const able = users.filter((user) => leads.includes(user.user_id) && canLead(user)).map(({ user_id }) => user_id);
  return {
    owner,
    // Who has no user leads what they own.
    lead: { userIds: able, isAble: leads.length === 0 ? owner.isAble : able.length > 0 },
    administrators: users
      .filter((user) => user.user_type === 'administrator' && canLead(user))
      .map(({ user_id }) => user_id)
      .slice(0, administratorsAtMost),
  };
}

/** Which of the two cannot see results any more: the owner, and every lead. */
export function unableOf({ owner, lead }: Responsible): readonly ('owner' | 'lead')[] {
  return [...(owner.isAble ? [] : (['owner'] as const)), ...(lead.isAble ? [] : (['lead'] as const))];
}

/** The users who get a message that is meant for the owner or the leads: the other one where they are not able, then administrators. */
export function recipientsOf(meant: 'owner' | 'lead', { owner, lead, administrators }: Responsible): readonly string[] {
  const ownerIds = owner.isAble && owner.userId !== undefined ? [owner.userId] : [];
  const [first, second] = meant === 'owner' ? [ownerIds, lead.userIds] : [lead.userIds, ownerIds];
  return first.length > 0 ? first : second.length > 0 ? second : administrators;
}
