import { hourMs, dayMs } from '../../domain/durations.ts';
import { publicName } from '../../directory/names.ts';
import type { CampaignEvent, CampaignMember, Campaign } from '../../domain/campaign.ts';
import { neededFrom, personOf, groupsOf } from '../../obligations/people.ts';
import type { NewQueueEntry } from '../../domain/queues.ts';
import type { Log } from '../../observability/log.ts';
import type { ReachedPerson } from '../../operations/services/people.ts';
import { QuizApiError } from '../../quiz-api/errors.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { User } from '../../quiz-api/records.ts';
import { comingIn, type Assignments } from './assignments.ts';
import {
  atOnceMs,
  audienceChange,
  isSameList,
  type AudienceNow,
  readAudience,
  type AudienceSources,
} from './audience.ts';
import type { CampaignProgress, CampaignState } from './stored-campaign.ts';
import { changesGatheredForMs, nextDaily } from './next-step.ts';
import { answersAt } from './read-campaign.ts';
import { addToCampaign } from './operations/add.ts';
import { endCampaign } from './operations/end-and-report.ts';
import { excuseFromCampaign } from './operations/excuse-and-include.ts';
import { asMember } from './operations/who-takes-part.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import { maskAddresses } from '../../domain/address.ts';
import { named, namedPeople } from '../../domain/said.ts';

/** What a comparison of an audience with the members changes, or until when it waits for an answer (milliseconds since the epoch). */
type Comparison =
  | { events: readonly CampaignEvent[]; put: readonly NewQueueEntry[]; progress: Partial<CampaignProgress> }
  | { askAgainAt: number };

export type CompareAudience = (state: CampaignState) => Promise<Comparison>;

/** Once a day, all campaigns share what is read within this time. */
const sharedForMs = hourMs;

/**
 * Compares the audience of a campaign with its members. Reads the list of users that the bot has; once a day, one that is an
 * hour old at most.
 *
 * @param deps.hasQuiz whether the quiz is assigned to users, as far as the bot knows
 * @param deps.reach the people of the platform who are these users
 */
export function createCompareAudience(deps: {
  sources: AudienceSources;
  hasQuiz: (quizId: string) => Promise<(user: User) => boolean>;
  reach: (users: readonly User[]) => Promise<ReadonlyMap<string, ReachedPerson>>;
  startBatch: Assignments['startBatch'];
  /** Of people who are not on the platform. */
  timeZone: string;
  log: Log;
  now: () => number;
}): CompareAudience {
  const { now, log } = deps;

  return async (state) => {
    try {
      return await compare(state);
    } catch (error) {
      if (!(error instanceof QuizApiError) && !(error instanceof PlatformError)) throw error;
      log.warn({ error, campaign: state.campaign.id }, 'the audience of a campaign cannot be read');
      return { askAgainAt: answersAt(error, now()) };
    }
  };

  async function compare(state: CampaignState): Promise<Comparison> {
    const { campaign, audienceChangedAt, takenIn = [] } = state;
    const startedAt = now();
    const isDaily = nextDaily(campaign, { ...state, now: startedAt }) <= startedAt;
    // What has changed is read again, once for all campaigns that were told of it at the same time.
    const changed = audienceChangedAt === undefined ? 0 : audienceChangedAt + changesGatheredForMs;
    const { audience, users, unreadable } = await readAudience(deps.sources, campaign, {
      users: isDaily ? sharedForMs : undefined,
      membersSince: Math.max(changed, startedAt - (isDaily ? sharedForMs : dayMs)),
    });
    const at = now();
    const {
      gone: missing,
      joined,
      candidates,
    } = campaign.audience.length === 0
      ? { gone: [], joined: [], candidates: null }
      : audienceChange(campaign, audience, { now: at, takenIn });
    const gone = await seenGone(campaign, missing, { audience, at });
    const isAssigning = campaign.members.some(({ assignment }) => assignment === 'waiting');
    const isHeld = isAssigning && joined.length > 0;
    const leaving = new Set(gone);
    const needing = campaign.members.filter(
      (member) =>
        !isAssigning &&
        state.askedAt > 0 &&
        member.assignment === 'later' &&
        !leaving.has(member.userId) &&
        neededFrom(personOf(member, campaign, at).obligation) <= at,
    );
    const {
      members: entered = [],
      join,
      batch,
    } = (await entering(campaign, isHeld ? [] : joined, needing, users, at)) ?? {};
    const members = entered.filter(({ userId }) => joined.includes(userId));
    const left = campaign.members.filter(({ userId }) => leaving.has(userId));
    return {
      events: [
        ...(left.length === 0 ? [] : [{ kind: 'leave', userIds: gone, at } as const]),
        ...(join ? [join] : []),
        ...(isSameList(candidates, campaign.candidates) ? [] : [{ kind: 'candidates', candidates } as const]),
        ...(unreadable.join() === campaign.unreadable.join()
          ? []
          : [{ kind: 'unreadable', parts: unreadable } as const]),
      ],
      put: batch?.entries ?? [],
      progress: {
        ...(isDaily && { comparedAt: startedAt }),
        audienceChangedAt: isHeld ? (audienceChangedAt ?? at) : undefined,
        takenIn: [
          ...takenIn.filter((one) => at - one.at < atOnceMs),
          ...(members.length === 0 ? [] : [{ at, people: members.length }]),
        ],
        ...(left.length + members.length > 0 && {
          unrecorded: audienceEntries(campaign, { left, joined: members }, at),
        }),
      },
    };
  }

  /**
   * Those of the members who are missing that a second reading does not find either: while people leave, a list that comes in pages
   * can skip somebody who stays.
   */
  async function seenGone(
    campaign: CampaignState['campaign'],
    missing: readonly string[],
    { audience, at }: { audience: AudienceNow; at: number },
  ): Promise<readonly string[]> {
    if (missing.every((userId) => !audience.able.has(userId))) return missing;
    const again = await readAudience(deps.sources, campaign, { users: undefined, membersSince: at });
    const stillMissing = new Set(audienceChange(campaign, again.audience, { now: at, takenIn: [] }).gone);
    return missing.filter((userId) => stillMissing.has(userId));
  }

  /**
   * The members that users become who joined, and those who need the quiz by now, who get it by a batch of the owner where they lack
   * it. Whether those who joined need it is known once the responses are read.
   */
  async function entering(
    campaign: CampaignState['campaign'],
    joined: readonly string[],
    needing: readonly CampaignMember[],
    all: readonly User[],
    at: number,
  ) {
    if (joined.length + needing.length === 0) return undefined;
    const byId = new Map(all.map((user) => [user.user_id, user]));
    const users = joined.flatMap((userId) => byId.get(userId) ?? []);
    const [reached, hasQuiz] = await Promise.all([deps.reach(users), deps.hasQuiz(campaign.quiz.id)]);
    const lacking = needing.flatMap(({ userId }) => byId.get(userId) ?? []).filter((user) => !hasQuiz(user));
    const members = users.map((user) => ({
      ...asMember(user, reached.get(user.user_id), deps.timeZone),
      ...(!hasQuiz(user) && { obligation: null }),
    }));
    const assign = { groups: [], users: lacking.map((user) => ({ id: user.user_id, name: publicName(user) })) };
    const by = { by: campaign.ownerId, approvedBy: approverOf(campaign) };
    return comingIn(
      campaign,
      { members: [...members, ...needing], assign },
      { ...by, at, startBatch: deps.startBatch },
    );
  }
}

/** The entries of the audit trail about what a campaign does by itself. Its ID is their correlation ID. */
export function endEntry(campaign: Campaign, at: number): AuditEntry {
  const groups = groupsOf(campaign, at);
  const { due, failed, overdue, done, expiring } = groups;
  const counts = {
    Members: campaign.members,
    Done: [...done, ...expiring],
    Missing: [...due, ...failed, ...overdue],
    'Can’t be reached': groups['out of reach'],
    'Waiting to be marked': groups.marking,
    Excused: groups.excused,
    'Said it isn’t for them': groups['not me'],
  };
  const details = Object.entries(counts).map(([label, some]) => ({ label, value: some.length.toLocaleString('en') }));
  return entryFor(campaign, at, {
    operation: endCampaign.name,
    // A person may have ended it, who is on the record with that.
    change: `record the end of the campaign for ${named(campaign.quiz.name)}`,
    details,
  });
}

/** Who approved the rule by which it takes people in: with its start, or when they accepted to answer for it. */
function approverOf({ approvedBy, ownerId }: Pick<Campaign, 'approvedBy' | 'ownerId'>): string {
  return approvedBy ?? ownerId;
}

/** In an entry, the first of them are named. */
const namesAtMost = 20;

/** Who came into the audience of a campaign that stands, and who left it, an entry each. The campaign follows it by itself. */
function audienceEntries(
  campaign: Campaign,
  { left, joined }: Record<'left' | 'joined', readonly CampaignMember[]>,
  at: number,
): AuditEntry[] {
  const forQuiz = `the campaign for ${named(campaign.quiz.name)}`;
  const entry = (operation: string, members: readonly CampaignMember[], change: (who: string) => string) => {
    if (members.length === 0) return [];
    const who = namedPeople(members, namesAtMost);
    const details = [{ label: 'People', value: members.length.toLocaleString('en') }];
    return [entryFor(campaign, at, { operation, change: change(who), details, approvedBy: approverOf(campaign) })];
  };
  return [
    ...entry(addToCampaign.name, joined, (who) => `add ${who} to ${forQuiz}, since they joined its audience`),
    ...entry(excuseFromCampaign.name, left, (who) => `release ${who} from ${forQuiz}, since they left its audience`),
  ];
}

function entryFor(
  { id, quiz }: Campaign,
  at: number,
  entry: Required<Pick<AuditEntry, 'operation' | 'change' | 'details'>> & Pick<AuditEntry, 'approvedBy'>,
): AuditEntry {
  return maskAddresses({
    at,
    correlationId: id,
    action: 'done',
    through: 'campaign',
    targets: [{ kind: 'quiz', id: quiz.id, name: quiz.name }],
    ...entry,
  });
}
