import { defineOperation } from '../../operations/operation.ts';
import { named, say } from '../../domain/said.ts';
import type { User, UserWithResults } from '../../quiz-api/records.ts';
import type { OperationContext } from '../../operations/context.ts';
import { InvalidInputError, UnclearInputError } from '../../operations/text-input.ts';
import { fromMatch } from '../../operations/fields/field-kind.ts';
import { nameFor } from '../../operations/fields/user.ts';
import { nameOrId } from '../../domain/record-names.ts';
import { matrixOf, type QuizObligation } from '../../obligations/matrix.ts';
import { visibleRunning } from '../../operations/fields/campaign.ts';
import { listedAtMost, ageOfList, type OperationResult } from '../../operations/page.ts';
import { userPage, usersPage, type UserFilter } from './pages.ts';
import { assignedQuizzesOf } from '../quizzes/assigned-quizzes.ts';
import { parseFilter } from '../../operations/clauses/filter-line.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { userTypes } from '../../operations/wording/words.ts';

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

export const showUser = defineOperation({
  name: 'show-user',
  command: '/quiz-user show <user>',
  synonyms: ['info', 'view', 'details', 'profile'],
  summary: 'Show a user with their rights, groups, notes, what they have to take, and results',
  buttons: { user: [{ label: 'View', in: ['list'], position: 1 }] },
  access: 'read',
  right: 'manage_users',
  submit: 'Show',
  fields: { user: { kind: 'user', label: 'User' } },
  async run(context, { user }) {
    return userResult(context, await context.api.users.get(user.user_id, context.call));
  },
});

export const findUser = defineOperation({
  name: 'find-user',
  command: '/quiz-user find <user_name>',
  synonyms: ['search', 'lookup'],
  summary: 'Find a user by user name or name, even if they’re too new for the list',
  isCommon: true,
  access: 'read',
  right: 'manage_users',
  submit: 'Find',
  fields: { user_name: { kind: 'text', label: 'User name or name', maxLength: 250 } },
  async run(context, { user_name }) {
    const { api, directory, visibility, call } = context;
    const userId = (await api.users.find(user_name, call)) ?? (await userNamed(context, user_name)).user_id;
    const user = await directory.users.read(userId, () => api.users.get(userId, call));
    if (!visibility.user(user)) throw new InvalidInputError('user_name', nobodyNamed(user_name));
    return userResult(context, user);
  },
});

/**
 * The only user of the list whom the name fits.
 * @throws {InvalidInputError} where the name fits nobody, or several, whom the person chooses from
 */
async function userNamed({ directory, visibility, call }: OperationContext, name: string): Promise<User> {
  const match = (await directory.users.names(call)).match(name, { accepts: visibility.user });
  const found = fromMatch(name, 'user', match, {
    candidate: (user) => ({ value: user.user_name, label: nameFor(user, visibility) }),
  });
  if (found.kind === 'value') return found.value;
  if (found.kind === 'unclear' && found.candidates.length > 0) throw new UnclearInputError('user_name', found);
  throw new InvalidInputError('user_name', nobodyNamed(name));
}

function nobodyNamed(name: string): string {
  return say`Nobody in the quiz account is called ${named(name)}. Check the spelling.`;
}

/** A user with the names of what they train, and what campaigns ask of them. The service may show only the ids: the directory may know the names. */
async function userResult(context: OperationContext, user: UserWithResults): Promise<OperationResult> {
  const { directory, visibility, call } = context;
  const { trainerquizzes, trainergroups } = user;
  const quizzes = trainerquizzes.some(({ name }) => name === '') ? await directory.quizzes.names(call) : undefined;
  const groups = [...trainergroups, ...user.groups].some(({ group_name }) => group_name === '')
    ? await directory.groups.names(call)
    : undefined;
  const groupName = ({ group_id, group_name }: User['groups'][number]) => {
    const known = groups?.byId(group_id);
    return nameOrId('group', group_name || (known && visibility.group(known) ? known.group_name : ''), group_id);
  };
  const shown = {
    user,
    assigned: await assignedQuizzesOf(user, context),
    obligations: await obligationsOf(user, context),
    groups: user.groups.map(groupName),
    trains: {
      quizzes: trainerquizzes.map(({ quiz_id, name }) => {
        const known = quizzes?.byId(quiz_id);
        return nameOrId('quiz', name || (known && visibility.quiz(known) ? known.name : ''), quiz_id);
      }),
      groups: trainergroups.map(groupName),
    },
  };
  return { kind: 'page', ...userPage(shown) };
}

/** In the campaigns that the reader sees; none for those who may not see results. */
async function obligationsOf({ user_id }: UserWithResults, context: OperationContext): Promise<QuizObligation[]> {
  if (!context.rights.has('edit_quizzes')) return [];
  const { quizzes, rows } = matrixOf(await visibleRunning(context), context.now(), (userId) => userId === user_id);
  return quizzes.flatMap((quiz, place) => {
    const cell = rows[0]?.cells[place];
    return cell ? [{ quiz, cell }] : [];
  });
}
