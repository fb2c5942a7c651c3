import { ageOfList } from '../../operations/next-step.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError, UnclearInputError } from '../../operations/errors.ts';
import { findGroup } from '../../operations/fields/group.ts';
import { defineOperation } from '../../operations/operation.ts';
import { listedAtMost } from '../../operations/operation-result.ts';
import { usersPage } from './pages.ts';
import { parseUserFilter, type UserFilter } from './user-filter.ts';
import { userTypes } from './user-options.ts';

const states = [
  { value: 'suspended', label: 'Suspended' },
  { value: 'active', label: 'Not suspended' },
] as const;

export const listUsers = defineOperation({
  name: 'list-users',
  command: '/quiz-user list [filter]',
  synonyms: ['ls', 'users'],
  summary: 'List all users, or search by name, type, group or suspension',
  access: 'read',
  right: 'manage_users',
  submit: 'List',
  fields: {
    filter: { kind: 'text', label: 'Filter', maxLength: 250, optional: true, isParsed: true, typedOnly: true },
    name: { kind: 'text', label: 'Part of a name or address', maxLength: 250, optional: true },
    user_type: {
      kind: 'choice',
      label: 'Type',
      options: userTypes.map(({ value, label }) => ({ value, label })),
      optional: true,
    },
    state: { kind: 'choice', label: 'Status', options: states, optional: true },
    group: { kind: 'group', label: 'Group', byName: true, optional: true },
  },
  spread: ({ filter: [typed = ''] = [], ...given }) => {
    const { userType, isSuspended, group, name } = parseUserFilter(typed);
    return {
      ...(userType && { user_type: [userType] }),
      ...(isSuspended !== undefined && { state: [isSuspended ? 'suspended' : 'active'] }),
      ...(group && { group: [group] }),
      ...(name && { name: [name] }),
      ...given,
    };
  },
  async run(context, { filter: typed = '', name, user_type, state, group: chosenGroup }) {
    const { directory, visibility, call } = context;
    const read = parseUserFilter(typed);
    const group = chosenGroup ?? (read.group === undefined ? undefined : await groupNamed(context, read.group));
    const userType = userTypes.find(({ value }) => value === user_type)?.value;
    const filter: UserFilter = {
      ...read,
      ...(userType && { userType }),
      ...(state && { isSuspended: state === 'suspended' }),
      ...(group && { group: group.group_name }),
      ...(name && { name }),
    };
    const { names, readAt } = await directory.users.recentNames(call);
    const fits = (user: User) =>
      (filter.userType === undefined || user.user_type === filter.userType) &&
      (filter.isSuspended === undefined || user.suspended === filter.isSuspended) &&
      (group === undefined || user.groups.some(({ group_id }) => group_id === group.group_id));
    const accepts = (user: User) => fits(user) && visibility.user(user);
    const text = filter.name ?? '';
    const users = names.search(text, { limit: listedAtMost, accepts });
    const count = users.length < listedAtMost ? users.length : names.count(text, { accepts });
    return { kind: 'page', ...usersPage(users, { filter, count, age: ageOfList(readAt) }) };
  },
});

async function groupNamed(context: OperationContext, typed: string): Promise<Group> {
  const found = await findGroup(typed, context, { byName: true });
  if (found.kind === 'value') return found.value;
  if (found.kind === 'invalid') throw new InvalidInputError('group', found.message);
  throw new UnclearInputError('group', found);
}
