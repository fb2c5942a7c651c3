import { namedUser, publicName } from '../../../directory/names.ts';
import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { amount, say } from '../../../domain/said.ts';
import type { User } from '../../../quiz-api/users.ts';
import type { Quiz } from '../../../quiz-api/quizzes.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { partId, type AudiencePart } from '../../../operations/fields/audience.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import type { Entered } from '../../../domain/plan.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { previewOf } from '../../../operations/plans/preview.ts';
import { campaignPlanPage } from '../pages/plan.ts';
import { findOverlaps } from './campaign-now.ts';
import { readSchedule, readStanding, type ScheduleInput } from './schedule-input.ts';
import { countManaged } from './managers-input.ts';
import { canLead } from './can-lead.ts';
import { findWhoTakesPart, type TakingPart } from './who-takes-part.ts';
import { firstMessagesOf } from './first-messages.ts';
import { approvalFor } from './needed-approval.ts';

/** In one campaign. */
const peopleAtMost = 5_000;

/** What a person entered to start a campaign. */
interface CampaignInput extends Omit<ScheduleInput, 'hasLead'> {
  quiz: Quiz;
  to: readonly AudiencePart[];
  except: readonly AudiencePart[];
  /** The first is the one on whose clock its times are shown. */
  leads: readonly User[] | undefined;
  escalatesToManagers: boolean;
  board: Channel | undefined;
  completeWhen: CampaignPlan['completeWhen'] | undefined;
  validity: CampaignPlan['validity'];
  words: string | undefined;
}

/**
 * Works out a campaign. Changes nothing.
 * @throws {InvalidInputError}
 */
export async function planCampaign(
  context: OperationContext<'alerts' | 'campaigns' | 'holidays' | 'managersOf' | 'reach'>,
  input: CampaignInput,
): Promise<CampaignPlan> {
  const { quiz, words } = input;
  const nowMs = context.now();
  const schedule = readSchedule(
    { ...input, hasLead: input.leads !== undefined || input.escalatesToManagers },
    { nowMs, timeZone: zoneOf(context) },
  );
  const standing = readStanding(input, { ...input, holidays: context.holidays });
  const leads = await leadsFor(context, input.leads ?? [], schedule.escalateAfterMs !== undefined);
  const rule = { ...(input.validity && { validity: input.validity }), schedule, lead: leads.lead };
  const found = await findWhoTakesPart(context, quiz, { ...input, ...rule, ...(standing && { standing }) });
  const { completeWhen, members, leftOutIds, collectives } = found;
  if (members.length > peopleAtMost)
    throw new InvalidInputError(
      'to',
      say`These are ${amount(members.length)} people, and a campaign takes ${amount(peopleAtMost)}. Start several.`,
    );
  const userIds = members.map(({ userId }) => userId);
  const [noticedAt, overlaps, managers] = await Promise.all([
    context.campaigns.noticedAt(userIds),
    findOverlaps(context.campaigns, quiz.quiz_id, userIds, nowMs),
    input.escalatesToManagers ? countManaged(members, context.managersOf) : undefined,
  ]);
  return {
    ...planFor(context, found, { ...rule, standing }, { nowMs, noticedAt }),
    quiz: { id: quiz.quiz_id, name: quiz.name },
    completeWhen,
    ...(input.validity && { validity: input.validity }),
    ...leads,
    ...(managers && { escalatesToManagers: true as const, managers }),
    board: input.board
      ? { channelId: input.board.channel_id, showsNames: await showsNames(context, input.board) }
      : null,
    audience: input.to.map(partId),
    leftOutIds,
    ...(standing && { except: input.except.map(partId) }),
    ...(words !== undefined && { words }),
    overlaps,
    ...(collectives && { collectives }),
  };
}

/** The person who starts it, unless another is named. Only people who may see results read who is missing. */
async function leadsFor(
  context: OperationContext<'reach'>,
  [first, ...others]: readonly User[],
  isNeeded: boolean,
): Promise<Pick<CampaignPlan, 'lead' | 'otherLeads'>> {
  const { actor, call } = context;
  if (first === undefined) {
    if (isNeeded && actor.user === undefined)
      throw new InvalidInputError(
        'lead',
        say`You have no user in the quiz account, so name the lead: escalate 3d to @lead.`,
      );
    return { lead: { userId: actor.user?.user_id ?? '', timeZone: zoneOf(context) } };
  }
  const unable = [first, ...others].find((user) => !canLead(user));
  if (unable !== undefined)
    throw new InvalidInputError(
      'lead',
      say`${namedUser(unable, publicName)} can’t see results, and the lead reads who hasn’t taken the quiz. Choose a trainer or administrator who can edit quizzes.`,
    );
  const reached = (await context.reach([first], { call })).get(first.user_id);
  return {
    lead: { userId: first.user_id, timeZone: reached?.timeZone ?? context.timeZone },
    ...(others.length > 0 && { otherLeads: others.map(({ user_id }) => user_id) }),
  };
}

/** A channel that was subscribed with `names off` shows no names. */
export async function showsNames({ alerts }: OperationContext<'alerts'>, { channel_id }: Channel): Promise<boolean> {
  return (await alerts.all()).every(
    ({ subscription }) => subscription.channelId !== channel_id || subscription.showsNames,
  );
}

/** What a plan says of the people who were found: what they get, when, and whether that needs approval. */
export function planFor(
  { visibility, holidays }: OperationContext<'holidays'>,
  { users, members, assign, leftOut, valid, takesMinutes }: TakingPart,
  { standing, schedule, lead }: Pick<CampaignPlan, 'standing' | 'schedule' | 'lead'>,
  setting: { nowMs: number; noticedAt: ReadonlyMap<string, number> },
) {
  return {
    kind: 'campaign' as const,
    ...(standing && { standing }),
    schedule,
    lead,
    ...(takesMinutes !== undefined && { takesMinutes }),
    members,
    assign,
    leftOut,
    ...(valid.length > 0 && { valid }),
    approval: approvalFor(users.map((user) => ({ isTrained: visibility.trains(user) }))),
    assigning: { requests: assign.groups.length + assign.users.length },
    ...firstMessagesOf({ ...(standing && { standing }), schedule, members, lead }, { ...setting, holidays }),
  };
}

/** Keeps the plan of a campaign, and shows what it would do. */
export async function previewCampaign(
  context: OperationContext<'plans'>,
  plan: CampaignPlan,
  entered: Entered | undefined,
  details: Pick<Parameters<typeof campaignPlanPage>[1], 'warning' | 'boardClosed'>,
): Promise<OperationResult> {
  const preview = await previewOf(context, plan, entered);
  const { timeZone, platform } = context;
  return { ...preview, page: campaignPlanPage(plan, { ...preview, ...details, timeZone, platform: platform.name }) };
}
