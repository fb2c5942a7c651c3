import type { User, UserType } from '../quiz-api/users.ts';
import type { Group } from '../quiz-api/groups.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError, UnclearInputError } from './errors.ts';
import { findGroup } from './fields/group.ts';
import { defineOperation } from './operation.ts';
import { mentionsInWords, partsOf, quote } from './typed-text.ts';
import { userTypes } from './user-options.ts';

/** Which users a list shows. A property that is missing narrows nothing. */
export interface UserFilter {
  userType?: UserType;
  isSuspended?: boolean;
  /** The name of a group. */
  group?: string;
  /** Words of a name or an address. */
  name?: string;
}

const states = [
  { value: 'suspended', label: 'Suspended' },
  { value: 'active', label: 'Not suspended' },
] as const;

export const listUsers = defineOperation({
  name: 'list-users',
  command: '/quiz-user list [filter]',
  summary: 'List all users, or search by name, type, group or suspension',
  access: 'read',
  right: 'manage_users',
  submit: 'List',
  fields: {
    filter: { kind: 'text', label: 'Filter', maxLength: 250, optional: true, isParsed: true, typedOnly: true },
    name: { kind: 'text', label: 'Part of a name or address', maxLength: 250, optional: true },
    user_type: { kind: 'choice', label: 'Type', options: userTypes.map(({ value, label }) => ({ value, label })), optional: true },
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
    await directory.users.fresh(call);
    const fits = (user: User) =>
      (filter.userType === undefined || user.user_type === filter.userType) &&
      (filter.isSuspended === undefined || user.suspended === filter.isSuspended) &&
      (group === undefined || user.groups.some(({ group_id }) => group_id === group.group_id));
    const users = (await directory.users.names(call)).search(filter.name ?? '', { limit: Infinity, accepts: (user) => fits(user) && visibility.user(user) });
    return { kind: 'users', filter, users };
  },
});

async function groupNamed(context: OperationContext, typed: string): Promise<Group> {
  const found = await findGroup(typed, context, { byName: true });
  if (found.kind === 'value') return found.value;
  if (found.kind === 'invalid') throw new InvalidInputError('group', found.message);
  throw new UnclearInputError('group', found);
}

const typeWords: Readonly<Record<string, UserType>> = Object.fromEntries(
  [...userTypes.flatMap(({ value }) => [[value, value], [`${value}s`, value]]), ['admin', 'administrator'], ['admins', 'administrator']],
);

/**
 * Reads a filter as people type it: `suspended`, `active`, `trainers`, `in Kitchen` and words of a name or an address, in any
 * order. Quoted text is a name.
 * @throws {InvalidInputError}
 */
export function parseUserFilter(text: string): UserFilter {
  const filter: UserFilter = {};
  const names: string[] = [];
  const group: string[] = [];
  let isInGroup = false;
  for (const { kind, text: part } of partsOf(text)) {
    const word = kind === 'word' ? part.toLowerCase() : '';
    const userType = typeWords[word];
    if (userType) {
      if (filter.userType && filter.userType !== userType) throw new InvalidInputError('filter', `Nobody is both ${filter.userType} and ${userType}. Choose one of them.`);
      filter.userType = userType;
    } else if (word === 'suspended' || word === 'active') {
      filter.isSuspended = word === 'suspended';
    } else if (word === 'in' && !isInGroup && group.length === 0) {
      isInGroup = true;
      continue;
    } else {
      (isInGroup ? group : names).push(mentionsInWords(part));
      // A quoted name is whole.
      if (kind === 'word') continue;
    }
    isInGroup = false;
  }
  if (isInGroup && group.length === 0) throw new InvalidInputError('filter', 'After “in” comes a group, for example in Kitchen.');
  const [name, groupName] = [names, group].map((words) => words.filter((one) => one !== '').join(' '));
  return { ...filter, ...(groupName && { group: groupName }), ...(name && { name }) };
}

/** Writes a filter so that `parseUserFilter` reads the same. */
export function formatUserFilter({ userType, isSuspended, group, name }: UserFilter): string {
  const quoted = (text: string) => quote(text, ['“', '”']);
  return [
    isSuspended === undefined ? '' : isSuspended ? 'suspended' : 'active',
    userType ? `${userType}s` : '',
    name === undefined ? '' : isPlain(name) ? name : quoted(name),
    group === undefined ? '' : `in ${isPlain(group) ? group : quoted(group)}`,
  ].filter((part) => part !== '').join(' ');
}

/** Whether none of the words of a name means something else when it is typed without quotation marks. */
function isPlain(name: string): boolean {
  const isWord = ({ kind, text }: { kind: string; text: string }) => kind === 'word' && !/^(in|suspended|active)$/i.test(text) && typeWords[text.toLowerCase()] === undefined;
  return partsOf(name).every(isWord) && partsOf(name).map(({ text }) => text).join(' ') === name;
}
