import { named } from '../../domain/sentence.ts';
import type { Group } from '../../quiz-api/users.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { OperationContext } from '../../operations/context.ts';
import { runStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { assignmentWarning, couldTake, untilOpen } from '../quizzes/assignment-words.ts';
import { usersWithout } from '../quizzes/new-assignees.ts';
import { viewStep } from '../quizzes/show-quiz.ts';
import { say } from '../../domain/said.ts';

interface Assignment {
  quiz: Quiz;
  group: Group;
}

export const assignToGroup = defineOperation({
  name: 'assign-to-group',
  command: '/quiz-group assign <quiz> to <group>',
  summary: 'Assign a quiz to everyone in a group',
  title: say`Assign to a group`,
  isCommon: true,
  buttons: {
    group: [
      {
        label: 'Assign a quiz…',
        in: ['list', 'page'],
        position: 3,
        opens: 'form',
        input: ({ group_id }) => ({ group: [group_id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Assign quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
  warn: (_, { quiz }) => assignmentWarning(quiz),
  action: ({ quiz, group }) => say`assign ${named(quiz.name)} to the group ${named(group.group_name)}`,
  effect: (_, { quiz }) => couldTake(quiz, 'everyone in the group'),
  isDone: ({ quiz, group }, { quizGroups }) => quizGroups.known(quiz.quiz_id)?.has(group.group_id),
  reread: readGroups,
  done: assigned,
  noChange: ({ quiz, group }) =>
    say`The group ${named(group.group_name)} had ${named(quiz.name)} already. Nothing changed.`,
  async run(context, input) {
    const { quiz, group } = input;
    const users = (await usersWithout(quiz, context))({ kind: 'group', group });
    await context.api.quizzes.assignGroup(quiz.quiz_id, group.group_id, context.call);
    context.directory.quizGroups.change(quiz.quiz_id, group.group_id, true);
    return { ...assigned(input), assigned: { quizId: quiz.quiz_id, quizName: quiz.name, users } };
  },
});

function assigned({ quiz, group }: Assignment): DoneResult {
  return {
    kind: 'done',
    message: say`Assigned ${named(quiz.name)} to the group ${named(group.group_name)}.` + untilOpen(quiz),
    next: [runStep(say`Undo`, unassignFromGroup, { quiz: [quiz.quiz_id], group: [group.group_id] }), viewStep(quiz)],
  };
}

export const unassignFromGroup = defineOperation({
  name: 'unassign-from-group',
  command: '/quiz-group unassign <quiz> from <group>',
  summary: 'Unassign a quiz from a group',
  title: say`Unassign from a group`,
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unassign quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
  action: ({ quiz, group }) => say`unassign ${named(quiz.name)} from the group ${named(group.group_name)}`,
  effect: () => say`Its members would no longer have the quiz, unless they also have it another way.`,
  isDone({ quiz, group }, { quizGroups }) {
    const groupIds = quizGroups.known(quiz.quiz_id);
    return groupIds && !groupIds.has(group.group_id);
  },
  reread: readGroups,
  done: unassigned,
  noChange: ({ quiz, group }) =>
    say`${named(quiz.name)} wasn’t assigned to the group ${named(group.group_name)}. Nothing changed.`,
  async run({ api, directory, call }, input) {
    const { quiz, group } = input;
    await api.quizzes.unassignGroup(quiz.quiz_id, group.group_id, call);
    directory.quizGroups.change(quiz.quiz_id, group.group_id, false);
    return unassigned(input);
  },
});

function unassigned({ quiz, group }: Assignment): DoneResult {
  return {
    kind: 'done',
    message: say`Unassigned ${named(quiz.name)} from the group ${named(group.group_name)}.`,
    next: [runStep(say`Assign again`, assignToGroup, { quiz: [quiz.quiz_id], group: [group.group_id] })],
  };
}

/** Reads which groups have the quiz, into the directory. The service has no call for the quizzes of a group. */
async function readGroups({ api, directory, call }: OperationContext, input: Assignment): Promise<Assignment> {
  directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  return input;
}
