import { nextExcuseEnd, openMembers } from '../../domain/obligation.ts';
import type { Campaign } from '../../domain/campaign.ts';
import type { CampaignMessage } from '../../domain/queue-entry.ts';
import { campaignQueue } from '../../domain/queue-names.ts';
import type { Outbox } from '../../storage/storage.ts';
import { eventsAtMost, eventsOf, latestCampaign, type CampaignState } from './stored-campaign.ts';

/** What decides whether messages of a campaign are still to be posted. */
interface OpenCampaign {
  isOver: boolean;
  /** Nobody can take the quiz now. */
  isHeld: boolean;
  /** When an excuse ends; infinite where none does. */
  until: number;
  /** The users who still have to take the quiz. */
  open: ReadonlySet<string>;
}

/** A campaign of 1,000 members is some 400 KB in the store; of one that is remembered, only the version is read. */
const rememberedAtMost = 50;

/**
 * Asks whether a message to a user is still to be posted when its turn comes: meanwhile the person can have taken the quiz.
 * The answer is that of the campaign with all stored events.
 */
export function createStillWanted({
  outbox,
  now,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'versionOf' | 'waiting'>;
  now: () => number;
}): (teamId: string, message: CampaignMessage, userId: string) => Promise<boolean> {
  const remembered = new Map<string, OpenCampaign & { version: number }>();

  async function openCampaign(teamId: string, campaignId: string): Promise<OpenCampaign> {
    const queue = campaignQueue(teamId, campaignId);
    // The events first: what is applied between the two reads is in the state. What became of messages opens and closes nothing.
    const events = eventsOf(await outbox.waiting(queue, { limit: eventsAtMost }));
    if (events.some(({ kind }) => kind !== 'delivery'))
      return openIn(await latestCampaign(outbox, teamId, campaignId), now());
    const known = remembered.get(queue);
    if (known && now() < known.until && known.version === (await outbox.versionOf(queue))) return known;
    const { version, state } = await outbox.stateOf<CampaignState>(queue);
    const found = openIn(state?.campaign, now());
    remembered.delete(queue);
    remembered.set(queue, { version, ...found });
    for (const oldest of [...remembered.keys()].slice(0, -rememberedAtMost)) remembered.delete(oldest);
    return found;
  }

  return async (teamId, message, userId) => {
    if (message.kind === 'campaign-round') return true;
    const { isOver, isHeld, open } = await openCampaign(teamId, message.campaignId);
    if (isOver || !isAsking(message)) return !isOver;
    if (isHeld) return false;
    return message.kind === 'campaign-escalation' ? open.size > 0 : open.has(userId);
  };
}

function isAsking({ kind }: CampaignMessage): boolean {
  return kind === 'campaign-notice' || kind === 'campaign-escalation';
}

function openIn(campaign: Campaign | undefined, now: number): OpenCampaign {
  return {
    isOver: campaign === undefined || campaign.endedAt !== null,
    isHeld: campaign?.obstacle !== undefined,
    until: (campaign && nextExcuseEnd(campaign, now)) ?? Infinity,
    open: new Set(campaign && openMembers(campaign, now).map(({ userId }) => userId)),
  };
}
