import type { Quiz, QuizResult, UserWithResults, User } from '../../quiz-api/records.ts';
import { createRecent, forEachAtOnce } from '../../time/timers.ts';
import { isSubmitted, submittedMs, type QuizResponse } from '../../quiz-api/responses.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Directory } from '../../directory/directory.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { AssignedQuizzes } from './own-quizzes.ts';
import { isAttemptOf } from '../results/respondents.ts';

type Context = Pick<OperationContext, 'api' | 'directory' | 'call'>;

/** A list of responses costs a request. */
const listsAtMost = 20;
const listsAtOnce = 4;

/**
 * Gathers the quizzes assigned to a user or to one of their groups, with every attempt.
 *
 * The single-user call returns the last attempt at each directly assigned quiz that the user signed in for. The lists of responses
 * have the others, and all attempts at quizzes of the user’s groups.
 *
 * @param takeLink where the reader is the user: the address of a quiz
 */
export async function assignedQuizzesOf(
  user: UserWithResults,
  context: Context,
  takeLink?: OperationContext['takeLink'],
): Promise<AssignedQuizzes> {
  const listed = await context.directory.quizzes.get(context.call);
  const statusOf = new Map(listed.map(({ quiz_id, status }) => [quiz_id, status]));
  const isOpen = ({ quiz_id }: Pick<Quiz, 'quiz_id'>) => (statusOf.get(quiz_id) ?? 'open') === 'open';

  const direct = [...new Map(user.quizzes.map((quiz) => [quiz.quiz_id, quiz])).values()];
  const isComplete = await readQuizzesOfGroups(user, context);
  const throughGroups = quizzesOfGroups(user, listed, context);
  const wanted = openFirst([...throughGroups, ...direct.filter(mayHaveOthers)], isOpen).slice(0, listsAtMost);
  const attempts = await readAttempts(user, wanted, context);

  const readThroughGroups = throughGroups.filter(({ quiz_id }) => attempts.has(quiz_id));
  const quizzes = [...direct, ...readThroughGroups.map(notTaken)].map((quiz) => {
    const [last, ...earlier] = (attempts.get(quiz.quiz_id) ?? []).map((response) => resultOf(quiz, response));
    const isDone = [last ?? quiz, ...earlier].some(isSubmitted);
    const isDue = isOpen(quiz) && !isDone;
    return {
      ...quiz,
      ...last,
      earlier,
      isDue,
      isClosed: !isOpen(quiz) || undefined,
      takeUrl: isOpen(quiz) ? takeLink?.(quiz.quiz_id) : undefined,
    };
  });
  return { quizzes, leftOut: throughGroups.length - readThroughGroups.length, isStillReading: !isComplete };
}

/**
 * The number of an attempt counts from 1; without it, an attempt may have others before it. Who has none may have taken the quiz through
 * its link, without signing in.
 */
function mayHaveOthers({ response_id, attempt }: QuizResult): boolean {
  return response_id === null || attempt === null || attempt > 1;
}

/** The attempts of the user at each quiz, the latest first. */
async function readAttempts(
  user: UserWithResults,
  quizzes: readonly Pick<Quiz, 'quiz_id'>[],
  context: Context,
): Promise<Map<string, QuizResponse[]>> {
  const { api, call } = context;
  const attempts = new Map<string, QuizResponse[]>();
  const isTheirs = await isAttemptOf(context, user);
  await forEachAtOnce(quizzes, listsAtOnce, async ({ quiz_id }) => {
    const responses = await api.responses.list(quiz_id, call);
    attempts.set(quiz_id, responses.filter(isTheirs).toSorted(byLatest));
  });
  return attempts;
}

function byLatest(a: QuizResponse, b: QuizResponse): number {
  return (b.attempt ?? 0) - (a.attempt ?? 0) || submittedMs(b) - submittedMs(a);
}

function notTaken({ quiz_id, name }: Quiz): QuizResult {
  return {
    quiz_id,
    name,
    date_assigned: null,
    response_id: null,
    date_submitted: null,
    points: null,
    available_points: null,
    percentage_score: null,
    grade: '',
    pass: null,
    duration: null,
    attempt: null,
    status: null,
    outcome: null,
  };
}

function resultOf(quiz: QuizResult, { date_submitted: date, ...response }: QuizResponse): QuizResult {
  const { quiz_id, name, date_assigned } = quiz;
  return { ...response, quiz_id, name, date_assigned, date_submitted: date && formatUtcDate(date) };
}

/** In the form in which `dateOf` reads it. */
function formatUtcDate(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

export type RecentOwnQuizzes = ReturnType<typeof createRecentOwnQuizzes>;

const agesAfterMs = 60_000;
const keptAtMost = 500;

/** The quizzes of users as they were at most a minute ago, so that a person who looks twice costs no more requests. */
export function createRecentOwnQuizzes(deps: {
  api: QuizApi;
  directory: Directory;
  takeLink: OperationContext['takeLink'];
  now: () => number;
}) {
  const { api, directory, takeLink, now } = deps;
  const recent = createRecent<AssignedQuizzes>({ forMs: agesAfterMs, atMost: keptAtMost, now });

  async function read(userId: string, call: CallOptions): Promise<AssignedQuizzes> {
    const user = await api.users.get(userId, call);
    return assignedQuizzesOf(user, { api, directory, call }, takeLink);
  }

  return {
    /** @throws a `QuizApiError` where the service has to be asked and cannot be */
    of: (userId: string, call: CallOptions) => recent.of(userId, async () => read(userId, call)),
    /** Call when there is a new submission. */
    forget: recent.forgetAll,
  };
}

interface HasAssignments {
  quizzes: readonly Pick<User['quizzes'][number], 'quiz_id'>[];
  groups: User['groups'];
}

/**
 * Reads which quizzes the user’s groups have, without those that are in design.
 * @returns false while the background work for it goes on
 */
export async function readQuizzesOfGroups(
  user: HasAssignments,
  { directory, call }: Pick<OperationContext, 'directory' | 'call'>,
): Promise<boolean> {
  if (user.groups.length === 0) return true;
  const direct = new Set(user.quizzes.map(({ quiz_id }) => quiz_id));
  const asked = (await directory.quizzes.get(call)).filter(
    ({ quiz_id, status }) => status !== 'in_design' && !direct.has(quiz_id),
  );
  return directory.quizGroups.load(
    openFirst(asked, ({ status }) => status === 'open').map(({ quiz_id }) => quiz_id),
    call,
  );
}

/** The known quizzes of the user’s groups that are not assigned to the user directly, without those that are in design. */
function quizzesOfGroups(
  user: HasAssignments,
  listed: readonly Quiz[],
  { directory }: Pick<OperationContext, 'directory'>,
): Quiz[] {
  const direct = new Set(user.quizzes.map(({ quiz_id }) => quiz_id));
  return listed.filter(({ quiz_id, status }) => {
    const groupIds = directory.quizGroups.known(quiz_id);
    return (
      status !== 'in_design' && !direct.has(quiz_id) && user.groups.some(({ group_id }) => groupIds?.has(group_id))
    );
  });
}

function openFirst<Item>(quizzes: readonly Item[], isOpen: (quiz: Item) => boolean): Item[] {
  return quizzes.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));
}
