import { publicName } from '../directory/names.ts';
import { named } from '../domain/sentence.ts';
import type { Group } from '../quiz-api/groups.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { User } from '../quiz-api/users.ts';
import { planMembers } from './batches/group-members.ts';
import { changeEach, changesAtMost } from './change-each.ts';
import type { OperationContext } from './context.ts';
import { nameFor } from './fields/user.ts';
import type { UsersField } from './fields/users.ts';
import { usersWithout } from './new-assignees.ts';
import { nextSteps } from './next-steps.ts';
import { defineOperation } from './operation.ts';
import type { DoneResult } from './operation-result.ts';
import { actions } from './wording/actions.ts';
import { noChanges, outcomes } from './wording/outcomes.ts';
import { proposals } from './wording/proposals.ts';
import { assignmentWarning } from './wording/warnings.ts';

export const listGroups = defineOperation({
  name: 'list-groups',
  command: '/quiz-group list [filter]',
  summary: 'List all groups, or search by name',
  access: 'read',
  right: 'manage_groups',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true } },
  async run({ directory, visibility, call }, { filter = '' }) {
    await directory.groups.fresh(call);
    const names = await directory.groups.names(call);
    return { kind: 'groups', filter, groups: names.search(filter, { limit: Infinity, accepts: visibility.group }) };
  },
});

export const showGroup = defineOperation({
  name: 'show-group',
  command: '/quiz-group show <group>',
  summary: 'Show a group and its members',
  access: 'read',
  right: 'manage_groups',
  submit: 'Show',
  fields: { group: { kind: 'group', label: 'Group' } },
  async run({ directory, visibility, call }, { group }) {
    const users = await directory.users.fresh(call);
    return {
      kind: 'group',
      group,
      members: users
        .filter((user) => isIn(user, group))
        .map((user) => ({ name: nameFor(user, visibility), isSuspended: user.suspended })),
    };
  },
});

interface Membership {
  user: User[];
  group: Group;
}

const membershipFields = {
  user: { kind: 'users', label: 'Users', byName: true },
  group: { kind: 'group', label: 'Group' },
} as const satisfies { user: UsersField; group: object };

/** @param input as it was before */
function added(
  { user: users, group }: Membership,
  problems: readonly string[] = [],
  changed = users.filter((user) => !isIn(user, group)),
): DoneResult {
  const already = users.filter((user) => isIn(user, group));
  return {
    kind: 'done',
    message: outcomes['add-to-group']({ users: changed, already, group }),
    problems,
    next: nextSteps['add-to-group']({ users: changed, group }),
  };
}

export const addToGroup = defineOperation({
  name: 'add-to-group',
  command: '/quiz-group add <user> to <group>',
  summary: 'Add users to a group, separated by commas',
  access: 'write',
  right: 'manage_groups',
  submit: 'Add users',
  fields: membershipFields,
  action: actions['add-to-group'],
  effect: proposals['add-to-group'],
  isDone: ({ user: users, group }) => users.every((user) => isIn(user, group)),
  done: (input) =>
    added({ ...input, user: input.user.map((user) => ({ ...user, groups: without(user, input.group) })) }),
  noChange: noChanges['add-to-group'],
  plan: (context, input) => (input.user.length > changesAtMost ? planMembers(context, input, 'join-group') : undefined),
  async run(context, input) {
    const { user: users, group } = await withUsersNow(context, input, isIn);
    const { succeeded, problems } = await changeEach(
      users.filter((user) => !isIn(user, group)),
      {
        couldNot: (user) => `Couldn’t add ${named(publicName(user))}`,
        isStopping: context.isStopping,
        async change(user) {
          await context.api.users.assignGroup(user.user_id, group.group_id, context.call);
          context.directory.users.put({ ...user, groups: [...without(user, group), group] });
        },
      },
    );
    return succeeded.length > 0
      ? added({ user: users, group }, problems, succeeded)
      : { kind: 'done', message: noChanges['add-to-group'](input), isNoChange: true };
  },
});

/** @param input as it was before */
function removed(
  { user: users, group }: Membership,
  problems: readonly string[] = [],
  changed = users.filter((user) => isIn(user, group)),
): DoneResult {
  const already = users.filter((user) => !isIn(user, group));
  return {
    kind: 'done',
    message: outcomes['remove-from-group']({ users: changed, already, group }),
    problems,
    next: nextSteps['remove-from-group']({ users: changed, group }),
  };
}

export const removeFromGroup = defineOperation({
  name: 'remove-from-group',
  command: '/quiz-group remove <user> from <group>',
  summary: 'Remove users from a group, separated by commas',
  access: 'write',
  right: 'manage_groups',
  submit: 'Remove users',
  fields: membershipFields,
  action: actions['remove-from-group'],
  effect: proposals['remove-from-group'],
  isDone: ({ user: users, group }) => users.every((user) => !isIn(user, group)),
  done: (input) =>
    removed({
      ...input,
      user: input.user.map((user) => ({ ...user, groups: [...without(user, input.group), input.group] })),
    }),
  noChange: noChanges['remove-from-group'],
  plan: (context, input) =>
    input.user.length > changesAtMost ? planMembers(context, input, 'leave-group') : undefined,
  async run(context, input) {
    const { user: users, group } = await withUsersNow(context, input, (user) => !isIn(user, input.group));
    const { succeeded, problems } = await changeEach(
      users.filter((user) => isIn(user, group)),
      {
        couldNot: (user) => `Couldn’t remove ${named(publicName(user))}`,
        isStopping: context.isStopping,
        async change(user) {
          await context.api.users.unassignGroup(user.user_id, group.group_id, context.call);
          context.directory.users.put({ ...user, groups: without(user, group) });
        },
      },
    );
    return succeeded.length > 0
      ? removed({ user: users, group }, problems, succeeded)
      : { kind: 'done', message: noChanges['remove-from-group'](input), isNoChange: true };
  },
});

/** The users as the service has them, where some would be left out because nothing seems to change for them. */
async function withUsersNow(
  { directory, call }: OperationContext,
  { user: users, group }: Membership,
  seemsDone: (user: User, group: Group) => boolean,
): Promise<Membership> {
  if (!users.some((user) => seemsDone(user, group))) return { user: users, group };
  await directory.users.fresh(call);
  const now = await directory.users.names(call);
  return { user: users.map((user) => now.byId(user.user_id) ?? user), group };
}

interface Assignment {
  quiz: Quiz;
  group: Group;
}

const assigned = (input: Assignment): DoneResult => ({
  kind: 'done',
  message: outcomes['assign-to-group'](input),
  next: nextSteps['assign-to-group'](input),
});

export const assignToGroup = defineOperation({
  name: 'assign-to-group',
  command: '/quiz-group assign <quiz> to <group>',
  summary: 'Assign a quiz to everyone in a group',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Assign quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
  warn: (_, { quiz }) => assignmentWarning(quiz),
  action: actions['assign-to-group'],
  effect: (_, input) => proposals['assign-to-group'](input),
  isDone: ({ quiz, group }, { quizGroups }) => quizGroups.known(quiz.quiz_id)?.has(group.group_id),
  reread: readGroups,
  done: assigned,
  noChange: noChanges['assign-to-group'],
  async run(context, input) {
    const { quiz, group } = input;
    const users = (await usersWithout(quiz, context))({ kind: 'group', group });
    await context.api.quizzes.assignGroup(quiz.quiz_id, group.group_id, context.call);
    context.directory.quizGroups.change(quiz.quiz_id, group.group_id, true);
    return { ...assigned(input), assigned: { quizId: quiz.quiz_id, quizName: quiz.name, users } };
  },
});

const unassigned = (input: Assignment): DoneResult => ({
  kind: 'done',
  message: outcomes['unassign-from-group'](input),
  next: nextSteps['unassign-from-group'](input),
});

export const unassignFromGroup = defineOperation({
  name: 'unassign-from-group',
  command: '/quiz-group unassign <quiz> from <group>',
  summary: 'Unassign a quiz from a group',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unassign quiz',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
  action: actions['unassign-from-group'],
  effect: proposals['unassign-from-group'],
  isDone({ quiz, group }, { quizGroups }) {
    const groupIds = quizGroups.known(quiz.quiz_id);
    return groupIds && !groupIds.has(group.group_id);
  },
  reread: readGroups,
  done: unassigned,
  noChange: noChanges['unassign-from-group'],
  async run({ api, directory, call }, input) {
    const { quiz, group } = input;
    await api.quizzes.unassignGroup(quiz.quiz_id, group.group_id, call);
    directory.quizGroups.change(quiz.quiz_id, group.group_id, false);
    return unassigned(input);
  },
});

/** Reads which groups have the quiz, into the directory. The service has no call for the quizzes of a group. */
async function readGroups({ api, directory, call }: OperationContext, input: Assignment): Promise<Assignment> {
  directory.quizGroups.put(input.quiz.quiz_id, await api.quizzes.groups(input.quiz.quiz_id, call));
  return input;
}

function isIn(user: User, group: Group): boolean {
  return user.groups.some(({ group_id }) => group_id === group.group_id);
}

function without(user: User, group: Group): User['groups'] {
  return user.groups.filter(({ group_id }) => group_id !== group.group_id);
}
