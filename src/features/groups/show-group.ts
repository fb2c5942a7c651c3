import { nameFor } from '../../operations/fields/user.ts';
import { defineOperation } from '../../operations/operation.ts';
import { isIn } from '../users/belonging.ts';

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
