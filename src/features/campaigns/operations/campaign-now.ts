import type { CampaignPlan } from '../../../domain/campaign.ts';
import { named } from '../../../domain/sentence.ts';
import { NotFoundError } from '../../../quiz-api/errors.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { shortened } from '../../batches/operations/review-rows.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { PlanNow } from '../../../operations/plans/start-plan.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { attemptsOf, progressOf } from '../../results/progress.ts';
import { isComplete } from './who-takes-part.ts';

/**
 * How a planned campaign stands: reads its quiz, the responses to it, and the list of users, however many people there are.
 *
 * @throws {InvalidInputError} where the quiz is gone
 */
export async function campaignNow(
  { api, directory, call }: Pick<OperationContext, 'api' | 'directory' | 'call'>,
  { quiz: planned, members, completeWhen }: CampaignPlan,
  { isDecision }: { isDecision: boolean },
): Promise<PlanNow> {
  const [quiz, responses] = await Promise.all([
    directory.quizzes.read(planned.id, () => api.quizzes.get(planned.id, call)),
    api.responses.list(planned.id, call),
    directory.users.fresh(call, isDecision ? 0 : undefined),
  ]).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    throw new InvalidInputError('plan', `${named(planned.name)} isn’t in the quiz account any more.`);
  });
  const users = await directory.users.names(call);
  const known = members.flatMap(({ userId }) => users.byId(userId) ?? []);
  const attempts = attemptsOf(known, responses);
  const progress = progressOf(known, responses);
  const ofPeople = members.flatMap(({ userId, name }) => {
    const user = users.byId(userId);
    if (user === undefined) return [`${named(name)} isn’t in the quiz account any more.`];
    if (user.suspended) return [`${named(name)} is suspended now.`];
    if (isComplete(attempts.get(userId) ?? [], completeWhen))
      return [`${named(name)} has ${progress.get(userId) === 'passed' ? 'passed' : 'submitted'} it meanwhile.`];
    return [];
  });
  const isRenamed = quiz.name !== planned.name;
  return {
    privileged: [],
    changes: shortened([
      ...(isRenamed ? [`The quiz ${named(planned.name)} is called ${named(quiz.name)} now.`] : []),
      ...ofPeople,
    ]),
    warning: assignmentWarning(quiz),
    ...(quiz.status === 'closed' && {
      obstacle: `${named(quiz.name)} is closed, so a campaign for it can’t be approved until it’s open.`,
    }),
  };
}
