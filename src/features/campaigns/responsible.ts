import type { Campaign } from '../../domain/campaign.ts';
import type { User } from '../../quiz-api/users.ts';
import { canLead } from './operations/can-lead.ts';

/** Who answers for a campaign, as the account has them now. IDs are those of users. */
export interface Responsible {
  /** `userId`: undefined for an owner without a user. */
  owner: { userId: string | undefined; isAble: boolean };
  lead: { userId: string; isAble: boolean };
  /** Who is asked where neither is able. */
  administrators: readonly string[];
}

/** Messages about a campaign that nobody answers for go to so many administrators. */
const administratorsAtMost = 10;

/** @param owner the person who owns the campaign, by their rights now */
export function responsibleIn(
  { lead }: Pick<Campaign, 'lead'>,
  owner: Responsible['owner'],
  users: readonly User[],
): Responsible {
  const leading = users.find(({ user_id }) => user_id === lead.userId);
  return {
    owner,
    // Who has no user leads what they own.
    lead: {
      userId: lead.userId,
      isAble: lead.userId === '' ? owner.isAble : leading !== undefined && canLead(leading),
    },
    administrators: users
      .filter((user) => user.user_type === 'administrator' && canLead(user))
      .map(({ user_id }) => user_id)
      .slice(0, administratorsAtMost),
  };
}

/** Which of the two cannot see results any more. */
export function unableOf({ owner, lead }: Responsible): readonly ('owner' | 'lead')[] {
  return [...(owner.isAble ? [] : (['owner'] as const)), ...(lead.isAble ? [] : (['lead'] as const))];
}

/** The users who get a message that is meant for the owner or the lead: the other one where they are not able, then administrators. */
export function recipientsOf(meant: 'owner' | 'lead', { owner, lead, administrators }: Responsible): readonly string[] {
  const ownerIds = owner.isAble && owner.userId !== undefined ? [owner.userId] : [];
  const leadIds = lead.isAble && lead.userId !== '' ? [lead.userId] : [];
  const [first, second] = meant === 'owner' ? [ownerIds, leadIds] : [leadIds, ownerIds];
  return first.length > 0 ? first : second.length > 0 ? second : administrators;
}
