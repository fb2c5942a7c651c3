import { say } from '../../domain/said.ts';
import type { NamedList } from '../../directory/named-list.ts';
import { named } from '../../domain/sentence.ts';
import type { ResultWait, StepEnding } from '../../domain/workflow.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { User } from '../../quiz-api/users.ts';

/** What of these waits is not in the quiz account any more, by IDs. @throws a `QuizApiError` where the service cannot be asked */
export type FindGone = (
  waits: readonly Pick<ResultWait, 'quizId' | 'userId'>[],
) => Promise<{ users: ReadonlySet<string>; quizzes: ReadonlySet<string> }>;

type List<Item> = Pick<NamedList<Item>, 'get' | 'fresh'>;

/**
 * Looks in the lists of the account, and reads a list anew that lacks something: it can be older than a user. To a question about
 * one thing that is gone, some accounts answer with a page, as they do while they are down.
 */
export function createFindGone({ users, quizzes }: { users: List<User>; quizzes: List<Quiz> }): FindGone {
  return async (waits) => ({
    users: await goneOf(
      waits.map(({ userId }) => userId),
      users,
      ({ user_id }) => user_id,
    ),
    quizzes: await goneOf(
      waits.map(({ quizId }) => quizId),
      quizzes,
      ({ quiz_id }) => quiz_id,
    ),
  });
}

async function goneOf<Item>(
  ids: readonly string[],
  list: List<Item>,
  idOf: (item: Item) => string,
): Promise<ReadonlySet<string>> {
  const call = { priority: 'background' } as const;
  const missing = new Set(ids).difference(new Set((await list.get(call)).map(idOf)));
  return missing.size === 0 ? missing : missing.difference(new Set((await list.fresh(call)).map(idOf)));
}

/** How a wait ends whose user or quiz is gone; undefined where both are there. */
export function endingWithout(
  { userId, quizId, names }: ResultWait,
  gone: Awaited<ReturnType<FindGone>>,
): StepEnding | undefined {
  const [isUserGone, isQuizGone] = [gone.users.has(userId), gone.quizzes.has(quizId)];
  if (!isUserGone && !isQuizGone) return undefined;
  return { kind: 'error', message: goneMessage(names && named(isUserGone ? names.user : names.quiz), isUserGone) };
}

function goneMessage(name: string | undefined, isUser: boolean): string {
  if (name !== undefined) return say`${name} isn’t in the quiz account any more, so there’s no result to wait for.`;
  return isUser
    ? say`The person isn’t in the quiz account any more, so there’s no result to wait for.`
    : say`The quiz isn’t in the quiz account any more, so there’s no result to wait for.`;
}
