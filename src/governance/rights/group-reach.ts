import { createUser } from '../../features/users/create-user.ts';
import { deleteUser } from '../../features/users/delete-user.ts';
import { reinstateUser, suspendUser } from '../../features/users/suspend-and-reinstate.ts';
import { resetPassword } from '../../features/users/reset-password.ts';
import { updateUser } from '../../features/users/update-user.ts';
import { erasePerson } from '../../features/erasing/operations/erase-person.ts';
import { removeFromGroup } from '../../features/groups/add-and-remove.ts';
import { deleteQuiz } from '../../features/quizzes/delete-quiz.ts';
import { closeQuiz, openQuiz } from '../../features/quizzes/open-and-close.ts';
import { renameQuiz } from '../../features/quizzes/rename-quiz.ts';
import type { Operation } from '../../operations/operation.ts';
import { isOnRecordOnly } from '../../operations/fields/user.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Group, User, UserChanges } from '../../quiz-api/users.ts';
import type { OperationInput } from '../perform/operation-input.ts';

/**
 * Why a change would reach beyond the groups that the bot is for, as a sentence of `domain/sentence.ts`; undefined where it does
 * not. The client refuses it in any case: this says it before anybody is asked for approval.
 */
export interface GroupReach {
  quiz(quizId: string, call: CallOptions): Promise<string | undefined>;
  user(userId: string, changes: UserChanges | 'deleted', call: CallOptions): Promise<string | undefined>;
  newUser(fields: UserChanges): string | undefined;
  leaving(userId: string, groupId: string, call: CallOptions): Promise<string | undefined>;
}

const ofQuizzes: ReadonlySet<Operation> = new Set([renameQuiz, openQuiz, closeQuiz, deleteQuiz]);
const ofUsers: ReadonlyMap<Operation, (input: OperationInput) => UserChanges | 'deleted'> = new Map<
  Operation,
  (input: OperationInput) => UserChanges | 'deleted'
>([
  [suspendUser, () => ({ suspended: true })],
  [reinstateUser, () => ({ suspended: false })],
  [resetPassword, () => ({ password: '' })],
  [updateUser, changesIn],
  [deleteUser, () => 'deleted'],
  [erasePerson, () => 'deleted'],
]);

/** @param reach undefined where the bot is for the whole account */
export async function beyondGroups(
  reach: GroupReach | undefined,
  operation: Operation,
  input: OperationInput,
  call: CallOptions,
): Promise<string | undefined> {
  if (reach === undefined) return undefined;
  if (ofQuizzes.has(operation)) return reach.quiz((input['quiz'] as Quiz).quiz_id, call);
  if (operation === createUser) return reach.newUser(changesIn(input));
  if (operation === removeFromGroup) {
    const { group_id: groupId } = input['group'] as Group;
    const [first, ...others] = input['user'] as User[];
    // Of several, each is judged in its own turn.
    return first && others.length === 0 ? reach.leaving(first.user_id, groupId, call) : undefined;
  }
  const changes = ofUsers.get(operation)?.(input);
  const user = input['user'] as User;
  return changes === undefined || isOnRecordOnly(user) ? undefined : reach.user(user.user_id, changes, call);
}

/** As far as it decides how far they reach. */
function changesIn({ user_type, flags, ...given }: OperationInput): UserChanges {
  const isGiven = (flag: 'edit_quizzes' | 'manage_users' | 'manage_groups') =>
    given[flag] === 'true' || (Array.isArray(flags) && flags.some((one) => one === flag));
  return {
    first_name: '',
    ...(typeof user_type === 'string' && { user_type: user_type as NonNullable<UserChanges['user_type']> }),
    edit_quizzes: isGiven('edit_quizzes'),
    manage_users: isGiven('manage_users'),
    manage_groups: isGiven('manage_groups'),
  };
}
