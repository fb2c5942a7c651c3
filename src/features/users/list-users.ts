import { say } from '../../domain/said.ts';
import { parseFilter } from '../../operations/clauses/filter-line.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { ageOfList } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import { listedAtMost } from '../../operations/operation-result.ts';
import type { User } from '../../quiz-api/users.ts';
import { usersPage, type UserFilter } from './pages.ts';
import { userTypes } from './user-options.ts';

const states = [
  { value: 'suspended', label: 'Suspended' },
  { value: 'active', label: 'Not suspended' },
] as const;

const fields = {
  name: { kind: 'text', label: 'Part of a name or address', maxLength: 250, optional: true },
  user_type: {
    kind: 'choice',
    label: 'Type',
    options: userTypes.map(({ value, label, also }) => ({ value, label, also })),
    optional: true,
    clause: { words: [], example: 'trainers', standsAlone: true },
  },
  state: {
    kind: 'choice',
    label: 'Status',
    options: states,
    optional: true,
    clause: { words: [], example: 'suspended', standsAlone: true },
  },
  group: {
    kind: 'group',
    label: 'Group',
    byName: true,
    optional: true,
    clause: { words: ['in'], example: say`in Kitchen` },
  },
} as const satisfies Fields;

export const listUsers = defineOperation({
  name: 'list-users',
  command: '/quiz-user list [filter]',
  synonyms: ['ls', 'users'],
  summary: 'List all users, or search by name, type, group or suspension',
  access: 'read',
  right: 'manage_users',
  submit: 'List',
  fields,
  parse: (line) => parseFilter(line, fields, { name: 'name' }),
  async run({ directory, visibility, call }, { name, user_type, state, group }) {
    const userType = userTypes.find(({ value }) => value === user_type)?.value;
    const filter: UserFilter = {
      name,
      userType,
      isSuspended: state === undefined ? undefined : state === 'suspended',
      group,
    };
    const { names, readAt } = await directory.users.recentNames(call);
    const accepts = (user: User) =>
      (userType === undefined || user.user_type === userType) &&
      (filter.isSuspended === undefined || user.suspended === filter.isSuspended) &&
      (group === undefined || user.groups.some(({ group_id }) => group_id === group.group_id)) &&
      visibility.user(user);
    const users = names.search(name ?? '', { limit: listedAtMost, accepts });
    const count = users.length < listedAtMost ? users.length : names.count(name ?? '', { accepts });
    return { kind: 'page', ...usersPage(users, { filter, count, age: ageOfList(readAt) }) };
  },
});
