import { nameFor } from '../../operations/fields/user.ts';
import { defineOperation } from '../../operations/operation.ts';
import { isIn } from '../users/belonging.ts';

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
    return { kind: 'groups', filter, groups: names.search(filter, { limit: Infinity, accepts: visibility.group }) };
  },
});

export const showGroup = defineOperation({
  name: 'show-group',
  command: '/quiz-group show <group>',
  synonyms: ['members', 'info', 'view', 'who'],
  summary: 'Show a group and its members',
  isCommon: true,
  buttons: {
    group: [{ label: 'View', in: ['list'], position: 1, input: ({ group_id }) => ({ group: [group_id] }) }],
  },
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
        .filter((user) => isIn(user, [group]))
        .map((user) => ({ name: nameFor(user, visibility), isSuspended: user.suspended })),
    };
  },
});
