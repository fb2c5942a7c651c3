import type { CampaignWeek } from '../../domain/announcement.ts';
import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import { campaignsQueue, directMessages, personQueue } from '../../domain/queue-names.ts';
import type { SharedState } from '../../durable/shared-state.ts';
import { weekOf } from '../../obligations/week.ts';
import type { User } from '../../quiz-api/users.ts';
import type { Outbox } from '../../storage/storage.ts';
import { createRarely } from '../../time/rarely.ts';
import type { CampaignLists, StoredList } from './campaign-service.ts';
import { responsibleIn, type Responsible } from './escalations.ts';
import { latestCampaign } from './stored-campaign.ts';

/** Tells those who answer for campaigns about the week. */
export interface Monday {
  /** Puts the message of the week into their mailboxes, once a week, before Monday begins anywhere. */
  upkeep: (teamId: string) => Promise<void>;
  /** What there is to say of the campaigns that a user answers for, and may see, now. */
  weeksOf: (teamId: string, userId: string) => Promise<CampaignWeek[]>;
}

const looksEveryMs = 5 * 60_000;
const weekMs = 7 * 24 * 60 * 60_000;
/** 4 January 1970 was a Sunday. Where it is Monday first, it begins at 10:00 of a Sunday in UTC. */
const firstSunday = 3 * 24 * 60 * 60_000;

export function createMonday(deps: {
  lists: CampaignLists;
  shared: SharedState;
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  owner: (campaign: Pick<Campaign, 'ownerId' | 'quiz'>) => Promise<Responsible['owner']>;
  users: () => Promise<readonly User[]>;
  now: () => number;
}): Monday {
  const { lists, shared, outbox, now } = deps;
  const isTimeToLook = createRarely({ everyMs: looksEveryMs, now });

  const running = async (teamId: string) => (await lists.recent(teamId)).filter(({ endedAt }) => endedAt === null);

  /** Users who may see the results. */
  async function answeringFor(campaign: CampaignSummary): Promise<readonly string[]> {
    const [owner, users] = await Promise.all([deps.owner(campaign), deps.users()]);
    const { lead } = responsibleIn(campaign, owner, users);
    return owner.isAble && owner.userId !== undefined ? [owner.userId, ...lead.userIds] : lead.userIds;
  }

  return {
    async upkeep(teamId) {
      if (!isTimeToLook()) return;
      const at = now();
      const sunday = firstSunday + Math.floor((at - firstSunday) / weekMs) * weekMs;
      const isTold = (list: StoredList | undefined) => list === undefined || (list.weekAt ?? 0) >= sunday;
      const queue = campaignsQueue(teamId);
      const known = await shared.read<StoredList>(queue);
      if (isTold(known)) return;
      // What began in the week is told about with the next one.
      const ids = known?.weekAt === undefined ? [] : await Promise.all((await running(teamId)).map(answeringFor));
      const put = [...new Set(ids.flat())].map((userId) => ({
        queue: personQueue(teamId, userId),
        subscriptionId: directMessages,
        at,
        content: { kind: 'week' } as const,
      }));
      await shared.change<StoredList>(queue, (list) =>
        isTold(list) ? { state: list! } : { state: { ...list!, weekAt: at }, put },
      );
    },
    async weeksOf(teamId, userId) {
      const weeks: CampaignWeek[] = [];
      for (const summary of await running(teamId)) {
        if (!(await answeringFor(summary)).includes(userId)) continue;
        const campaign = await latestCampaign(outbox, teamId, summary.id);
        const week = campaign?.endedAt === null ? weekOf(campaign, now()) : undefined;
        if (week) weeks.push(week);
      }
      return weeks;
    },
  };
}
