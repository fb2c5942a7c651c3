import { nextExcuseEnd, openPeople } from '../../obligations/people.ts';
import type { LateReport } from '../../domain/announcement.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignMessage } from '../../domain/queue-entry.ts';
import { campaignQueue } from '../../domain/queue-names.ts';
import type { Outbox } from '../../storage/storage.ts';
import { applyEvents } from './events.ts';
import { askedForMs, lateMembers } from './next-step.ts';
import { goneEvents, type ReadCampaign } from './read-campaign.ts';
import { eventsAtMost, eventsOf, latestCampaign, stateAtStart, type CampaignState } from './stored-campaign.ts';

/** What decides whether messages of a campaign are still to be posted. */
interface OpenCampaign {
  isOver: boolean;
  /** Nobody can take the quiz now. */
  isHeld: boolean;
  /** When an excuse ends; infinite where none does. */
  until: number;
  /** People who joined its audience wait to be taken in. */
  hasCandidates: boolean;
  /** The users who still have to take the quiz. */
  open: ReadonlySet<string>;
  /** The late members of each manager, by the manager’s ID on the platform. */
  late: ReadonlyMap<string, readonly CampaignMember[]>;
  /** When its responses were read. */
  readAt: number;
  quizName: string;
}

/** What is asked before messages of campaigns are posted. */
export interface StillWanted {
  /** Whether a message to a user is still to be posted. */
  isStillWanted: (teamId: string, message: CampaignMessage, userId: string) => Promise<boolean>;
  /** The people of a manager who are late in these campaigns now. */
  lateReports: (teamId: string, managerId: string, campaignIds: readonly string[]) => Promise<LateReport[]>;
}

/** A campaign of 1,000 members is some 400 KB in the store; of one that is remembered, only the version is read. */
const rememberedAtMost = 50;

/**
 * Asks whether a message to a user is still to be posted when its turn comes: meanwhile the person can have taken the quiz.
 * The answer is that of the campaign with all stored events. For a message that has waited, over a night for example, the
 * campaign is read once more; where the service does not answer, what is known counts.
 *
 * @param deps.take puts events into the mailbox of a campaign
 */
export function createStillWanted({
  outbox,
  read,
  take,
  now,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'versionOf' | 'waiting'>;
  read: ReadCampaign;
  take: (campaign: Campaign, events: readonly CampaignEvent[]) => Promise<void>;
  now: () => number;
}): StillWanted {
  const remembered = new Map<string, OpenCampaign & { version: number }>();
  /** Until when campaigns that were read for their messages are not read again, and what is being read. */
  const restsUntil = new Map<string, number>();
  const reading = new Map<string, Promise<OpenCampaign>>();

  async function openCampaign(teamId: string, campaignId: string): Promise<OpenCampaign> {
    const queue = campaignQueue(teamId, campaignId);
    // The events first: what is applied between the two reads is in the state. What became of messages opens and closes nothing.
    const events = eventsOf(await outbox.waiting(queue, { limit: eventsAtMost }));
    if (events.some(({ kind }) => kind !== 'delivery')) {
      const { state = stateAtStart(events) } = await outbox.stateOf<CampaignState>(queue);
      return openIn(state && { ...state, campaign: applyEvents(state.campaign, events) }, now());
    }
    const known = remembered.get(queue);
    if (known && now() < known.until && known.version === (await outbox.versionOf(queue))) return known;
    const { version, state } = await outbox.stateOf<CampaignState>(queue);
    const found = openIn(state, now());
    remembered.delete(queue);
    remembered.set(queue, { version, ...found });
    for (const oldest of [...remembered.keys()].slice(0, -rememberedAtMost)) remembered.delete(oldest);
    return found;
  }

  /** The campaign, read again where it was not read lately. Messages that come due together share a reading. */
  async function readCampaign(teamId: string, campaignId: string): Promise<OpenCampaign> {
    const queue = campaignQueue(teamId, campaignId);
    const known = await openCampaign(teamId, campaignId);
    const at = now();
    if (known.isOver || at - known.readAt <= askedForMs || at < (restsUntil.get(queue) ?? 0)) return known;
    const again = reading.get(queue) ?? readAgain(teamId, campaignId, known).finally(() => reading.delete(queue));
    reading.set(queue, again);
    return again;
  }

  async function readAgain(teamId: string, campaignId: string, known: OpenCampaign): Promise<OpenCampaign> {
    const campaign = await latestCampaign(outbox, teamId, campaignId);
    if (campaign === undefined) return known;
    const found = await read(campaign);
    restsUntil.set(campaignQueue(teamId, campaignId), 'events' in found ? now() + askedForMs : found.askAgainAt);
    for (const oldest of [...restsUntil.keys()].slice(0, -rememberedAtMost)) restsUntil.delete(oldest);
    if (!('events' in found) && !found.isGone) return known;
    const events = 'events' in found ? found.events : goneEvents(campaign, now());
    await take(campaign, events);
    return openIn({ campaign: applyEvents(campaign, events), askedAt: now() }, now());
  }

  return { isStillWanted, lateReports };

  async function isStillWanted(teamId: string, message: CampaignMessage, userId: string): Promise<boolean> {
    const { isOver, isHeld, hasCandidates, open } = await (isAsking(message) ? readCampaign : openCampaign)(
      teamId,
      message.campaignId,
    );
    if (message.kind === 'note' && message.untilTakenIn) return hasCandidates && !isOver;
    if (isOver || !isAsking(message)) return !isOver;
    if (isHeld) return false;
    return message.kind === 'campaign-escalation' ? open.size > 0 : open.has(userId);
  }

  async function lateReports(teamId: string, managerId: string, campaignIds: readonly string[]): Promise<LateReport[]> {
    const people = new Map<string, LateReport>();
    for (const campaignId of new Set(campaignIds)) {
      const known = await openCampaign(teamId, campaignId);
      if (known.isOver || known.isHeld || !known.late.has(managerId)) continue;
      const { isOver, isHeld, late, quizName } = await readCampaign(teamId, campaignId);
      if (isOver || isHeld) continue;
      for (const { userId, name } of late.get(managerId) ?? []) {
        const quizzes = people.get(userId)?.quizzes ?? [];
        people.set(userId, { userId, name, quizzes: [...quizzes, { campaignId, quizName }] });
      }
    }
    return [...people.values()].toSorted((a, b) => byName(a.name, b.name));
  }
}

const byName = new Intl.Collator('en').compare;

function isAsking({ kind }: CampaignMessage): boolean {
  return kind === 'campaign-notice' || kind === 'campaign-escalation';
}

function openIn(state: Pick<CampaignState, 'campaign' | 'askedAt'> | undefined, now: number): OpenCampaign {
  const campaign = state?.campaign;
  return {
    readAt: state?.askedAt ?? 0,
    isOver: campaign === undefined || campaign.endedAt !== null,
    isHeld: campaign !== undefined && campaign.obstacle !== null,
    hasCandidates: campaign !== undefined && campaign.candidates !== null,
    until: (campaign && nextExcuseEnd(campaign, now)) ?? Infinity,
    late: campaign?.rule.toManagers ? lateByManager(campaign, now) : new Map(),
    quizName: campaign?.quiz.name ?? '',
    open: new Set(campaign && openPeople(campaign, now).map(({ member }) => member.userId)),
  };
}

/** The late members of a manager, by the manager. */
export function lateByManager(campaign: Campaign, now: number): ReadonlyMap<string, readonly CampaignMember[]> {
  const managed = lateMembers(campaign, now).flatMap((member) =>
    member.managerId === null ? [] : [{ member, managerId: member.managerId }],
  );
  const groups = Map.groupBy(managed, ({ managerId }) => managerId);
  return new Map([...groups].map(([managerId, own]) => [managerId, own.map(({ member }) => member)]));
}
