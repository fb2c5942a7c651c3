import type { Actor } from '../../directory/identity.ts';
import type { QuizGroups } from '../../directory/quiz-groups.ts';
import type { PlanContent } from '../../domain/plan.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Right, Visibility } from '../../operations/context.ts';
import { rightsOf } from './rights.ts';

/**
 * What a person may see (specification 2.4). Administrators and owners see every quiz, and each of their flags applies to
 * the whole account. A trainer sees the quizzes they train, or every quiz if the account names none. They manage the
 * users assigned through a quiz or group they train, and the groups they train; if the account names none, they manage
 * nobody. A respondent sees the quizzes assigned to them or to one of their
 * groups, as far as `quizGroups` knows them at that moment.
 *
 * To assign a quiz, a person with `edit_quizzes` may choose every user and group by name.
 */
export function visibilityOf(actor: Actor, quizGroups: Pick<QuizGroups, 'known'>): Visibility {
  const rights = rightsOf(actor);
  const training = trainingOf(actor);
  const isUnbounded = rights.has('administrator');
  const ownQuizzes = idsIn(actor.user?.quizzes.map(({ quiz_id }) => quiz_id));
  const ownGroups = idsIn(actor.user?.groups.map(({ group_id }) => group_id));

  const isTrained: Visibility['user'] = ({ quizzes, groups }) =>
    isUnbounded ||
    quizzes.some(({ quiz_id }) => training.quizzes.has(quiz_id)) ||
    groups.some(({ group_id }) => training.groups.has(group_id));
  const isOwn: Visibility['quiz'] = ({ quiz_id }) =>
    ownQuizzes.has(quiz_id) || !ownGroups.isDisjointFrom(quizGroups.known(quiz_id) ?? new Set());
  const group: Visibility['group'] = ({ group_id }) =>
    rights.has('manage_groups') && (isUnbounded || training.groups.has(group_id));
  const seesEveryQuiz = rights.has('staff') && (isUnbounded || training.isOfEveryQuiz);
  return {
    seesEveryQuiz,
    quiz: (quiz) =>
      seesEveryQuiz || (rights.has('staff') ? training.quizzes.has(quiz.quiz_id) : rights.has('known') && isOwn(quiz)),
    trains: (user) => rights.has('staff') && isTrained(user),
    user: (user) => rights.has('manage_users') && isTrained(user),
    userByName: (user) =>
      rights.has('edit_quizzes') || ((rights.has('manage_users') || rights.has('manage_groups')) && isTrained(user)),
    group,
    groupByName: (some) => rights.has('edit_quizzes') || group(some),
    addressesIn: ({ quiz_id }) => rights.has('manage_users') && (isUnbounded || training.quizzes.has(quiz_id)),
    planOfOther: ({ content }) =>
      isUnbounded && content.approval !== null && rightsForRows(content).every((right) => rights.has(right)),
  };
}

/** The rights that somebody needs who makes the changes of a plan. */
function rightsForRows(content: PlanContent): Right[] {
  if (content.kind !== 'batch') return ['edit_quizzes'];
  const names = content.rows.flatMap((row) =>
    row.kind === 'none' ? [] : row.changes.map(({ operation }) => operation),
  );
  return [...new Set(names)].map((name) => operationNamed(name)?.right ?? 'administrator');
}

/** The visibility of an owner. */
export const everything: Visibility = visibilityOf(
  { personId: '', isOwner: true, user: undefined, nobody: undefined },
  { known: () => undefined },
);

interface Training {
  quizzes: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** The account names no quizzes for the trainer. A quiz that cannot be read counts as named. */
  isOfEveryQuiz: boolean;
}

function trainingOf({ user }: Actor): Training {
  const { trainerquizzes = [], trainergroups = [] } = user ?? {};
  return {
    quizzes: idsIn(trainerquizzes.map(({ quiz_id }) => quiz_id)),
    groups: idsIn(trainergroups.map(({ group_id }) => group_id)),
    isOfEveryQuiz: trainerquizzes.length === 0,
  };
}

/** An item whose id cannot be read has an empty id, which matches nothing. */
function idsIn(ids: readonly string[] = []): ReadonlySet<string> {
  return new Set(ids.filter((id) => id !== ''));
}
