import { markedName } from '../../directory/names.ts';
import { named, say, countOf, capitalized } from '../../domain/said.ts';
import type { Quiz } from '../../quiz-api/records.ts';
import { assignmentRows, hasQuiz, planAssignments, type AssignmentChange } from '../batches/operations/plan-many.ts';
import { startCampaign } from '../campaigns/operations/start-campaign.ts';
import { changeEach, changesAtMost } from '../../operations/change-each.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError } from '../../operations/text-input.ts';
import {
  partId,
  assigneeIdsInShort,
  assigneesInWords,
  collectivesIn,
  uniqueAssignees,
  type Assignee,
  type AssigneesField,
  type PeopleField,
} from '../../operations/fields/people.ts';
import {
  membersAtMost,
  membersInWords,
  tooManyChosen,
  type MentionedMembers,
} from '../../operations/fields/mentioned-members.ts';
import { formStep, runStep, type Step, type DoneResult } from '../../operations/page.ts';
import { defineOpposites, type Confirmation, type Operation } from '../../operations/operation.ts';
import { assignmentWarning, couldTake, untilOpen, usersWithout } from './assignment-words.ts';
import { viewStep } from './list-and-show.ts';

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: { kind: 'assignees', label: 'Users and groups', optional: true },
  people: { kind: 'people', label: 'People in this workspace', optional: true },
} as const satisfies { quiz: object; to: AssigneesField; people: PeopleField };

const buttons: Operation['buttons'] = {
  quiz: [{ label: 'Assign…', in: ['list', 'page', 'home'], position: 2, opens: 'form' }],
  user: [{ label: 'Assign a quiz…', in: ['list', 'page'], position: 2, opens: 'form', fills: 'to' }],
};

export const [assignQuiz, unassignQuiz] = defineOpposites<typeof fields>((isAssigned) => {
  const verb = isAssigned ? 'assign' : 'unassign';
  return {
    name: isAssigned ? 'assign-quiz' : 'unassign-quiz',
    command: isAssigned ? '/quiz assign <quiz> to <to>' : '/quiz unassign <quiz> from <to>',
    summary: isAssigned
      ? 'Assign a quiz to people and groups, separated by commas'
      : 'Unassign a quiz from people and groups',
    ...(isAssigned && { synonyms: ['give', 'reassign'], isCommon: true, buttons }),
    access: 'write',
    right: 'edit_quizzes',
    submit: isAssigned ? 'Assign quiz' : 'Unassign quiz',
    fields,
    check(chosen) {
      const { length } = uniqueAssignees(chosen);
      if (length === 0) throw new InvalidInputError('to', say`Choose at least one person or group.`);
      if (length > membersAtMost) throw new InvalidInputError('to', tooManyChosen());
    },
    confirm: (input) => confirmMembers(input, verb),
    warn({ visibility }, { quiz, ...chosen }) {
      if (!isAssigned) return undefined;
      const users = uniqueAssignees(chosen).flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
      // Only people who may see the record of a user learn that the user is suspended.
      return assignmentWarning(quiz, users.filter((user) => user.suspended && visibility.user(user)).map(markedName));
    },
    action({ quiz, ...chosen }) {
      const who = assigneesInWords(uniqueAssignees(chosen));
      return isAssigned ? say`assign ${named(quiz.name)} to ${who}` : say`unassign ${named(quiz.name)} from ${who}`;
    },
    effect: (_, { quiz }) =>
      isAssigned
        ? couldTake(quiz, 'they')
        : say`It would no longer be among their quizzes, unless they also have it another way.`,
    isDone({ quiz, ...chosen }, known) {
      const answers = uniqueAssignees(chosen).map((assignee) => hasQuiz(assignee, quiz, known));
      return answers.includes(undefined) ? undefined : answers.every((has) => has === isAssigned);
    },
    reread: readAssignments,
    noChange({ quiz, ...chosen }) {
      const who = assigneesInWords(uniqueAssignees(chosen));
      return isAssigned
        ? say`${capitalized(who)} had ${named(quiz.name)} already. Nothing changed.`
        : say`${named(quiz.name)} wasn’t assigned to ${who}. Nothing changed.`;
    },
    plan(context, { quiz, ...chosen }) {
      const assignees = uniqueAssignees(chosen);
      if (assignees.length <= changesAtMost) return undefined;
      return planAssignments(context, quiz, assignees, assignmentChange(verb));
    },
    rows: (context, { quiz, ...chosen }) =>
      assignmentRows(context, quiz, uniqueAssignees(chosen), assignmentChange(verb)),
    async run(context, { quiz, ...chosen }) {
      const assignees = uniqueAssignees(chosen);
      const withoutQuiz = isAssigned ? await usersWithout(quiz, context) : () => [];
      const isNew = new Set(assignees.filter((assignee) => hasQuiz(assignee, quiz, context.directory) === false));
      const { succeeded, problems, note } = await changeAll(context, quiz, assignees, verb);
      if (!isAssigned) return { kind: 'done', ...unassigned(quiz, succeeded, note), problems };
      // Undo takes the quiz from those who did not have it before.
      const added = succeeded.filter((assignee) => isNew.has(assignee));
      // Who gets it directly as well as through a group counts as directly assigned.
      const gaining = added
        .toSorted((a, b) => Number(a.kind === 'user') - Number(b.kind === 'user'))
        .flatMap(withoutQuiz);
      const users = [...new Map(gaining.map((user) => [user.userId, user])).values()];
      return {
        kind: 'done',
        ...assigned(quiz, { assignees: succeeded, added, note }),
        problems,
        assigned: { quizId: quiz.quiz_id, quizName: quiz.name, users },
      };
    },
  };
});

/** @param how.added those who did not have the quiz before */
export function assigned(
  quiz: Quiz,
  how: { assignees: readonly Assignee[]; added: readonly Assignee[]; note?: string },
): Pick<DoneResult, 'message' | 'next'> {
  const { assignees, added, note = '' } = how;
  const campaign = { quiz: [quiz.quiz_id], to: added.map(partId) };
  return {
    message: say`Assigned ${named(quiz.name)} to ${assigneesInWords(assignees)}.` + untilOpen(quiz) + note,
    next: [
      ...changeStep(say`Undo`, unassignQuiz, quiz, added),
      viewStep(quiz),
      ...(added.length === 0 ? [] : [formStep(say`Start a campaign…`, startCampaign, campaign)]),
    ],
  };
}

/** Assigns the quiz to each, or unassigns it. */
async function changeAll(
  context: OperationContext,
  quiz: Quiz,
  assignees: readonly Assignee[],
  verb: AssignmentChange['verb'],
) {
  const { api, directory, call, isStopping, isOneOfMany } = context;
  const { quiz_id: quizId, name } = quiz;
  const isAssigned = verb === 'assign';
  return changeEach(assignees, {
    couldNot: (assignee) =>
      isAssigned
        ? say`Couldn’t assign it to ${assigneesInWords([assignee])}`
        : say`Couldn’t unassign it from ${assigneesInWords([assignee])}`,
    findChanged: async (unclear) => whoseQuizIs(context, quiz, unclear, isAssigned),
    isStopping,
    isOneOfMany,
    async change(assignee) {
      if (assignee.kind === 'user') {
        const { user_id: userId } = assignee.user;
        await (isAssigned ? api.users.assignQuiz(userId, quizId, call) : api.users.unassignQuiz(userId, quizId, call));
        directory.users.edit(userId, (known) => ({
          ...known,
          quizzes: [
            ...known.quizzes.filter(({ quiz_id }) => quiz_id !== quizId),
            ...(isAssigned ? [{ quiz_id: quizId, name, date_assigned: null }] : []),
          ],
        }));
      } else {
        const { group_id: groupId } = assignee.group;
        await (isAssigned
          ? api.quizzes.assignGroup(quizId, groupId, call)
          : api.quizzes.unassignGroup(quizId, groupId, call));
        directory.quizGroups.change(quizId, groupId, isAssigned);
      }
    },
  });
}

export function unassigned(
  quiz: Quiz,
  assignees: readonly Assignee[],
  note = '',
): Pick<DoneResult, 'message' | 'next'> {
  return {
    message: say`Unassigned ${named(quiz.name)} from ${assigneesInWords(assignees)}.` + note,
    next: changeStep(say`Assign again`, assignQuiz, quiz, assignees),
  };
}

function changeStep(label: string, operation: Operation, { quiz_id }: Quiz, assignees: readonly Assignee[]): Step[] {
  return assignees.length === 0 ? [] : [runStep(label, operation, { quiz: [quiz_id], to: assignees.map(partId) })];
}

function assignmentChange(verb: AssignmentChange['verb']): AssignmentChange {
  const [operation, inverse] = verb === 'assign' ? [assignQuiz, unassignQuiz] : [unassignQuiz, assignQuiz];
  return { verb, operation, inverse };
}

/** The question before a quiz goes to everyone in a channel or user group. Of more people, there is a preview. */
function confirmMembers({ quiz, ...chosen }: Chosen, verb: AssignmentChange['verb']): Confirmation | undefined {
  const assignees = uniqueAssignees(chosen);
  const members = collectivesIn(assignees);
  if (members.length === 0 || assignees.length > changesAtMost) return undefined;
  const hasGroups = assignees.some(({ kind }) => kind === 'group');
  return {
    ...membersQuestion({ quiz, members, count: assignees.length, hasGroups }, verb),
    input: { quiz: [quiz.quiz_id], to: assigneeIdsInShort(assignees) },
  };
}

interface Chosen {
  quiz: Quiz;
  to?: Assignee[] | undefined;
  people?: Assignee[] | undefined;
}

/** Reads which assignees have the quiz, with at most a request for users and a request for groups. */
async function readAssignments<Input extends Chosen>(
  { api, directory, call }: OperationContext,
  input: Input,
): Promise<Input> {
  const assignees = uniqueAssignees(input);
  const [firstUser, ...otherUsers] = assignees.flatMap((assignee) => (assignee.kind === 'user' ? [assignee.user] : []));
  if (assignees.some(({ kind }) => kind === 'group'))
    directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  if (otherUsers.length > 0) await directory.users.refresh(call);
  else if (firstUser) await directory.users.read(firstUser.user_id, () => api.users.get(firstUser.user_id, call));
  const users = await directory.users.names(call);
  const now = (assignee: Assignee): Assignee =>
    assignee.kind === 'user' ? { ...assignee, user: users.byId(assignee.user.user_id) ?? assignee.user } : assignee;
  return { ...input, to: input.to?.map(now), people: input.people?.map(now) };
}

/** The assignees that have the quiz by what the service says now, or that do not have it. */
async function whoseQuizIs(
  context: OperationContext,
  quiz: Quiz,
  assignees: readonly Assignee[],
  isAssigned: boolean,
): Promise<Set<Assignee>> {
  const { to: now = [] } = await readAssignments<Chosen>(context, { quiz, to: [...assignees] });
  return new Set(
    assignees.filter((_, index) => now[index] && hasQuiz(now[index], quiz, context.directory) === isAssigned),
  );
}

interface Change {
  quiz: Pick<Quiz, 'name'>;
  members: readonly MentionedMembers[];
  /** How many people and groups get the quiz or lose it, each counted once. */
  count: number;
  hasGroups: boolean;
}

/** What people are asked before a quiz goes to many at once, or is taken from them. */
export function membersQuestion({ quiz, members, count, hasGroups }: Change, verb: 'assign' | 'unassign') {
  const [only, ...others] = members;
  const isAllOfOne = only !== undefined && others.length === 0 && !hasGroups && count === only.users.length;
  const whom = hasGroups ? say`${count} people and groups` : people(count);
  const withoutUser = members.reduce((sum, { withoutUser: some }) => sum + some.length, 0);
  const leftOut =
    ['', ` ${say`1 more person has no user in the quiz account and is left out.`}`][withoutUser] ??
    ` ${say`${withoutUser} more people have no user in the quiz account and are left out.`}`;
  const isAssigned = verb === 'assign';
  return {
    question: `${membersInWords(members)}. ${ask(named(quiz.name))}${leftOut}`,
    label: isAssigned ? say`Assign to ${whom}` : say`Unassign from ${whom}`,
  };

  function ask(name: string): string {
    if (!isAllOfOne) return isAssigned ? say`Assign ${name} to ${whom}?` : say`Unassign ${name} from ${whom}?`;
    if (count === 1) return isAssigned ? say`Assign ${name} to them?` : say`Unassign ${name} from them?`;
    return isAssigned ? say`Assign ${name} to all of them?` : say`Unassign ${name} from all of them?`;
  }
}

function people(count: number): string {
  return countOf(count, 'person', 'people');
}
