import { named, say } from '../../domain/said.ts';
import type { Group, Quiz } from '../../quiz-api/records.ts';
import type { OperationContext } from '../../operations/context.ts';
import { runStep, made, type DoneResult } from '../../operations/page.ts';
import type { GroupField, QuizField } from '../../operations/fields/things.ts';
import { defineOpposites } from '../../operations/operation.ts';
import { assignmentWarning, couldTake, untilOpen, usersWithout } from '../quizzes/assignment-words.ts';
import { viewStep } from '../quizzes/list-and-show.ts';

interface Assignment {
  quiz: Quiz;
  group: Group;
}

const assignButton = { label: 'Assign a quiz…', in: ['list', 'page'], position: 3, opens: 'form' } as const;

export const [assignToGroup, unassignFromGroup] = defineOpposites<{ quiz: QuizField; group: GroupField }>(
  (isAssigned) => {
    const done = isAssigned ? assigned : unassigned;
    return {
      name: isAssigned ? 'assign-to-group' : 'unassign-from-group',
      command: isAssigned ? '/quiz-group assign <quiz> to <group>' : '/quiz-group unassign <quiz> from <group>',
      summary: isAssigned ? 'Assign a quiz to everyone in a group' : 'Unassign a quiz from a group',
      title: isAssigned ? say`Assign to a group` : say`Unassign from a group`,
      ...(isAssigned && { isCommon: true, buttons: { group: [assignButton] } }),
      access: 'write',
      right: 'edit_quizzes',
      submit: isAssigned ? 'Assign quiz' : 'Unassign quiz',
      fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
      warn: (_, { quiz }) => (isAssigned ? assignmentWarning(quiz) : undefined),
      action: ({ quiz, group }) =>
        isAssigned
          ? say`assign ${named(quiz.name)} to the group ${named(group.group_name)}`
          : say`unassign ${named(quiz.name)} from the group ${named(group.group_name)}`,
      effect: (_, { quiz }) =>
        isAssigned
          ? couldTake(quiz, 'everyone in the group')
          : say`Its members would no longer have the quiz, unless they also have it another way.`,
      isDone({ quiz, group }, { quizGroups }) {
        const groupIds = quizGroups.known(quiz.quiz_id);
        return groupIds && groupIds.has(group.group_id) === isAssigned;
      },
      reread: readGroups,
      done,
      noChange: ({ quiz, group }) =>
        isAssigned
          ? say`The group ${named(group.group_name)} had ${named(quiz.name)} already. Nothing changed.`
          : say`${named(quiz.name)} wasn’t assigned to the group ${named(group.group_name)}. Nothing changed.`,
      async run(context, input) {
        const { api, directory, call } = context;
        const { quiz, group } = input;
        const users = isAssigned ? (await usersWithout(quiz, context))({ kind: 'group', group }) : [];
        const { assignGroup, unassignGroup } = api.quizzes;
        await (isAssigned ? assignGroup : unassignGroup)(quiz.quiz_id, group.group_id, call);
        directory.quizGroups.change(quiz.quiz_id, group.group_id, isAssigned);
        const told = { assigned: { quizId: quiz.quiz_id, quizName: quiz.name, users } };
        return { ...done(input), ...(isAssigned && told) };
      },
    };
  },
);

function assigned({ quiz, group }: Assignment): DoneResult {
  return made(say`Assigned ${named(quiz.name)} to the group ${named(group.group_name)}.` + untilOpen(quiz), [
    runStep(say`Undo`, unassignFromGroup, { quiz: [quiz.quiz_id], group: [group.group_id] }),
    viewStep(quiz),
  ]);
}

function unassigned({ quiz, group }: Assignment): DoneResult {
  return made(say`Unassigned ${named(quiz.name)} from the group ${named(group.group_name)}.`, [
    runStep(say`Assign again`, assignToGroup, { quiz: [quiz.quiz_id], group: [group.group_id] }),
  ]);
}

/** Reads which groups have the quiz, into the directory. The service has no call for the quizzes of a group. */
async function readGroups({ api, directory, call }: OperationContext, input: Assignment): Promise<Assignment> {
  directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  return input;
}
