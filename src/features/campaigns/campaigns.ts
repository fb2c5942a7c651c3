import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { NewQueueEntry, Submission } from '../../domain/queue-entry.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { SharedState } from '../../durable/shared-state.ts';
import type { ClosedReason, LiveMessage } from '../../operations/services/platform.ts';
import type { Outbox } from '../../storage/storage.ts';
import type { Assignments } from './assignments.ts';
import { createCampaignLists, createCampaignService, eventEntry, type CampaignLists } from './campaign-service.ts';
import { campaignMachine } from './campaign-machine.ts';
import { createCompareAudience, endEntry } from './compare-audience.ts';
import { createMonday } from './monday.ts';
import { resultEntries, createReadCampaign } from './read-campaign.ts';
import { createMessagesNow } from './messages-now.ts';
import { campaignInAccount } from './stored-campaign.ts';
import { closedNote } from './news.ts';
import { accountPart } from './audience.ts';

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
