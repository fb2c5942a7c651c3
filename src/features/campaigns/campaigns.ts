import { byName } from '../../domain/record-names.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import { campaignQueue, type NewQueueEntry, type Submission, type CampaignMessage } from '../../domain/queues.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { SharedState } from '../../durable/mail.ts';
import type { ClosedReason, LiveMessage } from '../../operations/services/platform.ts';
import type { Outbox } from '../../storage/storage.ts';
import type { Assignments } from './assignments.ts';
import {
  createCampaignLists,
  createCampaignService,
  eventEntry,
  withBoardIn,
  type CampaignLists,
} from './campaign-service.ts';
import { campaignMachine } from './campaign-machine.ts';
import { createCompareAudience, endEntry } from './compare-audience.ts';
import { createMonday } from './monday.ts';
import { resultEntries, createReadCampaign, goneEvents, type ReadCampaign } from './read-campaign.ts';
import { campaignInAccount, latestState } from './stored-campaign.ts';
import { closedNote, takingInNote } from './news.ts';
import { accountPart } from './audience.ts';
import { personOf } from '../../obligations/people.ts';
import type { LateReport } from '../../domain/announcement.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import { escalation, noticeTo } from './messages.ts';
import { applyEvents } from './events.ts';
import { askedForMs, lateMembers } from './next-step.ts';

/** The campaigns of every workspace. */
export function createCampaigns(
  deps: Omit<Parameters<typeof campaignMachine>[0], 'read' | 'rowsOf' | 'compare' | 'record' | 'close'> &
    Parameters<typeof createReadCampaign>[0] &
    Omit<Parameters<typeof createCampaignService>[0], 'lists' | 'startBatch' | 'outbox'> & {
      outbox: Outbox;
      shared: SharedState;
      assignments: Assignments;
      /** Where the bot finds out who is in audiences, and who these people are. */
      audiences: Omit<Parameters<typeof createCompareAudience>[0], 'startBatch' | 'log' | 'now'>;
      /** Puts an entry on the audit trail. Rejects where it is not kept. */
      audit: (teamId: string, entry: AuditEntry) => Promise<void>;
      answers: Parameters<typeof createMonday>[0]['answers'];
    },
) {
  const { outbox, assignments, now } = deps;
  const lists = createCampaignLists(deps);

  const read = createReadCampaign(deps);

  const machine: AnyMachine = campaignMachine({
    ...deps,
    read,
    rowsOf: assignments.rowsOf,
    compare: createCompareAudience({ ...deps, ...deps.audiences, startBatch: assignments.startBatch }),
    record: ({ teamId }, entry) => deps.audit(teamId, entry),
    async close(campaign, endedAt) {
      const { id, teamId } = campaign;
      await lists.change(teamId, (campaigns) => ({
        campaigns: campaigns.map((one) => (one.id === id ? { ...one, endedAt } : one)),
      }));
      await deps.audit(teamId, endEntry(campaign, endedAt));
    },
  });

  return {
    service: createCampaignService({ ...deps, lists, startBatch: assignments.startBatch }),
    /** Carries each campaign on. */
    machine,
    /** The entries that carry a submission by a user to the running campaigns of its quiz. */
    entriesFor: async (teamId: string, submission: Submission, userId: string): Promise<NewQueueEntry[]> =>
      resultEntries(submission, userId, await lists.recent(teamId), { teamId, at: now() }),
    /** What the live message with an ID shows: the board for `campaign-<id>`, the final post for `campaign-end-<id>`; undefined for neither. */
    async live(teamId: string, id: string): Promise<LiveMessage | undefined> {
      const [, end, campaignId] = /^campaign-(end-)?(.+)$/.exec(id) ?? [];
      const campaign = campaignId === undefined ? undefined : await campaignInAccount(deps, teamId, campaignId);
      if (campaign === undefined) return undefined;
      const { board } = campaign.rule;
      const whenClosed = board && {
        personId: campaign.ownerId,
        note: (closed: ClosedReason) => closedNote(campaign, board.channelId, closed),
      };
      const to = board === null ? { personId: campaign.ownerId } : { channelId: board.channelId };
      const shown = { to, whenClosed: whenClosed ?? undefined, isFinal: campaign.endedAt !== null };
      if (end !== undefined)
        return shown.isFinal ? { ...shown, announcement: { kind: 'campaign-end', campaign, now: now() } } : undefined;
      if (board === null) return undefined;
      const { batchId } = (shown.isFinal ? null : campaign.assigning) ?? {};
      const assigning = batchId === undefined ? undefined : await assignments.progressOf(teamId, batchId);
      return { ...shown, announcement: { kind: 'campaign-board', campaign, assigning, now: now() } };
    },
    ...createMessagesNow({
      outbox,
      read,
      take: async (campaign, events) => deps.mail.put(events.map((event) => eventEntry(campaign, event, now()))),
      now,
    }),
    ...createMonday({ ...deps, lists }),
    audienceChanged: createAudienceSignals({ lists, put: (entries) => deps.mail.put(entries), now }),
    /** Has those who answer for the campaigns that show their progress in a channel told that another company reads it from now on. */
    async channelShared(teamId: string, channelId: string): Promise<void> {
      for (const campaign of await withBoardIn({ outbox, lists }, teamId, channelId))
        await deps.mail.put([eventEntry(campaign, { kind: 'board-shared', at: now() }, now())]);
    },
    /** IDs of the campaigns that run, as the list was at most two seconds ago. */
    runningIds: async (teamId: string) =>
      (await lists.recent(teamId)).filter(({ endedAt }) => endedAt === null).map(({ id }) => id),
  };
}

/**
 * Tells the campaigns that stand that parts of their audiences have changed. What is lost here, the daily comparison finds.
 *
 * @returns a function that takes parts as in `CampaignSummary`
 */
export function createAudienceSignals({
  lists,
  put,
  now,
}: {
  lists: Pick<CampaignLists, 'recent'>;
  put: (entries: readonly NewQueueEntry[]) => Promise<void>;
  now: () => number;
}): (teamId: string, parts: readonly string[]) => Promise<void> {
  return async (teamId, parts) => {
    const at = now();
    const told = (await lists.recent(teamId)).filter(
      ({ endedAt, watches }) =>
        endedAt === null && watches && parts.some((part) => part === accountPart || watches.includes(part)),
    );
    await put(told.map(({ id }) => eventEntry({ teamId, id }, { kind: 'audience-changed', at }, at)));
  };
}

const restsAtMost = 50;

/**
 * Decides what a message says when its turn comes: meanwhile the person can have taken the quiz, or it is due at another time. The
 * answer is that of the campaign with all stored events. For a message that has waited, over a night for example, the campaign is
 * read once more; where the service does not answer, what is known counts.
 *
 * @param deps.take puts events into the mailbox of a campaign
 */
function createMessagesNow({
  outbox,
  read,
  take,
  now,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  read: ReadCampaign;
  take: (campaign: Campaign, events: readonly CampaignEvent[]) => Promise<void>;
  now: () => number;
}) {
  /** Until when campaigns that were read for their messages are not read again, and what is being read. */
  const restsUntil = new Map<string, number>();
  const reading = new Map<string, Promise<Campaign>>();

  /** The campaign while it runs. `isRead`: read again where it was not read lately. Messages that come due together share a reading. */
  async function running(teamId: string, id: string, { isRead }: { isRead: boolean }): Promise<Campaign | undefined> {
    const known = await latestState(outbox, teamId, id);
    if (known === undefined || known.campaign.endedAt !== null) return undefined;
    const queue = campaignQueue(teamId, id);
    const at = now();
    if (!isRead || at - known.askedAt <= askedForMs || at < (restsUntil.get(queue) ?? 0)) return known.campaign;
    const again = reading.get(queue) ?? readAgain(known.campaign, queue).finally(() => reading.delete(queue));
    reading.set(queue, again);
    const campaign = await again;
    return campaign.endedAt === null ? campaign : undefined;
  }

  async function readAgain(campaign: Campaign, queue: string): Promise<Campaign> {
    const found = await read(campaign);
    restsUntil.set(queue, 'events' in found ? now() + askedForMs : found.askAgainAt);
    for (const oldest of [...restsUntil.keys()].slice(0, -restsAtMost)) restsUntil.delete(oldest);
    if (!('events' in found) && !found.isGone) return campaign;
    const events = 'events' in found ? found.events : goneEvents(campaign, now());
    await take(campaign, events);
    return applyEvents(campaign, events);
  }

  return { messageNow, lateReports };

  async function messageNow(
    teamId: string,
    message: CampaignMessage,
    { userId, handedAt }: { userId: string; handedAt: number },
  ): Promise<CampaignMessage | undefined> {
    const isAsking = message.kind === 'campaign-notice' || message.kind === 'campaign-escalation';
    const campaign = await running(teamId, message.campaignId, { isRead: isAsking });
    if (campaign === undefined || (isAsking && campaign.obstacle !== null)) return undefined;
    switch (message.kind) {
      case 'campaign-notice': {
        const member = campaign.members.find((one) => one.userId === userId);
        const isOpen = member !== undefined && personOf(member, campaign, now()).state === 'open';
        return isOpen ? noticeTo(member, campaign, { handedAt, now: now() }) : undefined;
      }
      case 'campaign-escalation': {
        const missing = lateMembers(campaign, now()).filter(({ managerId }) => managerId === null);
        return missing.length === 0 ? undefined : escalation(campaign, missing, userId);
      }
      case 'note':
        if (!message.untilTakenIn) return message;
        return campaign.candidates === null
          ? undefined
          : { ...message, note: takingInNote(campaign, campaign.candidates) };
      default:
        return message;
    }
  }

  async function lateReports(teamId: string, managerId: string, campaignIds: readonly string[]): Promise<LateReport[]> {
    const people = new Map<string, LateReport>();
    for (const campaignId of new Set(campaignIds)) {
      const known = await running(teamId, campaignId, { isRead: false });
      if (known === undefined || lateOf(managerId, known).length === 0) continue;
      const campaign = await running(teamId, campaignId, { isRead: true });
      if (campaign === undefined) continue;
      for (const { userId, name } of lateOf(managerId, campaign)) {
        const quizzes = people.get(userId)?.quizzes ?? [];
        people.set(userId, { userId, name, quizzes: [...quizzes, { campaignId, quizName: campaign.quiz.name }] });
      }
    }
    return [...people.values()].toSorted((a, b) => byName(a.name, b.name));
  }

  /** While nobody can take the quiz, nobody is late. */
  function lateOf(managerId: string, campaign: Campaign): readonly CampaignMember[] {
    const { obstacle, rule, members } = campaign;
    if (obstacle !== null || !rule.toManagers) return [];
    return lateMembers(
      campaign,
      now(),
      members.filter((member) => member.managerId === managerId),
    );
  }
}
