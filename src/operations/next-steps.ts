import type { Group } from '../quiz-api/groups.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { User } from '../quiz-api/users.ts';
import { assigneeId, type Assignee } from './fields/assignees.ts';
import type { NextStep } from './operation-result.ts';
import type { TextInput } from './text-input.ts';

type QuizId = Pick<Quiz, 'quiz_id'>;
type UserId = Pick<User, 'user_id'>;
type GroupId = Pick<Group, 'group_id'>;

/** What people often do after a change, the likeliest first. Each names its things by ID, so that a new name changes nothing. */
export const nextSteps = {
  'create-quiz': ({ quiz }: { quiz: QuizId }) => [
    run('Open quiz', 'open-quiz', { quiz: [quiz.quiz_id] }),
    form('Assign…', 'assign-quiz', { quiz: [quiz.quiz_id] }),
  ],
  'rename-quiz': ({ quiz, name }: { quiz: Pick<Quiz, 'quiz_id' | 'name'>; name: string }) =>
    quiz.name === name || quiz.name === ''
      ? []
      : [run('Undo', 'rename-quiz', { quiz: [quiz.quiz_id], name: [quiz.name] })],
  // A quiz in design cannot be put back: the service takes only open and closed.
  'open-quiz': ({ quiz }: { quiz: Pick<Quiz, 'quiz_id' | 'status'> }) => [
    run(quiz.status === 'closed' ? 'Undo' : 'Close quiz', 'close-quiz', { quiz: [quiz.quiz_id] }),
    form('Assign…', 'assign-quiz', { quiz: [quiz.quiz_id] }),
  ],
  'close-quiz': ({ quiz }: { quiz: Pick<Quiz, 'quiz_id' | 'status'> }) => [
    run(quiz.status === 'in_design' ? 'Open quiz' : 'Open again', 'open-quiz', { quiz: [quiz.quiz_id] }),
  ],
  'copy-quiz': ({ copy }: { copy: QuizId }) => [
    viewQuiz(copy),
    form('Rename…', 'rename-quiz', { quiz: [copy.quiz_id] }),
  ],
  'assign-quiz': ({ quiz, added }: { quiz: QuizId; added: readonly Assignee[] }) => [
    ...assignmentStep('Undo', 'unassign-quiz', quiz, added),
    viewQuiz(quiz),
    ...(added.length === 0
      ? []
      : [form('Start a campaign…', 'start-campaign', { quiz: [quiz.quiz_id], to: added.map(assigneeId) })]),
  ],
  'unassign-quiz': ({ quiz, removed }: { quiz: QuizId; removed: readonly Assignee[] }) =>
    assignmentStep('Assign again', 'assign-quiz', quiz, removed),
  'create-user': ({ user }: { user: UserId }) => [
    form('Assign a quiz…', 'assign-quiz', { to: [`user:${user.user_id}`] }),
    form('Add to a group…', 'add-to-group', { user: [user.user_id] }),
  ],
  'suspend-user': ({ user }: { user: UserId }) => [run('Reinstate', 'reinstate-user', { user: [user.user_id] })],
  'reinstate-user': ({ user }: { user: UserId }) => [form('Suspend…', 'suspend-user', { user: [user.user_id] })],
  'add-to-group': ({ users, group }: { users: readonly UserId[]; group: GroupId }) => [
    run('Undo', 'remove-from-group', { user: users.map(({ user_id }) => user_id), group: [group.group_id] }),
  ],
  'remove-from-group': ({ users, group }: { users: readonly UserId[]; group: GroupId }) => [
    run('Undo', 'add-to-group', { user: users.map(({ user_id }) => user_id), group: [group.group_id] }),
  ],
  'assign-to-group': ({ quiz, group }: { quiz: QuizId; group: GroupId }) => [
    run('Undo', 'unassign-from-group', { quiz: [quiz.quiz_id], group: [group.group_id] }),
    viewQuiz(quiz),
  ],
  'unassign-from-group': ({ quiz, group }: { quiz: QuizId; group: GroupId }) => [
    run('Assign again', 'assign-to-group', { quiz: [quiz.quiz_id], group: [group.group_id] }),
  ],
};

function run(label: string, operation: string, input: TextInput): NextStep {
  return { label, operation, input };
}

function form(label: string, operation: string, input: TextInput): NextStep {
  return { label, operation, input, opensForm: true };
}

function viewQuiz({ quiz_id }: QuizId): NextStep {
  return run('View quiz', 'show-quiz', { quiz: [quiz_id] });
}

function assignmentStep(
  label: string,
  operation: string,
  { quiz_id }: QuizId,
  assignees: readonly Assignee[],
): NextStep[] {
  return assignees.length === 0 ? [] : [run(label, operation, { quiz: [quiz_id], to: assignees.map(assigneeId) })];
}
