import type { Group, User, Quiz } from '../../quiz-api/records.ts';
import { countOf, say, shortName, named, namedList } from '../../domain/said.ts';
import { runStep, type Page, type Thing, type DoneResult, unchanged, made } from '../../operations/page.ts';
import { suspendedPart } from '../users/pages.ts';
import { nameFor } from '../../operations/fields/user.ts';
import { defineOperation, defineOpposites } from '../../operations/operation.ts';
import { isIn, groupsWithout } from '../../directory/quiz-groups.ts';
import { markedName, namedUser, publicName } from '../../directory/names.ts';
import { joins, leaves, memberRows, planMembers, type MemberChange } from '../batches/operations/plan-many.ts';
import { changeEach, changesAtMost } from '../../operations/change-each.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { UsersField } from '../../operations/fields/people.ts';
import type { GroupField, QuizField } from '../../operations/fields/things.ts';
import { assignmentWarning, couldTake, untilOpen, usersWithout } from '../quizzes/assignment-words.ts';
import { viewStep } from '../quizzes/list-and-show.ts';

export const listGroups = defineOperation({
  name: 'list-groups',
  command: '/quiz-group list [filter]',
  synonyms: ['ls', 'groups'],
  summary: 'List all groups, or search by name',
  isCommon: true,
  access: 'read',
  right: 'manage_groups',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true } },
  async run({ directory, visibility, call }, { filter = '' }) {
    await directory.groups.fresh(call);
    const names = await directory.groups.names(call);
    const groups = names.search(filter, { limit: Infinity, accepts: visibility.group });
    return { kind: 'page', ...groupsPage(groups, filter) };
  },
});

export const showGroup = defineOperation({
  name: 'show-group',
  command: '/quiz-group show <group>',
  synonyms: ['members', 'info', 'view', 'who'],
  summary: 'Show a group and its members',
  isCommon: true,
  buttons: { group: [{ label: 'View', in: ['list'], position: 1 }] },
  access: 'read',
  right: 'manage_groups',
  submit: 'Show',
  fields: { group: { kind: 'group', label: 'Group' } },
  async run({ directory, visibility, call }, { group }) {
    const users = await directory.users.fresh(call);
    const members = users
      .filter((user) => isIn(user, [group]))
      .map((user) => ({ name: nameFor(user, visibility), isSuspended: user.suspended }));
    return { kind: 'page', ...groupPage(group, members) };
  },
});

/** A list of groups with what the reader may do with each. */
export function groupsPage(groups: readonly Group[], filter: string): Page {
  if (groups.length === 0)
    return {
      heading:
        filter === ''
          ? say`There are no groups for you to see yet.`
          : say`No group has “${shortName(filter)}” in its name. \`/quiz-group list\` shows all of them.`,
    };
  return {
    heading: say`*${countOf(groups.length, 'group', 'groups')}*`,
    parts: [
      {
        items: groups.map((group) => ({
          line: say`👥 *${shortName(group.group_name, 100)}*`,
          about: thing(group, 'list'),
        })),
        narrow: say`/quiz-group list`,
      },
    ],
  };
}

/** A group with the people in it, under the names that the reader may see, and what the reader may do with it. */
export function groupPage(group: Group, members: readonly { name: string; isSuspended: boolean }[]): Page {
  return {
    heading: say`👥 *${shortName(group.group_name)}* · ${members.length === 0 ? say`nobody in it yet` : countOf(members.length, 'person', 'people')}`,
    parts: [
      {
        lines: members.map(({ name, isSuspended }) => say`${shortName(name, 80)}${suspendedPart(isSuspended)}`),
        narrow: say`/quiz-user list in ${shortName(group.group_name, 60)}`,
      },
    ],
    about: thing(group, 'page'),
    notes: [say`ID ${group.group_id}`],
  };
}

const thing = (group: Group, place: Thing['in']): Thing => ({
  kind: 'group',
  of: group,
  name: group.group_name,
  in: place,
});

interface Membership {
  user: User[];
  group: Group;
}

const addButton = { label: 'Add people…', in: ['list', 'page'], position: 2, opens: 'form' } as const;

export const [addToGroup, removeFromGroup] = defineOpposites<{ user: UsersField; group: GroupField }>((isMember) => {
  const isSo = (user: User, group: Group) => isIn(user, [group]) === isMember;
  const groupsOf = (user: User, group: Group, has: boolean) => [...groupsWithout(user, group), ...(has ? [group] : [])];
  const noChange = ({ user: users, group }: Membership) =>
    isMember
      ? say`${namesOf(users)} ${users.length === 1 ? 'was' : 'were'} in the group ${named(group.group_name)} already. Nothing changed.`
      : say`${namesOf(users)} ${users.length === 1 ? 'wasn’t' : 'weren’t'} in the group ${named(group.group_name)}. Nothing changed.`;
  return {
    name: isMember ? 'add-to-group' : 'remove-from-group',
    command: isMember ? '/quiz-group add <user> to <group>' : '/quiz-group remove <user> from <group>',
    ...(!isMember && { synonyms: ['delete', 'take'] }),
    summary: isMember ? 'Add users to a group, separated by commas' : 'Remove users from a group, separated by commas',
    title: isMember ? say`Add to a group` : say`Remove from a group`,
    ...(isMember && { isCommon: true, buttons: { group: [addButton] } }),
    access: 'write',
    right: 'manage_groups',
    submit: isMember ? 'Add users' : 'Remove users',
    fields: { user: { kind: 'users', label: 'Users', byName: true }, group: { kind: 'group', label: 'Group' } },
    action: ({ user: users, group }) =>
      isMember
        ? say`add ${namesOf(users)} to the group ${named(group.group_name)}`
        : say`remove ${namesOf(users)} from the group ${named(group.group_name)}`,
    effect: () =>
      isMember
        ? say`They would have every quiz that is assigned to the group.`
        : say`They would lose the quizzes that they have only through the group.`,
    noChange,
    isDone: ({ user: users, group }) => users.every((user) => isSo(user, group)),
    done: ({ user: users, group }) =>
      changed({ user: users.map((user) => ({ ...user, groups: groupsOf(user, group, !isMember) })), group }, isMember),
    plan: (context, input) =>
      input.user.length > changesAtMost ? planMembers(context, input, memberChange(isMember)) : undefined,
    rows: async (_, input) => memberRows(input, memberChange(isMember)),
    async run(context, input) {
      const { api, call, directory } = context;
      const { user: users, group } = await withUsersNow(context, input, (user) => isSo(user, input.group));
      const { succeeded, problems, note } = await changeEach(
        users.filter((user) => !isSo(user, group)),
        {
          couldNot: (user) =>
            isMember
              ? say`Couldn’t add ${namedUser(user, publicName)}`
              : say`Couldn’t remove ${namedUser(user, publicName)}`,
          findChanged: async (unclear) => whoIsIn(context, group, unclear, isMember),
          isStopping: context.isStopping,
          isOneOfMany: context.isOneOfMany,
          async change({ user_id: userId }) {
            const { assignGroup, unassignGroup } = api.users;
            await (isMember ? assignGroup : unassignGroup)(userId, group.group_id, call);
            directory.users.edit(userId, (known) => ({ ...known, groups: groupsOf(known, group, isMember) }));
          },
        },
      );
      if (succeeded.length === 0) return unchanged(noChange(input));
      const result = changed({ user: users, group }, isMember, succeeded);
      return { ...result, message: result.message + note, problems };
    },
  };
});

/** @param input as it was before */
function changed(
  { user: users, group }: Membership,
  isMember: boolean,
  moved = users.filter((user) => isIn(user, [group]) !== isMember),
): DoneResult {
  const rest = users.filter((user) => isIn(user, [group]) === isMember);
  const [names, of, isOne] = [namesOf(rest), named(group.group_name), rest.length === 1];
  const said = isMember
    ? say`Added ${namesOf(moved)} to the group ${of}.`
    : say`Removed ${namesOf(moved)} from the group ${of}.`;
  const left = isMember
    ? say`${names} ${isOne ? 'was' : 'were'} in it already.`
    : say`${names} ${isOne ? 'wasn’t' : 'weren’t'} in it.`;
  return {
    kind: 'done',
    message: rest.length === 0 ? said : `${said} ${left}`,
    problems: [],
    next: [
      runStep(say`Undo`, isMember ? removeFromGroup : addToGroup, {
        user: moved.map(({ user_id }) => user_id),
        group: [group.group_id],
      }),
    ],
  };
}

/** The users who are in the group by what the service says now, or who are not. */
async function whoIsIn(
  { api, directory, call }: OperationContext,
  group: Group,
  users: readonly User[],
  isMember: boolean,
): Promise<Set<User>> {
  const [first, ...others] = users;
  if (others.length > 0) await directory.users.refresh(call);
  else if (first) await directory.users.read(first.user_id, () => api.users.get(first.user_id, call));
  const now = await directory.users.names(call);
  return new Set(users.filter((user) => isIn(now.byId(user.user_id) ?? user, [group]) === isMember));
}

function memberChange(isAdded: boolean): MemberChange {
  const [joining, leaving] = [joins(addToGroup), leaves(removeFromGroup)];
  const [change, undo] = isAdded ? [joining, leaving] : [leaving, joining];
  return { change, undo, isAdded };
}

function namesOf(users: readonly User[]): string {
  return namedList(users.map(markedName));
}

/** The users as the service has them, where some would be left out because nothing seems to change for them. */
async function withUsersNow(
  { directory, call }: OperationContext,
  { user: users, group }: Membership,
  seemsDone: (user: User) => boolean,
): Promise<Membership> {
  if (!users.some(seemsDone)) return { user: users, group };
  await directory.users.fresh(call);
  const now = await directory.users.names(call);
  return { user: users.map((user) => now.byId(user.user_id) ?? user), group };
}

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
