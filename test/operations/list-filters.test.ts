import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operationNamed } from '../../src/operations/catalog.ts';
import { formatQuizFilter, parseQuizFilter, type QuizFilter } from '../../src/features/quizzes/quiz-filter.ts';
import { formatUserFilter, parseUserFilter, type UserFilter } from '../../src/features/users/user-filter.ts';
import { openGovernedAccount } from '../support/governed-account.ts';

describe('the filter of a list of quizzes', () => {
  test.each<[string, QuizFilter]>([
    ['', {}],
    ['fire', { name: 'fire' }],
    ['open', { status: 'open' }],
    ['in design', { status: 'in_design' }],
    ['In-Design fire', { status: 'in_design', name: 'fire' }],
    ['fire closed safety', { status: 'closed', name: 'fire safety' }],
    ['“open” water', { name: 'open water' }],
    ['in the kitchen', { name: 'in the kitchen' }],
    ['person:U0ROSA|rosa', { name: '@rosa' }],
  ])('“%s” is read', (typed, filter) => {
    expect(parseQuizFilter(typed)).toEqual(filter);
  });

  test('is written so that it reads the same', () => {
    const names = fc
      .stringMatching(/^[a-z“”"']+( [a-z“”"']+){0,3}$/)
      .filter((name) => parseQuizFilter(`"${name}"`).name === name);
    fc.assert(
      fc.property(
        fc.record(
          {
            status: fc.constantFrom('open' as const, 'closed' as const, 'in_design' as const),
            name: fc.oneof(fc.constantFrom('open', 'in design', 'closed doors'), names),
          },
          { requiredKeys: [] },
        ),
        (filter) => {
          const read = parseQuizFilter(formatQuizFilter(filter));
          expect(read).toEqual(filter);
        },
      ),
    );
  });
});

describe('the filter of a list of users', () => {
  test.each<[string, UserFilter]>([
    ['', {}],
    ['rosa', { name: 'rosa' }],
    ['suspended trainers', { isSuspended: true, userType: 'trainer' }],
    ['Admins', { userType: 'administrator' }],
    ['active respondent al', { isSuspended: false, userType: 'respondent', name: 'al' }],
    ['in night shift', { group: 'night shift' }],
    ['in night shift suspended al', { group: 'night shift', isSuspended: true, name: 'al' }],
    ['trainers in “Kitchen” al', { userType: 'trainer', group: 'Kitchen', name: 'al' }],
    ['“suspended” “in”', { name: 'suspended in' }],
  ])('“%s” is read', (typed, filter) => {
    expect(parseUserFilter(typed)).toEqual(filter);
  });

  test.each([
    ['trainers respondents', 'Nobody is both trainer and respondent. Choose one of them.'],
    ['rosa in', 'After “in” comes a group, for example in Kitchen.'],
  ])('“%s” is explained', (typed, message) => {
    expect(() => parseUserFilter(typed)).toThrow(message);
  });

  test('is written so that it reads the same', () => {
    const words = fc.constantFrom(
      'rosa',
      'in',
      'suspended',
      'trainers',
      'Kitchen',
      'night shift',
      'active duty',
      'al 2',
    );
    fc.assert(
      fc.property(
        fc.record(
          {
            userType: fc.constantFrom('trainer' as const, 'respondent' as const),
            isSuspended: fc.boolean(),
            group: words,
            name: words,
          },
          { requiredKeys: [] },
        ),
        (filter) => {
          expect(parseUserFilter(formatUserFilter(filter))).toEqual(filter);
        },
      ),
    );
  });
});

async function listed(name: string, input: Record<string, unknown>, personId = 'UADA') {
  const account = openGovernedAccount();
  onTestFinished(() => account.close());
  Object.assign(account.account.quizzes[2]!, { name: 'Open water', status: 'closed' });
  const result = await operationNamed(name)!.run(await account.readerFor(personId), input as never);
  if (result.kind !== 'page') return [];
  return (result.parts ?? []).flatMap(({ items = [] }) =>
    items.map(({ about }) => (name === 'list-users' ? about!.name.split(' ')[0] : about!.name)),
  );
}

test('words and inputs narrow a list of quizzes, and a name that reads like a filter is found too', async () => {
  expect(await listed('list-quizzes', { filter: 'open fire' })).toEqual(['Fire drill', 'Fire safety']);
  expect(await listed('list-quizzes', { status: 'closed' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { filter: 'open', status: 'closed', name: 'wat' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { filter: 'open water' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { filter: 'closed fire' })).toEqual([]);
});

test('words and inputs narrow a list of users', async () => {
  expect(await listed('list-users', { filter: 'suspended' })).toEqual(['Sven']);
  expect(await listed('list-users', { filter: 'er trainers in crew' })).toEqual(['Erin']);
  expect(
    await listed('list-users', { user_type: 'administrator', group: { group_id: 'g-1', group_name: 'Crew' } }),
  ).toEqual(['Ada']);
  expect(await listed('list-users', { filter: 'in warehouse' })).toEqual([]);
  await expect(listed('list-users', { filter: 'in nowhere' })).rejects.toMatchObject({ field: 'group' });
});

test('what was typed is put into the inputs of the form', () => {
  expect(operationNamed('list-quizzes')!.spread?.({ filter: ['open fire'] })).toEqual({
    status: ['open'],
    name: ['fire'],
  });
  expect(operationNamed('list-users')!.spread?.({ filter: ['suspended trainers in Kitchen al'] })).toEqual({
    user_type: ['trainer'],
    state: ['suspended'],
    group: ['Kitchen al'],
  });
});

test('a quiz is shown with at most three requests, with who has it and who took it', async () => {
  const account = openGovernedAccount();
  onTestFinished(() => account.close());
  const [fire] = account.account.quizzes;
  account.account.users
    .find(({ user_id }) => user_id === 'u-rosa')!
    .quizzes.push({ quiz_id: 'q-1', name: 'Fire safety', date_assigned: null });
  const context = await account.readerFor('UERIN');
  await context.directory.quizzes.fresh();
  account.calls.length = 0;
  const result = await operationNamed('show-quiz')!.run(context, { quiz: fire! });
  const page = result.kind === 'page' ? result : undefined;
  expect(page?.steps).toContainEqual(expect.objectContaining({ url: 'https://quiz.example/take/q-1' }));
  expect(page?.parts?.flatMap(({ facts = [] }) => facts)).toEqual(
    expect.arrayContaining([
      ['Assigned to', '1 person'],
      ['Submitted by', 'Nobody yet'],
    ]),
  );
  expect(account.calls.map(({ call }) => call)).toEqual(['quizzes.groups q-1', 'responses.list q-1']);
});
