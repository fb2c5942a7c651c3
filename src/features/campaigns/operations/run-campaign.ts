import { isNotFound } from '../../../quiz-api/errors.ts';
import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import { zoneOf, momentInWords } from '../../../operations/dates/typed-time.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { definePlan, type PlanNow } from '../../../operations/define-plan.ts';
import { invalid } from '../../../operations/fields/field-kind.ts';
import type { AudiencePart } from '../../../operations/fields/people.ts';
import { amount, say, sentences, named, namedPeople, namedPerson, onOneLine } from '../../../domain/said.ts';
import { campaignPlanPage, plannedPeople } from '../pages/plan.ts';
import { addPeople, refuseWhileAssigning } from './add.ts';
import { campaignStatus } from '../../quizzes/running-campaigns.ts';
import { firstMessagesWords, isWrittenTo, messagesDueNow } from './first-messages.ts';
import { viewStep } from './list-and-show.ts';
import { joining } from './start-campaign.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { made, unchanged, type DoneResult } from '../../../operations/page.ts';
import { zoneWords } from '../../../operations/fields/subscription.ts';
import {
  lackingWords,
  peopleWords,
  withinWords,
  lateWords,
  overlapWords,
  reminderWords,
  assigningDuration,
  assigningWords,
} from '../pages/words.ts';
import { shortened } from '../../batches/operations/control-batch.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { attemptsOf } from '../../../directory/whose-attempt.ts';
import { progressOf } from '../../results/respondents.ts';
import { judgedFor, obligationWith } from './who-takes-part.ts';
import { isOpen } from '../../../obligations/people.ts';
import { findOverlaps } from './plan.ts';

export const runCampaign = definePlan<CampaignPlan>({
  kind: 'campaign',
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
  label: 'Campaign',
  isEmpty: ({ members }) => members.length === 0,
  describe: ({ draft: { quiz }, members }) => `${quiz.name}, ${peopleWords(members.length)}`,
  targets: ({ draft: { quiz } }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  async judge(content, context) {
    if (!context.visibility.quiz({ quiz_id: content.draft.quiz.id }))
      return invalid(say`You can’t see this quiz any more.`);
    return judgedFor(content, content.members, context);
  },
  page: campaignPlanPage,
  whole: plannedPeople,
  startedMessage: say`This campaign was started already. /quiz-campaign list shows it.`,
  action: ({ draft: { quiz }, members, into }) =>
    into === null
      ? say`start a campaign for ${named(quiz.name)} with ${peopleWords(members.length)}`
      : say`take ${peopleWords(members.length)} into the campaign for ${named(quiz.name)}`,
  effect: proposedCampaign,
  now: campaignNow,
  async start(context, planned, by) {
    const { plan, others } = await judgedNow(context, planned);
    if (plan.members.length === 0)
      return unchanged(sentences([say`Nobody is left to take part.`, ...othersWords(others)]));
    // Afterwards, its own messages would be those of another campaign.
    const first = await firstInWords(context, plan);
    if (plan.into !== null) {
      const known = await runningCampaign(context, plan, plan.into);
      refuseWhileAssigning(known, 'plan');
      await context.campaigns.takeIn(known, { ...plan, areNamed: false }, by);
      return made(takenInMessage(plan, { first, others }), [viewStep(known.id)]);
    }
    const campaign = await context.campaigns.start(plan, by, context.approval?.by ?? null);
    if (!campaign.isNew) return joinOther(context, plan, campaign.id);
    return made(startedMessage(plan, { first, others }), [viewStep(campaign.id)]);
  },
});

/** The campaign that people of a plan are taken into. @throws {InvalidInputError} where it is over */
async function runningCampaign({ campaigns }: OperationContext, { draft: { quiz } }: CampaignPlan, id: string) {
  const campaign = await campaigns.byId(id);
  if (campaign === undefined || campaign.endedAt !== null)
    throw new InvalidInputError(
      'plan',
      say`The campaign for ${named(quiz.name)} is over, so nobody can be taken in. Start another one.`,
    );
  return campaign;
}

/**
 * Another campaign stands for what the plan asks for, which was started meanwhile. What was approved is made: these people come into
 * one with this rule. Everybody else is offered it, since adding to it can need approval.
 *
 * @throws {InvalidInputError} where it is over
 */
async function joinOther(context: OperationContext, plan: CampaignPlan, campaignId: string): Promise<DoneResult> {
  const campaign = await runningCampaign(context, plan, campaignId);
  const users = await context.directory.users.names(context.call);
  const people = plan.members.flatMap(({ userId }): AudiencePart[] => {
    const user = users.byId(userId);
    return user ? [{ kind: 'user', user, people: [{ userId, isTrained: context.visibility.trains(user) }] }] : [];
  });
  return context.approval ? addPeople(context, { people, campaign }) : joining(campaign, people, context.now());
}

/** Where the reader’s clock isn’t known, moments are in the time zone of the lead. */
function proposedCampaign(plan: CampaignPlan, nowMs: number): string {
  const { draft, members, assign, into } = plan;
  const { rule, timeZone, words } = draft;
  const { standing, dueAt } = rule;
  const lacking = lackingWords(assign);
  const reminders = reminderWords(rule, nowMs);
  const asked = members.filter(isWrittenTo);
  const others = members.length - asked.length;
  const due =
    standing !== null && into !== null
      ? say`They would have it due ${withinWords(standing)}, unless a pass of theirs counts.`
      : standing !== null
        ? say`It would run until someone ends it, and be due ${withinWords(standing)}.`
        : dueAt === null
          ? say`It would have no due time.`
          : say`It would be due ${momentInWords(dueAt, { nowMs, timeZone, zone: zoneWords(timeZone) })}.`;
  return sentences([
    asked.length === 0
      ? say`No message would go out now.`
      : say`A message would go to ${peopleWords(asked.length)}: ${namedPeople(asked)}.`,
    asked.length > 0 && others > 0 && say`${peopleWords(others)} would get none now.`,
    due,
    words !== null && say`In the words of the person who starts it: “${onOneLine(words)}”.`,
    reminders !== undefined && say`Reminders would go out ${reminders}.`,
    lacking !== undefined && say`${lacking} would get the quiz first, which takes ${assigningDuration(assign)}.`,
    rule.board !== null && into === null && say`A message in a channel would show who has taken it.`,
  ]);
}

/** What is said of the people of a plan when it starts. */
interface Told {
  /** When the first messages go out, in words; undefined where nobody gets one. */
  first: string | undefined;
  /** Why others of the preview do not take part, in sentences. */
  others?: readonly string[];
}

export function startedMessage(
  { draft: { quiz }, members, assign }: CampaignPlan,
  { first, others = [] }: Told,
): string {
  return sentences([
    say`Started a campaign for ${named(quiz.name)} with ${peopleWords(members.length)}.`,
    assigningWords(assign),
    first === undefined
      ? members.some(({ personId }) => personId !== null)
        ? say`Nobody has to take it now, so no messages go out yet.`
        : say`Nobody in it can be reached by direct message.`
      : say`The first messages go out ${first}.`,
    ...othersWords(others),
  ]);
}

export function takenInMessage(
  { draft: { quiz }, members, assign }: CampaignPlan,
  { first, others = [] }: Told,
): string {
  return sentences([
    say`Took ${peopleWords(members.length)} into the campaign for ${named(quiz.name)}.`,
    assigningWords(assign),
    first !== undefined && say`The first messages go out ${first}.`,
    ...othersWords(others),
  ]);
}

function othersWords(others: readonly string[]): string[] {
  return others.length === 0 ? [] : [say`Left out since the preview: ${amount(others.length)}.`, ...shortened(others)];
}

/** When the first messages go out, in words; undefined where nobody gets one. */
async function firstInWords(context: OperationContext, plan: CampaignPlan): Promise<string | undefined> {
  const nowMs = context.now();
  const quiz = (await context.directory.quizzes.names(context.call)).byId(plan.draft.quiz.id);
  const isHeld = quiz !== undefined && campaignStatus(quiz) !== 'open';
  const words = firstMessagesWords(await messagesDueNow(context, plan), {
    nowMs,
    timeZone: zoneOf(context),
  });
  return words !== undefined && isHeld ? say`once the quiz is open` : words;
}

/**
 * How a planned campaign stands: reads its quiz, the responses to it, and the list of users, however many people there are.
 *
 * @throws {InvalidInputError} where the quiz is gone, and after the due time
 */
async function campaignNow(
  context: OperationContext,
  plan: CampaignPlan,
  { isDecision }: { isDecision: boolean },
): Promise<PlanNow> {
  const { quiz: planned } = plan.draft;
  refuseOverdue(context, plan, isDecision);
  const { quiz, changed } = await readNow(context, plan, isDecision ? 0 : undefined);
  const isRenamed = quiz.name !== planned.name;
  return {
    privileged: [],
    changes: shortened([
      ...(isRenamed ? [say`The quiz ${named(planned.name)} is called ${named(quiz.name)} now.`] : []),
      ...changed.map(({ words }) => words),
      ...(await aboutMessages(context, plan, isDecision)),
    ]),
    warning: assignmentWarning(quiz),
    obstacle:
      quiz.status === 'closed'
        ? say`${named(quiz.name)} is closed, so a campaign for it can’t be approved until it’s open.`
        : undefined,
  };
}

/**
 * The plan with the people who take part as the account is now, and why each of the others does not, in sentences. Where a campaign
 * stands, who has passed takes part, too.
 */
async function judgedNow(context: OperationContext, plan: CampaignPlan) {
  const { draft, members, assign } = plan;
  const { changed } = await readNow(context, plan);
  const out = changed.filter(({ isAway }) => isAway || draft.rule.standing === null);
  if (out.length === 0) return { plan, others: [] };
  const outIds = new Set(out.map(({ userId }) => userId));
  return {
    plan: {
      ...plan,
      draft: { ...draft, leftOut: [...draft.leftOut, ...outIds] },
      members: members.filter(({ userId }) => !outIds.has(userId)),
      assign: { ...assign, users: assign.users.filter(({ id }) => !outIds.has(id)) },
    },
    others: out.map(({ words }) => words),
  };
}

/** What has changed about the people of a plan since its preview. `isAway`: they cannot take any quiz. */
async function readNow({ api, directory, call, now }: OperationContext, plan: CampaignPlan, maxAgeMs?: number) {
  const { draft, members } = plan;
  const { id, name } = draft.quiz;
  const [quiz, responses, all] = await Promise.all([
    directory.quizzes.read(id, () => api.quizzes.get(id, call)),
    api.responses.list(id, call),
    directory.users.fresh(call, maxAgeMs),
  ]).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw new InvalidInputError('plan', say`${named(name)} isn’t in the quiz account any more.`);
  });
  const users = await directory.users.names(call);
  const attempts = attemptsOf(all, responses);
  const progress = progressOf(all, responses);
  const changed = members.flatMap((member) => {
    const { userId } = member;
    const user = users.byId(userId);
    if (user === undefined)
      return [{ userId, isAway: true, words: say`${namedPerson(member)} isn’t in the quiz account any more.` }];
    if (user.suspended) return [{ userId, isAway: true, words: say`${namedPerson(member)} is suspended now.` }];
    const isNews = draft.rule.standing === null || isOpen(member.obligation);
    if (!isNews || obligationWith(attempts.get(userId) ?? [], draft, now()).state !== 'done') return [];
    const words =
      progress.get(userId) === 'passed'
        ? say`${namedPerson(member)} has passed it meanwhile.`
        : say`${namedPerson(member)} has submitted it meanwhile.`;
    return [{ userId, isAway: false, words }];
  });
  return { quiz, changed };
}

function refuseOverdue(context: OperationContext, { draft }: CampaignPlan, isDecision: boolean): void {
  const nowMs = context.now();
  const { dueAt } = draft.rule;
  if (dueAt === null || dueAt > nowMs) return;
  const due = momentInWords(dueAt, { nowMs, timeZone: zoneOf(context) });
  throw new InvalidInputError(
    'plan',
    isDecision
      ? say`The due time, ${due}, is over. The requester can choose a later one.`
      : say`The due time, ${due}, is over. Press “Change…” and choose a later one.`,
  );
}

/** What other campaigns have changed since the preview. A person who decides on it has not read the preview. */
async function aboutMessages(context: OperationContext, plan: CampaignPlan, isDecision: boolean): Promise<string[]> {
  const { lateNames } = await messagesDueNow(context, plan);
  const overlaps = await findOverlaps(
    context.campaigns,
    plan.draft.quiz.id,
    plan.members.map(({ userId }) => userId),
    context.now(),
  );
  const isShown = (id: string) => plan.overlaps.some(({ campaignId }) => campaignId === id);
  const isKnownLate = !isDecision && lateNames.every((name) => plan.lateNames.includes(name));
  const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
  return [
    ...overlaps
      .filter(({ campaignId }) => isDecision || !isShown(campaignId))
      .map((overlap) => overlapWords(overlap, setting)),
    ...(lateNames.length === 0 || isKnownLate ? [] : [lateWords(lateNames)]),
  ];
}
