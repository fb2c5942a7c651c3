import { publicName } from '../directory/names.ts';
import type { Group } from '../quiz-api/groups.ts';
import type { User } from '../quiz-api/users.ts';
import { nameFor } from './fields/user.ts';
import { defineOperation } from './operation.ts';
import { assignmentWarning } from './wording/warnings.ts';

export const listGroups = defineOperation({
  name: 'list-groups',
  command: '/quiz-group list [filter]',
  summary: 'List the groups, or those with a word in their name',
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
  summary: 'Show a group and who is in it',
  access: 'read',
  right: 'manage_groups',
  submit: 'Show',
  fields: { group: { kind: 'group', label: 'Group' } },
  async run({ directory, visibility, call }, { group }) {
    const users = await directory.users.fresh(call);
    return { kind: 'group', group, members: users.filter((user) => isIn(user, group)).map((user) => ({ name: nameFor(user, visibility), isSuspended: user.suspended })) };
  },
});

export const addToGroup = defineOperation({
  name: 'add-to-group',
  command: '/quiz-group add <user> to <group>',
  summary: 'Put a user into a group',
  access: 'write',
  right: 'manage_groups',
  submit: 'Add',
  fields: { user: { kind: 'user', label: 'User', byName: true }, group: { kind: 'group', label: 'Group' } },
  effect: (_, { user, group }) => `${publicName(user)} is put into “${group.group_name}”.`,
  isDone: ({ user, group }) => isIn(user, group),
  async run(context, { user, group }) {
    await context.api.users.assignGroup(user.user_id, group.group_id, context.call);
    context.directory.users.put({ ...user, groups: [...without(user, group), group] });
    return { kind: 'done', message: `${publicName(user)} is in “${group.group_name}” now.` };
  },
});

export const removeFromGroup = defineOperation({
  name: 'remove-from-group',
  command: '/quiz-group remove <user> from <group>',
  summary: 'Take a user out of a group',
  access: 'write',
  right: 'manage_groups',
  submit: 'Remove',
  fields: { user: { kind: 'user', label: 'User', byName: true }, group: { kind: 'group', label: 'Group' } },
  effect: (_, { user, group }) => `${publicName(user)} is taken out of “${group.group_name}”.`,
  isDone: ({ user, group }) => !isIn(user, group),
  async run(context, { user, group }) {
    await context.api.users.unassignGroup(user.user_id, group.group_id, context.call);
    context.directory.users.put({ ...user, groups: without(user, group) });
    return { kind: 'done', message: `${publicName(user)} is no longer in “${group.group_name}”.` };
  },
});

export const assignToGroup = defineOperation({
  name: 'assign-to-group',
  command: '/quiz-group assign <quiz> to <group>',
  summary: 'Assign a quiz to everybody in a group',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Assign',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
  warn: (_, { quiz }) => assignmentWarning(quiz),
  effect: (_, { quiz, group }) => `Everybody in “${group.group_name}” gets “${quiz.name}”.`,
  async run({ api, directory, call }, { quiz, group }) {
    await api.quizzes.assignGroup(quiz.quiz_id, group.group_id, call);
    directory.quizGroups.change(quiz.quiz_id, group.group_id, true);
    return { kind: 'done', message: `“${quiz.name}” is assigned to the group “${group.group_name}”.` };
  },
});

export const unassignFromGroup = defineOperation({
  name: 'unassign-from-group',
  command: '/quiz-group unassign <quiz> from <group>',
  summary: 'Take a quiz away from a group',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Unassign',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, group: { kind: 'group', label: 'Group', byName: true } },
  effect: (_, { quiz, group }) => `“${quiz.name}” is no longer assigned to “${group.group_name}”.`,
  async run({ api, directory, call }, { quiz, group }) {
    await api.quizzes.unassignGroup(quiz.quiz_id, group.group_id, call);
    directory.quizGroups.change(quiz.quiz_id, group.group_id, false);
    return { kind: 'done', message: `“${quiz.name}” is no longer assigned to the group “${group.group_name}”.` };
  },
});

function isIn(user: User, group: Group): boolean {
  return user.groups.some(({ group_id }) => group_id === group.group_id);
}

function without(user: User, group: Group): User['groups'] {
  return user.groups.filter(({ group_id }) => group_id !== group.group_id);
}
