import type { UserChanges } from '../../quiz-api/users.ts';
import type { User } from '../../quiz-api/users.ts';
import { bringsQuizzes, personBelonging, type Belonging, type BoundFacts } from './rule.ts';
import { say } from '../../domain/said.ts';

/** Why a change would reach beyond the groups that the bot is for. */
export type BeyondGroups =
  'shared quiz' | 'shared person' | 'trainer' | 'administrator' | 'new staff' | 'last group' | 'trainer of others';

/** Sentences of `domain/sentence.ts`. They name nothing of others. */
export const beyondGroups: Readonly<Record<BeyondGroups, string>> = {
  'shared quiz': say`Other people of the quiz account have this quiz, too, so you can’t rename, open, close or delete it here. An administrator of the quiz account can.`,
  'shared person': say`This person also belongs to other groups of the quiz account, so you can’t change them here. An administrator of the quiz account can.`,
  trainer: say`This person is a trainer, whose rights can reach beyond the groups of this bot, so you can only suspend or reinstate them here. An administrator of the quiz account can do more.`,
  administrator: say`This person is an administrator of the whole quiz account, so you can’t change them here. Another administrator of the quiz account can.`,
  'new staff': say`Trainers and administrators have rights that can reach beyond the groups of this bot, so you can only create respondents here. An administrator of the quiz account can give rights.`,
  'last group': say`This person would be in none of the groups of this bot, and you couldn’t bring them back here. An administrator of the quiz account can remove them.`,
  'trainer of others': say`This person trains other groups of the quiz account, so you can’t add them to a group here. An administrator of the quiz account can.`,
};

/** Why a quiz that belongs so to the bot must not be renamed, opened, closed or deleted; undefined where it may. */
export function beyondByQuiz(belonging: Belonging): BeyondGroups | undefined {
  return belonging === 'own' ? undefined : 'shared quiz';
}

/** Why a user must not be changed, or deleted; undefined where they may. */
export function beyondByUser(
  user: User,
  changes: UserChanges | 'deleted',
  facts: BoundFacts,
): BeyondGroups | undefined {
  if (user.user_type === 'administrator') return 'administrator';
  if (personBelonging(user, facts) !== 'own') return 'shared person';
  if (user.user_type !== 'respondent') return isSuspension(changes) ? undefined : 'trainer';
  return changes === 'deleted' ? undefined : beyondByNewUser(changes);
}

/** Why a user must not be created with these fields; undefined where they may. */
export function beyondByNewUser(fields: UserChanges): BeyondGroups | undefined {
  const { user_type: type = 'respondent', edit_quizzes, manage_users, manage_groups } = fields;
  return type !== 'respondent' || edit_quizzes || manage_users || manage_groups ? 'new staff' : undefined;
}

/** Why a user must not be added to one of the groups; undefined where they may. */
export function beyondByJoining(user: User, facts: BoundFacts): BeyondGroups | undefined {
  return bringsQuizzes(user, facts) || personBelonging(user, facts) === 'own' ? undefined : 'trainer of others';
}

/** Why a user must not be taken out of one of the groups; undefined where they may. */
export function beyondByLeaving(user: User, groupId: string, facts: BoundFacts): BeyondGroups | undefined {
  if (!user.groups.some(({ group_id }) => group_id === groupId)) return undefined;
  return afterLeaving(user, groupId, facts) === 'others' ? 'last group' : undefined;
}

/** Whether a user would be in no group then, and has to be remembered. */
export function isLastGroup(user: User, groupId: string): boolean {
  return user.trainergroups.length === 0 && user.groups.every(({ group_id }) => group_id === groupId);
}

function afterLeaving(user: User, groupId: string, { groupIds, isMade }: BoundFacts): Belonging {
  const groups = user.groups.filter(({ group_id }) => group_id !== groupId);
  const isRemembered = (other: User) => isMade(other) || isLastGroup(user, groupId);
  return personBelonging({ ...user, groups }, { groupIds, isMade: isRemembered });
}

function isSuspension(changes: UserChanges | 'deleted'): boolean {
  return (
    changes !== 'deleted' &&
    Object.entries(changes).every(([field, value]) => field === 'suspended' || value === undefined)
  );
}
