import type { Actor, Nobody } from '../directory/identity.ts';
import type { Right, Visibility } from '../operations/context.ts';
import type { User } from '../quiz-api/users.ts';

const flags = ['edit_quizzes', 'manage_users', 'manage_groups'] as const;
const everyRight: readonly Right[] = ['known', 'staff', ...flags, 'administrator'];

/**
 * What the person may do in the quiz account (specification 2.4). The flags narrow what a trainer may do;
 * an administrator has every right; a suspended user has none.
 */
export function rightsOf(actor: Actor): ReadonlySet<Right> {
  if (actor.isOwner) return new Set(everyRight);
  const { user } = actor;
  if (user === undefined || user.suspended) return new Set();
  if (user.user_type === 'administrator') return new Set(everyRight);
  if (user.user_type === 'trainer') return new Set(['known', 'staff', ...flags.filter((flag) => user[flag])]);
  return new Set(['known']);
}

/**
 * What there is, as far as the person may know of it. Staff sees every quiz, a respondent those assigned
 * to them. Who edits quizzes may choose any user for them; who only manages users or groups sees the
 * users of the quizzes and groups they train (specification 2.4), and all where the account names none.
 * Groups are seen by who manages them or chooses them for quizzes.
 */
export function visibilityOf(actor: Actor): Visibility {
  const rights = rightsOf(actor);
  const own = new Set(actor.user?.quizzes.map(({ quiz_id }) => quiz_id));
  return {
    quiz: (quiz) => rights.has('staff') || (rights.has('known') && own.has(quiz.quiz_id)),
    user: (user) => rights.has('edit_quizzes') || ((rights.has('manage_users') || rights.has('manage_groups')) && isTrainedBy(actor, user)),
    group: () => rights.has('edit_quizzes') || rights.has('manage_groups'),
  };
}

function isTrainedBy({ user: trainer }: Actor, user: User): boolean {
  const quizzes = new Set(trainer?.trainerquizzes.map(({ quiz_id }) => quiz_id));
  const groups = new Set(trainer?.trainergroups.map(({ group_id }) => group_id));
  if (quizzes.size + groups.size === 0) return true;
  return user.quizzes.some(({ quiz_id }) => quizzes.has(quiz_id)) || user.groups.some(({ group_id }) => groups.has(group_id));
}

/** One sentence that says why the person lacks the right, and what would mend it. */
export function denialMessage(actor: Actor, right: Right): string {
  if (actor.nobody) return whyNobody[actor.nobody];
  if (actor.user?.suspended) return 'Your quiz account user is suspended. An administrator of the quiz account can reinstate it.';
  return whatItTakes[right];
}

const whyNobody: Record<Nobody, string> = {
  guest: 'Guests of this workspace cannot use the quiz account. Ask a full member to do this.',
  stranger: 'You belong to another workspace, so you cannot use this quiz account.',
  bot: 'Bots cannot use the quiz account.',
  deactivated: 'Your Slack account is deactivated, so it cannot use the quiz account.',
  'no e-mail address':
    'Slack does not tell the bot your e-mail address, so it cannot tell who you are in the quiz account. Add one to your Slack profile.',
  'no quiz user':
    'Nobody in the quiz account has your Slack e-mail address. Ask an administrator of the quiz account to create a user with it.',
  'several quiz users':
    'Several users of the quiz account have your Slack e-mail address, so the bot cannot tell which one you are. Ask an administrator to give one of them your address as user name.',
};

const whatItTakes: Record<Right, string> = {
  known: 'Only users of the quiz account can do this.',
  staff: 'Only trainers and administrators can do this.',
  edit_quizzes: 'You need the right to edit quizzes for this. An administrator of the quiz account can give it to you.',
  manage_users: 'You need the right to manage users for this. An administrator of the quiz account can give it to you.',
  manage_groups: 'You need the right to manage groups for this. An administrator of the quiz account can give it to you.',
  administrator: 'Only administrators of the quiz account can do this.',
};
