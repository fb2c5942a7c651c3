import { setImmediate as nextTurn } from 'node:timers/promises';
import { openPeople } from '../../obligations/people.ts';
import { failedFor } from '../../quiz-api/errors.ts';
import type { Responses } from '../../quiz-api/quiz-api.ts';
import type { Quiz, User } from '../../quiz-api/records.ts';
import { applyEvents, withRead } from './events.ts';
import { nextMessages } from './next-step.ts';
import { readResults, resultsIn } from './read-campaign.ts';
import type { Campaign, CampaignEvent, CampaignMember, CampaignSummary } from '../../domain/campaign.ts';
import type { CampaignPlan } from '../../domain/campaign-plan.ts';
import { campaignQueue, personQueue, campaignsQueue, type NewQueueEntry } from '../../domain/queues.ts';
import type { CampaignService } from '../../operations/services/features.ts';
import type { Mail, SharedState } from '../../durable/mail.ts';
import type { Outbox } from '../../storage/storage.ts';
import { createRecent } from '../../time/timers.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { partKey } from './audience.ts';
import { boardRefresh, messageTo } from './messages.ts';
import { acceptedNote, campaignNote, offerNote } from './news.ts';
import { campaignEntry, campaignInAccount, latestCampaign } from './stored-campaign.ts';
import { comingIn, type Assignments } from './assignments.ts';

/** Each webhook asks for the list: it is read from the store no more often than this. */
const recentMs = 2_000;

export interface StoredList {
  campaigns: readonly CampaignSummary[];
  /** Since when those who answer for campaigns are told about the week, in milliseconds since the epoch; undefined before the first one. */
  weekAt?: number;
}

/** The lists of the campaigns of each workspace, the latest first. @param deps.retentionMs how long campaigns that ended stay in them */
export function createCampaignLists({
  shared,
  retentionMs,
  now,
  steadyNow,
}: {
  shared: SharedState;
  retentionMs: number;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}) {
  const cached = createRecent<readonly CampaignSummary[]>({ forMs: recentMs, now });

  function kept(campaigns: readonly CampaignSummary[]): readonly CampaignSummary[] {
    const since = steadyNow() - retentionMs;
    return campaigns.filter(({ endedAt }) => endedAt === null || endedAt > since);
  }

  async function read(teamId: string): Promise<readonly CampaignSummary[]> {
    return kept((await shared.read<StoredList>(campaignsQueue(teamId)))?.campaigns ?? []);
  }

  return {
    of: read,
    /** As the list was at most two seconds ago, or after the last change by this instance. */
    recent: (teamId: string) => cached.of(teamId, async () => read(teamId)),
    /** Changes the list and puts entries into queues in one step. `change` runs again where the list has changed meanwhile. */
    async change(
      teamId: string,
      change: (campaigns: readonly CampaignSummary[]) => Pick<StoredList, 'campaigns'> & { put?: NewQueueEntry[] },
    ): Promise<void> {
      await shared.change<StoredList>(campaignsQueue(teamId), (list) => {
        const { campaigns, put = [] } = change(list?.campaigns ?? []);
        return { state: { ...list, campaigns: kept(campaigns) }, put };
      });
      cached.forget(teamId);
    },
  };
}

export type CampaignLists = ReturnType<typeof createCampaignLists>;

const mailboxesAtOnce = 200;

/** The campaigns of workspaces, as operations work with them. A campaign starts in one step with its place in the list and its batch. */
export function createCampaignService(deps: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  mail: Mail;
  lists: CampaignLists;
  responses: Pick<Responses, 'list'>;
  /** The quizzes of the account, as far as they are at hand. */
  quizzes: () => Promise<readonly Pick<Quiz, 'quiz_id' | 'name'>[]>;
  /** All users of the account. */
  users: () => Promise<readonly User[]>;
  startBatch: Assignments['startBatch'];
  holidays: Holidays;
  newId: () => string;
  now: () => number;
}): (teamId: string) => CampaignService {
  const { outbox, lists, mail, now } = deps;

  /** Gives a quiz the name that it has now: campaigns are found and shown by it. */
  async function nameNow(): Promise<(quiz: Campaign['quiz']) => Campaign['quiz']> {
    const quizzes = await deps.quizzes().catch(() => []);
    const names = new Map(quizzes.map(({ quiz_id, name }) => [quiz_id, name]));
    return ({ id, name }) => ({ id, name: names.get(id) ?? name });
  }

  return (teamId) => {
    return {
      async all() {
        const campaigns = await lists.of(teamId);
        if (campaigns.length === 0) return [];
        const name = await nameNow();
        return campaigns.map((campaign) => ({ ...campaign, quiz: name(campaign.quiz) }));
      },
      async byId(id) {
        const [campaign, name] = await Promise.all([campaignInAccount(deps, teamId, id), nameNow()]);
        return campaign && { ...campaign, quiz: name(campaign.quiz) };
      },
      async start(plan, by, approvedBy) {
        const known = sameIn(await lists.of(teamId), plan, by);
        if (known) return { id: known.id, isNew: false };
        const id = deps.newId();
        const startedAt = now();
        const { members, batch } = await comingIn({ ...plan.draft, id, teamId }, plan, { by, at: startedAt, ...deps });
        const campaign: Campaign = {
          ...newCampaign,
          ...plan.draft,
          id,
          teamId,
          startedBy: by,
          ownerId: by,
          approvedBy,
          startedAt,
          assigning: batch ? { batchId: batch.batchId, isStopped: false } : null,
          members,
        };
        const put = [eventEntry(campaign, { kind: 'start', campaign }, now()), ...(batch?.entries ?? [])];
        let same: CampaignSummary | undefined;
        await lists.change(teamId, (campaigns) => {
          same = sameIn(campaigns, plan, by);
          return same ? { campaigns } : { campaigns: [summaryOf(campaign), ...campaigns], put };
        });
        return { id: same?.id ?? id, isNew: same === undefined };
      },
      async takeIn(campaign, who, by) {
        const at = now();
        const { join, batch } = await comingIn(campaign, who, { by, at, ...deps });
        await mail.put([eventEntry(campaign, join, at), ...(batch?.entries ?? [])]);
      },
      async readNow(campaign, call) {
        const asOf = now();
        try {
          const read = await readResults(deps, campaign, call);
          if (campaign.endedAt === null) await mail.put([eventEntry(campaign, read, asOf)]);
          return { campaign: withRead(campaign, read), asOf, isGone: false };
        } catch (error) {
          if (!failedFor(error, 'gone')) throw error;
          return { campaign, asOf, isGone: true };
        }
      },
      async putRead(campaign, { responses, users, since }) {
        await mail.put([eventEntry(campaign, resultsIn(responses, users, campaign, since), now())]);
      },
      async put(id, event) {
        const entry = eventEntry({ teamId, id }, event, now());
        if (event.kind !== 'quiz') return mail.put([entry]);
        const { name } = event;
        await lists.change(teamId, (campaigns) => ({
          campaigns: campaigns.map((one) => (one.id === id ? { ...one, quiz: { ...one.quiz, name } } : one)),
          put: [entry],
        }));
      },
      async redrawBoards(channelId) {
        const at = now();
        const boards = await withBoardIn(deps, teamId, channelId);
        await mail.put(boards.flatMap((campaign) => boardRefresh(campaign, at, { isAnew: true })));
      },
      async offer(campaign, offer) {
        const { id } = campaign;
        const asks = ({ by, at }: NonNullable<typeof offer>) =>
          campaignNote(campaign, offerNote(campaign, { by: by.personId, at }));
        let isChange = false;
        await lists.change(teamId, (campaigns) => {
          isChange = campaigns.some(
            (one) => one.id === id && one.endedAt === null && (offer ?? one.offer) !== undefined,
          );
          return {
            campaigns: campaigns.map((one) =>
              one.id === id ? { ...withoutOffer(one), ...(offer && { offer }) } : one,
            ),
            put: offer && isChange ? [messageTo(offer.to.userId, campaign, offer.at, asks(offer))] : [],
          };
        });
        return isChange;
      },
      async handOver(campaign, { ownerId, leads, timeZone }, offeredAt) {
        const { id } = campaign;
        const at = now();
        let isMade = false;
        await lists.change(teamId, (campaigns) => {
          const offer = campaigns.find((one) => one.id === id && one.endedAt === null)?.offer;
          isMade = offeredAt === undefined || (offer?.at === offeredAt && offer.to.personId === ownerId);
          if (!isMade) return { campaigns };
          const accepted = campaignNote(campaign, acceptedNote(campaign, ownerId));
          const asker = offeredAt === undefined ? undefined : offer?.by.userId;
          return {
            campaigns: campaigns.map((one) => (one.id === id ? { ...withoutOffer(one), ownerId, leads } : one)),
            put: [
              eventEntry(campaign, { kind: 'hand-over', ownerId, leads, timeZone }, at),
              ...(asker === undefined ? [] : [messageTo(asker, campaign, at, accepted)]),
            ],
          };
        });
        return isMade;
      },
      withRule(campaign, change) {
        const at = now();
        const changed = applyEvents(campaign, [{ kind: 'rule', change, at }]);
        // Whose pass does not count any more gets the quiz, and is then asked.
        const withQuiz = (member: CampaignMember): CampaignMember =>
          member.assignment === 'later' ? { ...member, assignment: 'has' } : member;
        const timesIn = (one: Campaign) => {
          const next = nextMessages({ ...one, members: one.members.map(withQuiz) }, at, deps.holidays);
          return new Map(next.map(({ member, message }) => [member.userId, message.at]));
        };
        const before = timesIn(campaign);
        const sooner = [...timesIn(changed)].map(([userId, next]) => ({ userId, at: Math.max(next, at) }));
        return { campaign: changed, sooner: sooner.filter((one) => one.at < (before.get(one.userId) ?? Infinity)) };
      },
      async noticedAt(userIds) {
        const wanted = new Set(userIds);
        const latest = new Map<string, number>();
        const take = (userId: string, at: number) => latest.set(userId, Math.max(at, latest.get(userId) ?? 0));
        // Few at a time: SQLite serves nothing else meanwhile.
        for (let from = 0; from < userIds.length; from += mailboxesAtOnce) {
          await Promise.all(
            userIds.slice(from, from + mailboxesAtOnce).map(async (userId) => {
              const { state } = await outbox.stateOf<{ noticedAt?: number }>(personQueue(teamId, userId));
              if (state?.noticedAt !== undefined) take(userId, state.noticedAt);
            }),
          );
          await nextTurn();
        }
        for (const { id, endedAt } of await lists.of(teamId)) {
          const campaign = endedAt === null ? await latestCampaign(outbox, teamId, id) : undefined;
          if (campaign === undefined || campaign.endedAt !== null || campaign.obstacle !== null) continue;
          for (const [userId, at] of handedOver(campaign, now())) if (wanted.has(userId)) take(userId, at);
        }
        return latest;
      },
    };
  };
}

/** The campaigns that run and show their progress in a channel. */
export async function withBoardIn(
  { outbox, lists }: { outbox: Pick<Outbox, 'stateOf' | 'waiting'>; lists: Pick<CampaignLists, 'of'> },
  teamId: string,
  channelId: string,
): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for (const { id } of (await lists.of(teamId)).filter(({ endedAt }) => endedAt === null)) {
    const campaign = await latestCampaign(outbox, teamId, id);
    if (campaign?.rule.board?.channelId === channelId) found.push(campaign);
  }
  return found;
}

/** When the notice of each member was handed over that waits to be posted: of a member who waits for the quiz, it is as good as that. */
function handedOver(campaign: Campaign, now: number): [userId: string, at: number][] {
  return openPeople(campaign, now).flatMap(({ member }): [string, number][] => {
    const { userId, personId, assignment, stays, messages } = member;
    if (personId === null || assignment === 'failed') return [];
    if (assignment === 'waiting') return [[userId, stays[0]?.from ?? 0]];
    const last = messages.at(-1);
    return last === undefined || last.at !== null ? [] : [[userId, last.handedAt]];
  });
}

/** The campaign of a person that stands for what a plan asks for, where one is enough. */
function sameIn(
  campaigns: readonly CampaignSummary[],
  plan: CampaignPlan,
  ownerId: string,
): CampaignSummary | undefined {
  if (!plan.isOnlyOne) return undefined;
  const wanted = requirementOf(plan.draft);
  return campaigns.find((one) => one.requires === wanted && one.ownerId === ownerId && one.endedAt === null);
}

/** The quiz of a campaign that stands, and its rule: what is the same asks for the same. */
function requirementOf({ quiz, rule: { standing, validity } }: Pick<Campaign, 'quiz' | 'rule'>): string {
  return JSON.stringify([quiz.id, standing, validity]);
}

function withoutOffer({ offer: _, ...summary }: CampaignSummary): CampaignSummary {
  return summary;
}

export function summaryOf(campaign: Campaign): CampaignSummary {
  const { id, quiz, ownerId, leads, startedAt, endedAt, rule, audience, except } = campaign;
  const summary = { id, quiz, ownerId, leads, startedAt, endedAt };
  if (rule.standing === null) return summary;
  return { ...summary, requires: requirementOf(campaign), watches: [...audience, ...except].map(partKey) };
}

/** @param at now, in milliseconds since the epoch */
export function eventEntry(
  { teamId, id }: Pick<Campaign, 'teamId' | 'id'>,
  event: CampaignEvent,
  at: number,
): NewQueueEntry {
  return campaignEntry(campaignQueue(teamId, id), event, at);
}

/** What nobody has said or done yet when a campaign starts. */
const newCampaign = {
  obstacle: null,
  quizKnownAt: 0,
  dueChangedAt: null,
  unable: [],
  endedAt: null,
  remindNowAt: null,
  escalatedUpTo: 0,
  candidates: null,
  unreadable: [],
} as const satisfies Partial<Campaign>;
