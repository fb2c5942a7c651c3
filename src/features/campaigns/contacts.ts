import { setImmediate as nextTurn } from 'node:timers/promises';
import { openMembers } from '../../obligations/members.ts';
import type { Campaign, CampaignContact, CampaignMember } from '../../domain/campaign.ts';
import { personQueue } from '../../domain/queue-names.ts';
import type { Outbox } from '../../storage/storage.ts';
import type { Holidays } from '../../time/working-hours.ts';
import type { CampaignLists } from './campaign-list.ts';
import { nextMessages } from './next-step.ts';
import { latestCampaign } from './stored-campaign.ts';

/** Read together: SQLite serves nothing else meanwhile. */
const readAtOnce = 200;

/**
 * Finds out when campaigns write to users: what was posted last is in the mailbox of each, what comes next is in the campaigns
 * that run.
 */
export function createContacts({
  outbox,
  lists,
  holidays,
  now,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  lists: Pick<CampaignLists, 'of'>;
  holidays: Holidays;
  now: () => number;
}): (teamId: string, userIds: readonly string[]) => Promise<ReadonlyMap<string, CampaignContact>> {
  return async (teamId, userIds) => {
    const [lastAt, nextAt] = await Promise.all([lastNotices(teamId, userIds), nextNotices(teamId, new Set(userIds))]);
    return new Map(
      userIds.flatMap((userId): [string, CampaignContact][] => {
        const [last, next] = [lastAt.get(userId), nextAt.get(userId)];
        if (last === undefined && next === undefined) return [];
        return [[userId, { ...(last !== undefined && { lastAt: last }), ...(next !== undefined && { nextAt: next }) }]];
      }),
    );
  };

  async function lastNotices(teamId: string, userIds: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let from = 0; from < userIds.length; from += readAtOnce) {
      await Promise.all(
        userIds.slice(from, from + readAtOnce).map(async (userId) => {
          const { state } = await outbox.stateOf<{ noticedAt?: number }>(personQueue(teamId, userId));
          if (state?.noticedAt !== undefined) found.set(userId, state.noticedAt);
        }),
      );
      await nextTurn();
    }
    return found;
  }

  async function nextNotices(teamId: string, userIds: ReadonlySet<string>): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const { id, endedAt } of await lists.of(teamId)) {
      const campaign = endedAt === null ? await latestCampaign(outbox, teamId, id) : undefined;
      if (campaign === undefined || campaign.endedAt !== null || campaign.obstacle) continue;
      for (const [userId, at] of noticesOf(campaign, now(), holidays))
        if (userIds.has(userId)) found.set(userId, Math.min(at, found.get(userId) ?? Infinity));
    }
    return found;
  }
}

/** When the next notice of each member comes: that of a member who waits for the quiz is as good as handed over. */
function noticesOf(campaign: Campaign, now: number, holidays: Holidays): [userId: string, at: number][] {
  const waiting = openMembers(campaign, now).flatMap((member): [string, number][] => {
    if (member.personId === null || member.assignment === 'failed') return [];
    const at = member.assignment === 'waiting' ? member.addedAt : undelivered(member);
    return at === undefined ? [] : [[member.userId, at]];
  });
  const planned = nextMessages(campaign, now, holidays).map(({ member: { userId }, message }): [string, number] => [
    userId,
    message.at,
  ]);
  return [...planned, ...waiting];
}

/** When the message was handed over that waits to be posted. */
function undelivered({ notifiedAt, remindedAt, deliveries }: CampaignMember): number | undefined {
  const handedAt = remindedAt.at(-1) ?? notifiedAt ?? undefined;
  return deliveries?.some((delivery) => delivery.handedAt === handedAt) ? undefined : handedAt;
}
