import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { momentInWords } from '../../../operations/dates/typed-time.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { startOperation, viewOperation } from '../../../operations/plans/start-plan.ts';
import type { AudiencePart } from '../../../operations/fields/audience.ts';
import { say } from '../../../domain/said.ts';
import { plannedPeoplePage } from '../pages/plan.ts';
import { addPeople } from './add.ts';
import { campaignNow } from './campaign-now.ts';
import { campaignStatus } from '../../quizzes/running-campaigns.ts';
import { firstMessagesIfStartedNow, firstMessagesWords } from './first-messages.ts';
import { viewStep } from './list-and-show.ts';
import { joining } from './standing-campaign.ts';
import { refuseWhileAssigning } from './take-in.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { DoneResult } from '../../../operations/operation-result.ts';
import { named, namedPeople } from '../../../domain/sentence.ts';
import { onOneLine } from '../../../domain/short-name.ts';
import { backgroundDurationMs } from '../../../quiz-api/budget/rate-windows.ts';
import { zoneWords } from '../../../operations/subscription-words.ts';
import { lackingWords, peopleWords, reminderWords, withinWords } from './campaign-words.ts';
import { roughDuration } from '../../../operations/wording/rough-duration.ts';

export const runCampaign = startOperation<CampaignPlan>({
  name: 'run-campaign',
  command: '/quiz-campaign run <plan>',
  summary: 'Start a campaign as its preview shows it',
  title: say`Start a campaign`,
  right: 'edit_quizzes',
  rules: [
    { name: 'starting a campaign for more than 100 people', when: ({ approval }) => approval === 'many people' },
    { name: 'starting a campaign for people whom the person doesn’t train', when: ({ approval }) => approval !== null },
    { name: 'every other change of a campaign' },
  ],
  of: 'campaign',
  label: 'Campaign',
  action: ({ draft: { quiz }, members, into }) =>
    into === null
      ? say`start a campaign for ${named(quiz.name)} with ${peopleWords(members.length)}`
      : say`take ${peopleWords(members.length)} into the campaign for ${named(quiz.name)}`,
  effect: proposedCampaign,
  now: campaignNow,
  async start(context, plan, by) {
    // Afterwards, its own messages would be those of another campaign.
    const first = await firstInWords(context, plan);
    if (plan.into !== null) return takeInPlanned(context, plan, plan.into, by, first);
    const campaign = await context.campaigns.start(plan, by, context.approval?.by ?? null);
    if (!campaign.isNew) return joinOther(context, plan, campaign.id);
    return {
      kind: 'done',
      message: startedMessage(plan, first),
      next: [viewStep(campaign.id)],
    };
  },
});

/** @throws {InvalidInputError} where the campaign is over */
async function takeInPlanned(
  { campaigns }: OperationContext,
  plan: CampaignPlan,
  into: string,
  by: string,
  first: string | undefined,
): Promise<DoneResult> {
  const campaign = await campaigns.byId(into);
  if (campaign === undefined || campaign.endedAt !== null) throw new InvalidInputError('plan', overMessage(plan));
  refuseWhileAssigning(campaign, 'plan');
  await campaigns.takeIn(campaign, plan, by);
  return { kind: 'done', message: takenInMessage(plan, first), next: [viewStep(campaign.id)] };
}

/**
 * Another campaign stands for what the plan asks for, which was started meanwhile. What was approved is made: these people come into
 * one with this rule. Everybody else is offered it, since adding to it can need approval.
 *
 * @throws {InvalidInputError} where it is over
 */
async function joinOther(context: OperationContext, plan: CampaignPlan, campaignId: string): Promise<DoneResult> {
  const campaign = await context.campaigns.byId(campaignId);
  if (campaign === undefined || campaign.endedAt !== null) throw new InvalidInputError('plan', overMessage(plan));
  const users = await context.directory.users.names(context.call);
  const people = plan.members.flatMap(({ userId }): AudiencePart[] => {
    const user = users.byId(userId);
    return user ? [{ kind: 'user', user, people: [{ userId, isTrained: context.visibility.trains(user) }] }] : [];
  });
  return context.approval ? addPeople(context, { people, campaign }) : joining(campaign, people, context.now());
}

/** Where the reader’s clock isn’t known, moments are in the time zone of the lead. */
function proposedCampaign(plan: CampaignPlan, nowMs: number): string {
  const { draft, members, assign, assigning, into } = plan;
  const { rule, timeZone, words } = draft;
  const { standing, dueAt } = rule;
  const lacking = lackingWords(assign);
  const due =
    standing !== null && into !== null
      ? say`They would have it due ${withinWords(standing)}, unless a pass of theirs counts.`
      : standing !== null
        ? say`It would run until someone ends it, and be due ${withinWords(standing)}.`
        : dueAt === null
          ? say`It would have no due time.`
          : say`It would be due ${momentInWords(dueAt, { nowMs, timeZone, zone: zoneWords(timeZone) })}.`;
  return [
    say`A message would go to ${peopleWords(members.length)}: ${namedPeople(members)}.`,
    due,
    ...(words === null ? [] : [say`In the words of the person who starts it: “${onOneLine(words)}”.`]),
    ...reminderWords(rule, nowMs).map((reminders) => say`Reminders would go out ${reminders}.`),
    ...(lacking === undefined
      ? []
      : [
          say`${lacking} would get the quiz first, which takes ${roughDuration(backgroundDurationMs(assigning.requests))}.`,
        ]),
    ...(rule.board === null || into !== null ? [] : [say`A message in a channel would show who has taken it.`]),
  ].join(' ');
}

/** @param first when the first messages go out, in words; undefined where nobody gets one */
export function startedMessage(
  { draft: { quiz }, members, assigning }: CampaignPlan,
  first: string | undefined,
): string {
  return [
    say`Started a campaign for ${named(quiz.name)} with ${peopleWords(members.length)}.`,
    ...assigningWords(assigning),
    first === undefined
      ? say`Nobody in it can be reached by direct message.`
      : say`The first messages go out ${first}.`,
  ].join(' ');
}

/** @param first as above */
export function takenInMessage(
  { draft: { quiz }, members, assigning }: CampaignPlan,
  first: string | undefined,
): string {
  return [
    say`Took ${peopleWords(members.length)} into the campaign for ${named(quiz.name)}.`,
    ...assigningWords(assigning),
    ...(first === undefined ? [] : [say`The first messages go out ${first}.`]),
  ].join(' ');
}

function assigningWords({ requests }: CampaignPlan['assigning']): string[] {
  return requests === 0 ? [] : [say`Everyone will have the quiz in ${roughDuration(backgroundDurationMs(requests))}.`];
}

function overMessage({ draft: { quiz } }: Pick<CampaignPlan, 'draft'>): string {
  return say`The campaign for ${named(quiz.name)} is over, so nobody can be taken in. Start another one.`;
}

/** When the first messages go out, in words; undefined where nobody gets one. */
async function firstInWords(context: OperationContext, plan: CampaignPlan): Promise<string | undefined> {
  const nowMs = context.now();
  const quiz = (await context.directory.quizzes.names(context.call)).byId(plan.draft.quiz.id);
  const isHeld = quiz !== undefined && campaignStatus(quiz) !== 'open';
  const words = firstMessagesWords(await firstMessagesIfStartedNow(context, plan), {
    nowMs,
    timeZone: zoneOf(context),
  });
  return words !== undefined && isHeld ? say`once the quiz is open` : words;
}

export const showPlan = viewOperation<CampaignPlan>({
  name: 'show-plan',
  command: '/quiz-campaign preview <plan>',
  summary: 'Show everyone in the preview of a campaign',
  title: say`Preview`,
  right: 'edit_quizzes',
  of: 'campaign',
  label: 'Campaign',
  page: plannedPeoplePage,
});
