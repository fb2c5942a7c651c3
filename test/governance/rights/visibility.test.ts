import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Actor } from '../../../src/directory/identity.ts';
import type { BatchRow } from '../../../src/domain/batch.ts';
import type { PlanContent } from '../../../src/domain/plan.ts';
import { rightsOf, visibilityOf as visibilityWith } from '../../../src/governance/rights/rights.ts';
import { userSchema, type User } from '../../../src/quiz-api/records.ts';
import { actor, quizUser } from '../../support/builders/users.ts';
import { runs } from '../../support/drawn.ts';

const groupsOfQuizzes: Record<string, Set<string>> = { 'q-5': new Set(['g-1', '']) };
const visibilityOf = (person: Actor) => visibilityWith(person, { known: (quizId) => groupsOfQuizzes[quizId] });

const everyFlag = { edit_quizzes: true, manage_users: true, manage_groups: true };
const quiz = (quiz_id: string) => ({ quiz_id, name: '' });
const group = (group_id: string) => ({ group_id, group_name: '' });
const assigned = (quiz_id: string) => ({ quiz_id, name: '', date_assigned: null });

const trainer = (more: Partial<User> = {}) =>
  visibilityOf(actor({ user_type: 'trainer', manage_users: true, ...more }));
const administrator = (more: Partial<User> = {}) =>
  visibilityOf(actor({ user_type: 'administrator', ...everyFlag, ...more }));
const respondent = (more: Partial<User> = {}) => visibilityOf(actor({ user_type: 'respondent', ...more }));
const owner = visibilityOf(actor(undefined, { isOwner: true, nobody: undefined }));
const nobody: Actor = actor(undefined);

describe('quizzes', () => {
  test('a trainer sees every quiz if the account names none for them', () => {
    expect(trainer().quiz(quiz('q-1'))).toBe(true);
    expect(trainer().seesEveryQuiz).toBe(true);
  });

  test('a trainer sees only the quizzes they train, whatever is assigned to them', () => {
    const { quiz: sees, seesEveryQuiz } = trainer({
      ...everyFlag,
      trainerquizzes: [quiz('q-1')],
      quizzes: [assigned('q-3')],
    });
    expect(['q-1', 'q-2', 'q-3'].map((id) => sees(quiz(id)))).toEqual([true, false, false]);
    expect(seesEveryQuiz).toBe(false);
  });

  test('an entry that cannot be read narrows a trainer to nothing', () => {
    const { quiz: sees, seesEveryQuiz } = trainer({ trainerquizzes: [quiz('')] });
    expect(['q-1', ''].map((id) => sees(quiz(id)))).toEqual([false, false]);
    expect(seesEveryQuiz).toBe(false);
  });

  test('administrators and owners see every quiz, whatever they train', () => {
    for (const { quiz: sees, seesEveryQuiz } of [
      administrator({ trainerquizzes: [quiz('q-2')] }),
      visibilityOf(actor({ user_type: 'administrator' })),
      owner,
    ]) {
      expect([sees(quiz('q-1')), seesEveryQuiz]).toEqual([true, true]);
    }
  });

  test('a respondent sees the quizzes assigned to them', () => {
    expect(respondent({ quizzes: [assigned('q-1')] }).quiz(quiz('q-1'))).toBe(true);
    expect(respondent({ quizzes: [assigned('q-1')] }).quiz(quiz('q-2'))).toBe(false);
    expect(respondent({ quizzes: [assigned('')] }).quiz(quiz(''))).toBe(false);
    expect(respondent({ trainerquizzes: [quiz('q-2')] }).quiz(quiz('q-2'))).toBe(false);
  });

  test('a respondent sees the quizzes assigned to one of their groups', () => {
    expect(respondent({ groups: [group('g-1')] }).quiz(quiz('q-5'))).toBe(true);
    expect(respondent({ groups: [group('g-1')] }).quiz(quiz('q-6'))).toBe(false);
    expect(
      [respondent({ groups: [group('g-2')] }), respondent({ groups: [group('')] })].map(({ quiz: sees }) =>
        sees(quiz('q-5')),
      ),
    ).toEqual([false, false]);
    expect(respondent({ groups: [group('g-1')], suspended: true }).quiz(quiz('q-5'))).toBe(false);
  });

  test('suspended users and strangers see none', () => {
    const seers = [
      trainer({ suspended: true }),
      administrator({ suspended: true }),
      respondent({ suspended: true, quizzes: [assigned('q-1')] }),
      visibilityOf(nobody),
    ];
    expect(seers.map(({ quiz: sees }) => sees(quiz('q-1')))).toEqual([false, false, false, false]);
  });
});

describe('the record of a user', () => {
  const rosa = quizUser({ quizzes: [assigned('q-1'), assigned('q-9')], groups: [group('g-1'), group('g-9')] });

  test('is for trainers who manage users, through a quiz or group they train', () => {
    expect(trainer({ trainerquizzes: [quiz('q-1')] }).user(rosa)).toBe(true);
    expect(trainer({ trainergroups: [group('g-9')] }).user(rosa)).toBe(true);
    expect(trainer({ trainerquizzes: [quiz('q-2')], trainergroups: [group('g-2')] }).user(rosa)).toBe(false);
    expect(trainer({ trainerquizzes: [quiz('q-1')] }).user(quizUser())).toBe(false);
  });

  test('is for no trainer for whom the account names no quiz and no group', () => {
    expect(trainer().user(rosa)).toBe(false);
    expect(trainer(everyFlag).user(rosa)).toBe(false);
  });

  test('is for nobody through entries that cannot be read', () => {
    const unreadable = quizUser({ quizzes: [assigned('')], groups: [group('')] });
    expect(trainer({ trainerquizzes: [quiz('')], trainergroups: [group('')] }).user(unreadable)).toBe(false);
  });

  test('needs the right to manage users, also for administrators', () => {
    const training = { trainerquizzes: [quiz('q-1')], trainergroups: [group('g-1')] };
    expect(trainer({ ...training, ...everyFlag, manage_users: false }).user(rosa)).toBe(false);
    expect(administrator({ manage_users: false }).user(rosa)).toBe(false);
    expect([administrator().user(rosa), owner.user(rosa)]).toEqual([true, true]);
    expect([respondent({ ...training, ...everyFlag }).user(rosa), visibilityOf(nobody).user(rosa)]).toEqual([
      false,
      false,
    ]);
  });
});

test('a person trains those who are in a quiz or group that they train, with any right; an administrator trains everyone', () => {
  const rosa = quizUser({ groups: [group('g-1')] });
  const crew = { trainergroups: [group('g-1')] };
  const none = { edit_quizzes: false, manage_users: false, manage_groups: false };
  const trains = [trainer({ ...none, ...crew }), trainer(everyFlag), administrator(none), owner].map((one) =>
    one.trains(rosa),
  );
  expect(trains).toEqual([true, false, true, true]);
  expect([respondent({ ...everyFlag, ...crew }), visibilityOf(nobody)].map((one) => one.trains(rosa))).toEqual([
    false,
    false,
  ]);
});

test('a user is chosen by name by people who edit quizzes, and by people who manage users or groups where they train the user', () => {
  const rosa = quizUser({ groups: [group('g-1')] });
  const crew = { trainergroups: [group('g-1')] };
  const none = { edit_quizzes: false, manage_users: false, manage_groups: false };
  const choosers = [
    { edit_quizzes: true },
    { manage_users: true, ...crew },
    { manage_groups: true, ...crew },
    { manage_users: true },
    { manage_groups: true },
    crew,
  ];
  expect(choosers.map((more) => trainer({ ...none, ...more }).userByName(rosa))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(administrator(none).userByName(rosa)).toBe(false);
  expect(respondent(everyFlag).userByName(rosa)).toBe(false);
});

test('a group is managed by trainers who train it and manage groups, and chosen by name by people who edit quizzes as well', () => {
  const crew = group('g-1');
  const seen = ({ group: manages, groupByName }: ReturnType<typeof visibilityOf>) => [manages(crew), groupByName(crew)];
  expect(seen(trainer({ manage_groups: true, trainergroups: [crew] }))).toEqual([true, true]);
  expect(seen(trainer({ manage_groups: true, trainergroups: [group('g-2')] }))).toEqual([false, false]);
  expect(seen(trainer({ manage_groups: true }))).toEqual([false, false]);
  expect(seen(trainer({ manage_groups: true, trainergroups: [group('')] }))).toEqual([false, false]);
  expect(seen(trainer({ edit_quizzes: true, trainergroups: [crew] }))).toEqual([false, true]);
  expect([administrator(), administrator({ manage_groups: false }), owner].map(seen)).toEqual([
    [true, true],
    [false, true],
    [true, true],
  ]);
  expect([respondent({ ...everyFlag, trainergroups: [crew] }), visibilityOf(nobody)].map(seen)).toEqual([
    [false, false],
    [false, false],
  ]);
});

test('the addresses of a quiz’s respondents are for trainers of the quiz and administrators, with the right to manage users', () => {
  const fireSafety = quiz('q-1');
  expect(trainer({ trainerquizzes: [fireSafety] }).addressesIn(fireSafety)).toBe(true);
  expect(
    [trainer(), trainer({ manage_users: false, trainerquizzes: [fireSafety] })].map(({ addressesIn }) =>
      addressesIn(fireSafety),
    ),
  ).toEqual([false, false]);
  expect(
    [administrator(), owner, administrator({ manage_users: false })].map(({ addressesIn }) => addressesIn(fireSafety)),
  ).toEqual([true, true, false]);
});

test('the rows of another person’s plan are for administrators with the right to make each of them, where it needs approval', () => {
  const row: BatchRow = {
    kind: 'change',
    name: 'Rosa',
    words: 'is suspended',
    changes: [{ operation: 'suspend-user', input: { user: ['u-1'] } }],
  };
  const content = {
    kind: 'batch',
    operation: 'suspend-group',
    action: '',
    rows: [row],
    approval: 'privileged',
  } as const;
  const sees = (plan: unknown, user: Partial<User>) =>
    visibilityOf(actor(user)).planOfOther({ content: plan as PlanContent });
  const [manager, editor] = [{ manage_users: true }, { edit_quizzes: true }];
  expect(sees(content, { user_type: 'administrator', ...manager })).toBe(true);
  expect(sees(content, { user_type: 'administrator', ...editor })).toBe(false);
  expect(sees(content, { user_type: 'trainer', ...manager })).toBe(false);
  expect(sees({ ...content, approval: null }, { user_type: 'administrator', ...manager })).toBe(false);
  const skipped: BatchRow = { kind: 'none', name: 'Kim', outcome: { kind: 'skipped', error: 'They have left.' } };
  const changing = (...operations: string[]) => ({
    ...content,
    rows: [skipped, { ...row, changes: operations.map((operation) => ({ operation, input: {} })) }],
  });
  const both = changing('suspend-user', 'add-to-group');
  expect(sees(both, { user_type: 'administrator', ...manager })).toBe(false);
  expect(sees(both, { user_type: 'administrator', ...manager, manage_groups: true })).toBe(true);
  expect(sees(changing('what an older version had'), { user_type: 'administrator' })).toBe(true);
  expect(sees({ kind: 'campaign', approval: 'many' }, { user_type: 'administrator', ...editor })).toBe(true);
  expect(sees({ kind: 'campaign', approval: 'many' }, { user_type: 'administrator', ...manager })).toBe(false);
});

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
const quizGroups: Record<string, Set<string>> = { 'q-3': new Set(['g-1', '']) };

/** Everything a person with this record of the service may do and see, as words; nothing when it cannot be read. */
function reachOf(record: Record<string, unknown>): ReadonlySet<string> {
  const { data: user } = userSchema.safeParse(record);
  if (user === undefined) return new Set();
  const reader = { personId: 'U1', isOwner: false, user, nobody: undefined };
  const visibility = visibilityWith(reader, { known: (quizId) => quizGroups[quizId] });
  const groups = [...groupIds, ''].map((group_id) => ({ group_id, group_name: '' }));
  return new Set([
    ...rightsOf(reader),
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
    { numRuns: runs(5_000) },
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
