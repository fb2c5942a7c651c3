import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rightsOf, visibilityOf } from '../../../src/governance/rights/rights.ts';
import { userSchema } from '../../../src/quiz-api/records.ts';
import { quizUser } from '../../support/builders/users.ts';

const quizIds = ['q-1', 'q-2', 'q-3'];
const groupIds = ['g-1', 'g-2'];
const types = ['respondent', 'trainer', 'administrator'];
const named = (ids: readonly string[]) => ids.map((id) => ({ quiz_id: id, group_id: id, name: id, group_name: id }));

/** Everybody a person might see: a user for each quiz and group, one with an entry that cannot be read, and one with nothing. */
const users = [
  ...quizIds.map((quiz_id) => quizUser({ user_id: quiz_id, quizzes: [{ quiz_id, name: '', date_assigned: null }] })),
  ...groupIds.map((group_id) => quizUser({ user_id: group_id, groups: [{ group_id, group_name: '' }] })),
  quizUser({
    user_id: 'unreadable',
    quizzes: [{ quiz_id: '', name: '', date_assigned: null }],
    groups: [{ group_id: '', group_name: '' }],
  }),
  quizUser({ user_id: 'alone' }),
];
const groupsOfQuizzes: Record<string, Set<string>> = { 'q-3': new Set(['g-1', '']) };

/** Everything a person with this record of the service may do and see, as words; nothing when it cannot be read. */
function reachOf(record: Record<string, unknown>): ReadonlySet<string> {
  const { data: user } = userSchema.safeParse(record);
  if (user === undefined) return new Set();
  const actor = { personId: 'U1', isOwner: false, user, nobody: undefined };
  const visibility = visibilityOf(actor, { known: (quizId) => groupsOfQuizzes[quizId] });
  const groups = [...groupIds, ''].map((group_id) => ({ group_id, group_name: '' }));
  return new Set([
    ...rightsOf(actor),
    ...(visibility.seesEveryQuiz ? ['every quiz'] : []),
    ...[...quizIds, 'q-9', ''].filter((quiz_id) => visibility.quiz({ quiz_id })).map((id) => `quiz ${id}`),
    ...[...quizIds, 'q-9', '']
      .filter((quiz_id) => visibility.addressesIn({ quiz_id }))
      .map((id) => `addresses in ${id}`),
    ...users.filter(visibility.user).map(({ user_id }) => `user ${user_id}`),
    ...users.filter(visibility.userByName).map(({ user_id }) => `name of ${user_id}`),
    ...groups.filter(visibility.group).map(({ group_id }) => `group ${group_id}`),
    ...groups.filter(visibility.groupByName).map(({ group_id }) => `name of ${group_id}`),
  ]);
}

/** The ids that a value spells anywhere. */
const spelledIn = (value: unknown, ids: readonly string[]) =>
  ids.filter((id) => JSON.stringify(value)?.includes(JSON.stringify(id)));
const spells = (value: unknown, ...words: string[]) =>
  words.some((word) => word === (typeof value === 'string' ? value.trim().toLowerCase() : JSON.stringify(value)));

/** The most that a value of a field may mean, as the specification writes it. */
const most: Record<string, (value: unknown) => unknown> = {
  user_type: (value) => (types.some((type) => type === value) ? value : 'respondent'),
  suspended: (value) => !(value === null || value === undefined || spells(value, 'false', '0')),
  manage_users: (value) => spells(value, 'true', '1'),
  manage_groups: (value) => spells(value, 'true', '1'),
  edit_quizzes: (value) => spells(value, 'true', '1'),
  quizzes: (value) => named(spelledIn(value, quizIds)),
  groups: (value) => named(spelledIn(value, groupIds)),
  trainerquizzes: (value) =>
    value === null || value === undefined || JSON.stringify(value) === '[]'
      ? []
      : named([...spelledIn(value, quizIds), 'no quiz']),
  trainergroups: (value) => named(spelledIn(value, groupIds)),
};
const rightsFields = Object.keys(most);

const someOf = (ids: readonly string[]) => fc.subarray([...ids]).map(named);
const anyRecord = fc.record({
  user_id: fc.constant('u-1'),
  user_name: fc.constant('kim'),
  user_type: fc.constantFrom(...types, 'auditor'),
  suspended: fc.boolean(),
  manage_users: fc.boolean(),
  manage_groups: fc.boolean(),
  edit_quizzes: fc.boolean(),
  quizzes: someOf(quizIds),
  groups: someOf(groupIds),
  trainerquizzes: someOf(quizIds),
  trainergroups: someOf(groupIds),
});

/** Any JSON, and the values that are most like the usual ones. */
const id = fc.constantFrom(...quizIds, ...groupIds, '', '*');
const item = fc.oneof(
  id,
  fc.jsonValue({ maxDepth: 1 }),
  fc.dictionary(
    fc.constantFrom('id', 'quiz_id', 'group_id', 'name', 'ref'),
    fc.oneof(id, fc.jsonValue({ maxDepth: 1 })),
    { maxKeys: 3 },
  ),
);
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  item,
  fc.array(item, { maxLength: 3 }),
  fc.constantFrom(
    'true',
    'True',
    ' TRUE ',
    'false',
    '0',
    '1',
    1,
    0,
    2,
    'yes',
    '',
    'Trainer',
    'administrator ',
    ...types,
    undefined,
  ),
);

test('a field that holds any JSON never gives a person more than what it spells', () => {
  fc.assert(
    fc.property(anyRecord, fc.constantFrom(...rightsFields), anyValue, (record, field, value) => {
      const allowed = reachOf({ ...record, [field]: most[field]?.(value) });
      expect([...reachOf({ ...record, [field]: value })].filter((reach) => !allowed.has(reach))).toEqual([]);
    }),
    { numRuns: 5_000 },
  );
});

test('records of the usual form have some reach, so that the property compares something', () => {
  const record = {
    user_id: 'u-1',
    user_name: 'kim',
    user_type: 'trainer',
    manage_users: true,
    trainergroups: named(['g-1']),
  };
  expect([...reachOf(record)]).toEqual(expect.arrayContaining(['staff', 'manage_users', 'every quiz', 'user g-1']));
  expect([...reachOf({ ...record, trainerquizzes: [{ ref: 7 }] })]).not.toContain('every quiz');
});
