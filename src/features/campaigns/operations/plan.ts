import { markedName, namedUser, publicName } from '../../../directory/names.ts';
import type { Rule } from '../../../domain/campaign.ts';
import type {
  CampaignDraft,
  CampaignPlan,
  PlannedManagers,
  PlannedMember,
  CampaignOverlap,
} from '../../../domain/campaign-plan.ts';
import { amount, say } from '../../../domain/said.ts';
import type { User, Quiz } from '../../../quiz-api/records.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { zoneOf } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { partId, type AudiencePart } from '../../../operations/fields/people.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { readSchedule, readStanding, type ScheduleInput } from './schedule-input.ts';
import { canLead, findWhoTakesPart, approvalFor, type TakingPart } from './who-takes-part.ts';
import type { ManagersOf } from '../../../domain/managers.ts';
import { openPeople } from '../../../obligations/people.ts';
import type { CampaignService } from '../../../operations/services/features.ts';
import { runningAmong } from '../../../operations/fields/campaign.ts';
import { firstMessagesOf } from './first-messages.ts';

/** In one campaign. */
const peopleAtMost = 5_000;

/** What a person entered to start a campaign. */
interface CampaignInput extends Omit<ScheduleInput, 'hasLead'> {
  quiz: Quiz;
  to: readonly AudiencePart[];
  except?: readonly AudiencePart[] | undefined;
  /** The first is the one on whose clock its times are shown. */
  lead?: readonly User[] | undefined;
  toManagers?: boolean;
  board?: Channel | undefined;
  completeWhen?: Rule['completeWhen'] | undefined;
  valid?: Exclude<Rule['validity'], null> | undefined;
  words?: string | undefined;
}

/**
 * Works out a campaign. Changes nothing.
 * @throws {InvalidInputError}
 */
export async function planCampaign(context: OperationContext, input: CampaignInput): Promise<CampaignPlan> {
  const { quiz, to, except = [], valid: validity = null, board: channel, toManagers = false } = input;
  const nowMs = context.now();
  const setting = { nowMs, timeZone: zoneOf(context) };
  const schedule = readSchedule({ ...input, hasLead: input.lead !== undefined || toManagers }, setting);
  const standing = readStanding(input, { validity, holidays: context.holidays });
  const leads = await leadsFor(context, input.lead ?? [], schedule.escalateAfterMs !== null);
  const board = channel ? { channelId: channel.channel_id, showsNames: await showsNames(context, channel) } : null;
  const rule = { ...schedule, validity, standing, toManagers, board, completeWhen: input.completeWhen };
  const found = await findWhoTakesPart(context, quiz, { rule, timeZone: leads.timeZone, to, except });
  if (found.members.length > peopleAtMost)
    throw new InvalidInputError(
      'to',
      say`These are ${amount(found.members.length)} people, and a campaign takes ${amount(peopleAtMost)}. Start several.`,
    );
  return {
    ...(await planFor(context, found, {
      ...leads,
      quiz: { id: quiz.quiz_id, name: quiz.name },
      rule: found.rule,
      audience: to.map(partId),
      leftOut: found.leftOutIds,
      except: standing ? except.map(partId) : [],
      words: input.words ?? null,
      takesMinutes: found.takesMinutes,
    })),
    managers: toManagers ? await countManaged(found.members, context.managersOf) : null,
    leadNames: (input.lead ?? []).map(markedName),
    collectives: found.collectives,
  };
}

/** The person who starts it, unless another is named. Only people who may see results read who is missing. */
async function leadsFor(context: OperationContext, [first, ...others]: readonly User[], isNeeded: boolean) {
  const { actor, call } = context;
  if (first === undefined) {
    if (isNeeded && actor.user === undefined)
      throw new InvalidInputError(
        'lead',
        say`You have no user in the quiz account, so name the lead: escalate 3d to @lead.`,
      );
    return { leads: actor.user ? [actor.user.user_id] : [], timeZone: zoneOf(context) };
  }
  const unable = [first, ...others].find((user) => !canLead(user));
  if (unable !== undefined)
    throw new InvalidInputError(
      'lead',
      say`${namedUser(unable, publicName)} can’t see results, and the lead reads who hasn’t taken the quiz. Choose a trainer or administrator who can edit quizzes.`,
    );
  const reached = (await context.reach([first], { call })).get(first.user_id);
  return {
    leads: [first, ...others].map(({ user_id }) => user_id),
    timeZone: reached?.timeZone ?? context.timeZone,
  };
}

/** A channel that was subscribed with `names off` shows no names. */
export async function showsNames({ alerts }: OperationContext, { channel_id }: Channel): Promise<boolean> {
  return (await alerts.all()).every(
    ({ subscription }) => subscription.channelId !== channel_id || subscription.showsNames,
  );
}

/** The plan of a draft with the people who were found: what they get, when, and whether that needs approval. */
export async function planFor(
  { visibility, holidays, campaigns, now }: OperationContext,
  { users, members, assign, leftOut, valid }: TakingPart,
  draft: CampaignDraft,
): Promise<CampaignPlan> {
  const nowMs = now();
  const userIds = members.map(({ userId }) => userId);
  const [noticedAt, overlaps] = await Promise.all([
    campaigns.noticedAt(userIds),
    findOverlaps(campaigns, draft.quiz.id, userIds, nowMs),
  ]);
  return {
    kind: 'campaign',
    draft,
    into: null,
    isOnlyOne: false,
    managers: null,
    leadNames: [],
    collectives: null,
    members,
    assign,
    leftOut,
    valid,
    overlaps,
    approval: approvalFor(users.map((user) => ({ isTrained: visibility.trains(user) }))),
    ...firstMessagesOf({ draft, members }, { nowMs, holidays, noticedAt }),
  };
}

/** How many of these people have a manager on the platform. */
async function countManaged(
  members: readonly Pick<PlannedMember, 'personId'>[],
  managersOf: ManagersOf,
): Promise<PlannedManagers> {
  const personIds = members.flatMap(({ personId }) => personId ?? []);
  const { managers, problem } = await managersOf(personIds);
  const known = personIds.filter((personId) => managers.has(personId));
  const managed = known.filter((personId) => managers.get(personId) !== null).length;
  return {
    managed,
    unmanaged: members.length - personIds.length + known.length - managed,
    unknown: personIds.length - known.length,
    problem,
  };
}

/** The campaigns that run for a quiz and in which some of these users have to take it, the latest first. */
export async function findOverlaps(
  campaigns: CampaignService,
  quizId: string,
  userIds: readonly string[],
  now: number,
): Promise<CampaignOverlap[]> {
  const wanted = new Set(userIds);
  const ofQuiz = (await campaigns.all()).filter(({ quiz }) => quiz.id === quizId);
  return (await runningAmong(ofQuiz, campaigns)).flatMap((campaign) => {
    const { id: campaignId, ownerId } = campaign;
    const people = openPeople(campaign, now).filter(({ member }) => wanted.has(member.userId));
    const dueTimes = people.map(({ obligation }) => obligation.dueAt ?? Infinity);
    const first = Math.min(...dueTimes);
    const dueAt = first === Infinity ? null : first;
    const isFirst = dueTimes.some((at) => at > first);
    return people.length === 0
      ? []
      : [{ campaignId, ownerId, dueAt, ...(isFirst && { isFirst }), people: people.length }];
  });
}
