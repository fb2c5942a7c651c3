import type { Actor, Nobody } from '../../directory/identity.ts';
import { type RightsLimits, limitsInWords, readLimits } from '../../domain/rights-limits.ts';
import type { Right, Visibility } from '../../operations/context.ts';
import type { PlatformWords } from '../../operations/services/platform.ts';
import type { Operation } from '../../operations/operation.ts';
import { flagsOf, rightFlags } from '../../quiz-api/records.ts';
import { say } from '../../domain/said.ts';
import { right as asWanted, type Diagnosis } from '../../domain/finding.ts';
import { catalog, operationNamed } from '../../operations/catalog.ts';
import type { QuizGroups } from '../../directory/quiz-groups.ts';
import type { PlanContent } from '../../domain/plan.ts';

const everyRight: readonly Right[] = ['known', 'staff', ...rightFlags, 'administrator'];

/** What the account gives a person, and what the operator takes from it again. */
export type Rights = ReadonlySet<Right> & { readonly limits?: RightsLimits };

/**
 * The rights of a person in the quiz account (specification 2.4). The flags apply to trainers and administrators alike,
 * so an administrator without a flag lacks that right. A user of any other type has no flag, and a suspended user has no
 * right. An owner has every right.
 */
export function rightsOf(actor: Actor): Rights {
  const rights = accountRightsOf(actor);
  return actor.limits === undefined ? rights : Object.assign(rights, { limits: actor.limits });
}

function accountRightsOf(actor: Actor): Set<Right> {
  if (actor.isOwner) return new Set(everyRight);
  const { user } = actor;
  if (user === undefined || user.suspended) return new Set();
  const ofStaff: readonly Right[] = ['known', 'staff', ...flagsOf(user)];
  if (user.user_type === 'administrator') return new Set([...ofStaff, 'administrator']);
  if (user.user_type === 'trainer') return new Set(ofStaff);
  return new Set(['known']);
}

/**
 * Says why the actor lacks the right, and who can help, as a sentence of `domain/said.ts`.
 *
 * @param operation what they wanted, where that is known
 */
export function denialMessage(
  actor: Actor,
  right: Right,
  platform: PlatformWords,
  operation?: Pick<Operation, 'isAboutResults' | 'name'>,
): string {
  if (actor.nobody) return whyNobody[actor.nobody](platform);
  if (actor.user?.suspended)
    return say`Your user in the quiz account is suspended. An administrator of the quiz account can reinstate you.`;
  const limited = operation && rightsOf(actor).has(right) ? limitMessage(operation, actor.limits) : undefined;
  if (limited !== undefined) return limited;
  const isAboutResults = operation?.isAboutResults ?? false;
  if (rightsOf(actor).has('staff'))
    return isAboutResults
      ? say`You can’t see results. An administrator of the quiz account can give you the right to edit quizzes, which includes them.`
      : whoCanHelp[right];
  return isAboutResults
    ? say`Only trainers can see everyone’s results. Yours: \`/quiz mine\``
    : (forRespondents[right] ?? whoCanHelp[right]);
}

const whyNobody: Readonly<Record<Nobody, (platform: PlatformWords) => string>> = {
  guest: () => say`Guests of this workspace can’t use the quiz account. Ask a full member to do this for you.`,
  stranger: () =>
    say`You’re from another workspace, so you can’t use this quiz account. Ask someone from this workspace to do this for you.`,
  bot: () => say`Bots can’t use the quiz account.`,
  deactivated: ({ name }) => say`Your ${name} account is deactivated, so you can’t use the quiz account.`,
  'no e-mail address': ({ name }) =>
    say`${name} doesn’t share your e-mail address, so the bot can’t find you in the quiz account. Add an address to your ${name} profile, then try again.`,
  'unconfirmed e-mail address': ({ name }) =>
    say`You haven’t confirmed your ${name} e-mail address, so the bot can’t find you in the quiz account. Confirm it in ${name}, then try again in 10 minutes.`,
  'no quiz user': ({ name }) =>
    say`Nobody in the quiz account has your ${name} e-mail address. Ask an administrator of the quiz account to create a user for you.`,
  'several quiz users': ({ name }) =>
    say`Several users of the quiz account have your ${name} e-mail address, so the bot can’t tell which one you are. Ask an administrator of the quiz account to make it the user name of one of them.`,
};

const whoCanHelp: Record<Right, string> = {
  known: say`Only users of the quiz account can do this. Ask an administrator of the quiz account to create a user for you.`,
  staff: say`Only trainers and administrators of the quiz account can do this. Ask one of them to do it for you.`,
  edit_quizzes: say`You can’t edit quizzes. An administrator of the quiz account can give you the right.`,
  manage_users: say`You can’t manage users. An administrator of the quiz account can give you the right.`,
  manage_groups: say`You can’t manage groups. An administrator of the quiz account can give you the right.`,
  administrator: say`Only administrators of the quiz account can do this. Ask one of them to do it for you.`,
};

/** Respondents cannot get the rights of trainers. */
const forRespondents: Partial<Record<Right, string>> = {
  edit_quizzes: say`Only trainers can work with quizzes. To see yours, type \`/quiz mine\`.`,
  manage_users: say`Only trainers and administrators can manage users. Ask one of them to do it for you.`,
  manage_groups: say`Only trainers and administrators can manage groups. Ask one of them to do it for you.`,
};

/** Why `RIGHTS` cannot be used, a sentence each: an operation that does not exist would leave a hole that nobody sees. */
export function faultsOfLimits(given = ''): string[] {
  return [...readLimits(given.split(',')).limits].flatMap(([name, level]) => {
    const operation = catalog.find((one) => one.name === name);
    if (operation === undefined)
      return [`RIGHTS names ${name}, which is no operation: docs/permissions-and-approvals.md lists them.`];
    return level === 'approval' && operation.access === 'read'
      ? [`RIGHTS has ${name}:approval, and only changes can be approved: use nobody or administrators.`]
      : [];
  });
}

export function diagnoseLimits(limits: RightsLimits): Diagnosis[] {
  return limits.size === 0 ? [] : [asWanted(`RIGHTS restricts ${limitsInWords(limits)}`)];
}

/** Why a person may not do what the account gives them, as a sentence. */
function limitMessage({ name }: Pick<Operation, 'name'>, limits: RightsLimits | undefined): string | undefined {
  const level = limits?.get(name);
  if (level === 'nobody')
    return say`This bot is set up so that nobody can do this from here. Do it in the quiz account.`;
  if (level === 'administrators')
    return say`This bot is set up so that only administrators can do this. Ask one of them to do it for you.`;
  return undefined;
}

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
