import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { Campaign } from '../../domain/campaign.ts';
import type { ManagersOf } from '../../domain/managers.ts';
import type { NewQueueEntry, Submission } from '../../domain/queue-entry.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { SharedState } from '../../durable/shared-state.ts';
import type { Log } from '../../observability/log.ts';
import type { CampaignService } from '../../operations/services/campaigns.ts';
import type { ClosedReason, LiveMessage } from '../../operations/services/platform.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';
import type { Outbox } from '../../storage/storage.ts';
import type { Holidays } from '../../time/working-hours.ts';
import type { Assignments } from './assignments.ts';
import { createCampaignLists } from './campaign-list.ts';
import { createAudienceSignals } from './audience-signals.ts';
import { campaignMachine } from './campaign-machine.ts';
import { createCampaignService, eventEntry } from './campaign-service.ts';
import { createCompareAudience } from './compare-audience.ts';
import { endEntry } from './record.ts';
import type { Responsible } from './responsible.ts';
import { resultEntries } from './responses-to-results.ts';
import { closedNote } from './news.ts';
import { createReadCampaign } from './read-campaign.ts';
import { createStillWanted, type StillWanted } from './still-wanted.ts';
import { latestCampaign } from './stored-campaign.ts';
import type { BatchProgress } from '../../domain/batch.ts';

/** The campaigns of every workspace. */
export interface Campaigns extends StillWanted {
  service: (teamId: string) => CampaignService;
  /** Carries each campaign on. */
  machine: AnyMachine;
  /** The entries that carry a submission by a user to the running campaigns of its quiz. */
  entriesFor: (teamId: string, submission: Submission, userId: string) => Promise<NewQueueEntry[]>;
  /** What a live message of a campaign shows; undefined where there is none. */
  live: (teamId: string, id: string) => Promise<LiveMessage | undefined>;
  /** Tells the campaigns that stand which parts of their audiences have changed; parts as in `CampaignSummary`. */
  audienceChanged: (teamId: string, parts: readonly string[]) => Promise<void>;
  /** IDs of the campaigns that run, as `CampaignLists.recent` has them. */
  runningIds: (teamId: string) => Promise<readonly string[]>;
}

export function createCampaigns(deps: {
  outbox: Outbox;
  mail: Mail;
  shared: SharedState;
  responses: Pick<Responses, 'list'>;
  /** All users of the account. */
  users: () => Promise<readonly User[]>;
  quizzes: () => Promise<readonly Pick<Quiz, 'quiz_id' | 'name'>[]>;
  /** A quiz as the service has it, at most a minute old; undefined for one that it does not list. */
  quiz: (quizId: string) => Promise<Pick<Quiz, 'name' | 'status'> | undefined>;
  /** Whether the person who owns a campaign may see its results now, and their user. */
  owner: (campaign: Campaign) => Promise<Responsible['owner']>;
  managersOf: ManagersOf;
  assignments: Assignments;
  /** Where the bot finds out who is in audiences, and who these people are. */
  audiences: Pick<Parameters<typeof createCompareAudience>[0], 'sources' | 'hasQuiz' | 'reach' | 'timeZone'>;
  /** Puts an entry on the audit trail. Rejects where it is not kept. */
  audit: (teamId: string, entry: AuditEntry) => Promise<void>;
  holidays: Holidays;
  /** How long what people had to do is kept: of campaigns, after their end. */
  retentionMs: number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
  newId: () => string;
  log: Log;
  now: () => number;
}): Campaigns {
  const { outbox, assignments, now } = deps;
  const lists = createCampaignLists(deps);

  const read = createReadCampaign(deps);

  const machine = campaignMachine({
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
    machine,
    entriesFor: async (teamId, submission, userId) =>
      resultEntries(submission, userId, await lists.recent(teamId), { teamId, at: now() }),
    live: createLiveCampaign({
      campaign: (teamId, id) => latestCampaign(outbox, teamId, id),
      assigning: assignments.progressOf,
      now,
    }),
    ...createStillWanted({
      outbox,
      read,
      take: async (campaign, events) => deps.mail.put(events.map((event) => eventEntry(campaign, event, now()))),
      now,
    }),
    audienceChanged: createAudienceSignals({ lists, put: (entries) => deps.mail.put(entries), now }),
    runningIds: async (teamId) =>
      (await lists.recent(teamId)).filter(({ endedAt }) => endedAt === null).map(({ id }) => id),
  };
}

/**
 * Returns what the live message with an ID shows: the board for `campaign-<id>`, the final post for `campaign-end-<id>`;
 * undefined where there is none.
 */
function createLiveCampaign(deps: {
  campaign: (teamId: string, campaignId: string) => Promise<Campaign | undefined>;
  assigning: (teamId: string, batchId: string) => Promise<BatchProgress | undefined>;
  now: () => number;
}): (teamId: string, id: string) => Promise<LiveMessage | undefined> {
  return async (teamId, id) => {
    const [, end, campaignId] = /^campaign-(end-)?(.+)$/.exec(id) ?? [];
    const campaign = campaignId === undefined ? undefined : await deps.campaign(teamId, campaignId);
    if (campaign === undefined) return undefined;
    const { rule, ownerId, endedAt } = campaign;
    const { board } = rule;
    const to = board === null ? { personId: ownerId } : { channelId: board.channelId };
    const now = deps.now();
    const whenClosed = board && {
      personId: ownerId,
      note: (closed: ClosedReason) => closedNote(campaign, board.channelId, closed),
    };
    const shown = { to, ...(whenClosed && { whenClosed }) };
    if (end !== undefined)
      return endedAt === null
        ? undefined
        : { ...shown, announcement: { kind: 'campaign-end', campaign, now }, isFinal: true };
    if (board === null) return undefined;
    const { batchId } = (endedAt === null ? campaign.assigning : null) ?? {};
    const assigning = batchId === undefined ? undefined : await deps.assigning(teamId, batchId);
    return { ...shown, announcement: { kind: 'campaign-board', campaign, assigning, now }, isFinal: endedAt !== null };
  };
}
