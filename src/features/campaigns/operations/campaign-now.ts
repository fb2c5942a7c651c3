import type { CampaignPlan, CampaignOverlap } from '../../../domain/campaign-plan.ts';
import { named, namedPerson } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { NotFoundError } from '../../../quiz-api/errors.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { shortened } from '../../batches/operations/review-rows.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { momentInWords } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { PlanNow } from '../../../operations/plans/start-plan.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { attemptsOf } from '../../../directory/whose-attempt.ts';
import { progressOf } from '../../results/progress.ts';
import { firstMessagesIfStartedNow } from './first-messages.ts';
import { lateWords, overlapWords } from './campaign-words.ts';
import { obligationWith } from './who-takes-part.ts';
import { isOpen, openPeople } from '../../../obligations/people.ts';
import type { CampaignService } from '../../../operations/services/campaigns.ts';

/**
 * How a planned campaign stands: reads its quiz, the responses to it, and the list of users, however many people there are.
 *
 * @throws {InvalidInputError} where the quiz is gone, and after the due time
 */
export async function campaignNow(
  context: OperationContext,
  plan: CampaignPlan,
  { isDecision }: { isDecision: boolean },
): Promise<PlanNow> {
  const { api, directory, call } = context;
  const { draft, members } = plan;
  const { quiz: planned } = draft;
  refuseOverdue(context, plan);
  const [quiz, responses, all] = await Promise.all([
    directory.quizzes.read(planned.id, () => api.quizzes.get(planned.id, call)),
    api.responses.list(planned.id, call),
    directory.users.fresh(call, isDecision ? 0 : undefined),
  ]).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new InvalidInputError('plan', say`${named(planned.name)} isn’t in the quiz account any more.`);
  });
  const users = await directory.users.names(call);
  const attempts = attemptsOf(all, responses);
  const progress = progressOf(all, responses);
  const ofPeople = members.flatMap((member) => {
    const { userId } = member;
    const user = users.byId(userId);
    if (user === undefined) return [say`${namedPerson(member)} isn’t in the quiz account any more.`];
    if (user.suspended) return [say`${namedPerson(member)} is suspended now.`];
    const isNews = draft.rule.standing === null || isOpen(member.obligation);
    if (isNews && obligationWith(attempts.get(userId) ?? [], draft, context.now()).state === 'done')
      return [
        progress.get(userId) === 'passed'
          ? say`${namedPerson(member)} has passed it meanwhile.`
          : say`${namedPerson(member)} has submitted it meanwhile.`,
      ];
    return [];
  });
  const isRenamed = quiz.name !== planned.name;
  return {
    privileged: [],
    changes: shortened([
      ...(isRenamed ? [say`The quiz ${named(planned.name)} is called ${named(quiz.name)} now.`] : []),
      ...ofPeople,
      ...(await aboutMessages(context, plan, isDecision)),
    ]),
    warning: assignmentWarning(quiz),
    ...(quiz.status === 'closed' && {
      obstacle: say`${named(quiz.name)} is closed, so a campaign for it can’t be approved until it’s open.`,
    }),
  };
}

function refuseOverdue(context: OperationContext, { draft }: CampaignPlan): void {
  const nowMs = context.now();
  const { dueAt } = draft.rule;
  if (dueAt === null || dueAt > nowMs) return;
  const due = momentInWords(dueAt, { nowMs, timeZone: zoneOf(context) });
  throw new InvalidInputError('plan', say`The due time, ${due}, is over. Press “Change…” and choose a later one.`);
}

/** What other campaigns have changed since the preview. A person who decides on it has not read the preview. */
async function aboutMessages(context: OperationContext, plan: CampaignPlan, isDecision: boolean): Promise<string[]> {
  const { lateNames } = await firstMessagesIfStartedNow(context, plan);
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

/** The campaigns that run for a quiz and in which some of these users have to take it, the latest first. */
export async function findOverlaps(
  campaigns: Pick<CampaignService, 'all' | 'byId'>,
  quizId: string,
  userIds: readonly string[],
  now: number,
): Promise<CampaignOverlap[]> {
  const wanted = new Set(userIds);
  const running = (await campaigns.all()).filter(({ quiz, endedAt }) => quiz.id === quizId && endedAt === null);
  const found = await Promise.all(running.map(({ id }) => campaigns.byId(id)));
  return found.flatMap((campaign) => {
    if (campaign === undefined || campaign.endedAt !== null) return [];
    const { id, ownerId, rule } = campaign;
    const people = openPeople(campaign, now).filter(({ member }) => wanted.has(member.userId)).length;
    return people === 0 ? [] : [{ campaignId: id, ownerId, dueAt: rule.dueAt, people }];
  });
}
