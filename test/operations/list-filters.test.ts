import { expect, test } from 'vitest';
import { operationNamed } from '../../src/operations/catalog.ts';
import { openHouse } from '../support/house.ts';

const readBy = (name: string, line: string) => {
  const operation = operationNamed(name)!;
  const readings = operation.parse!(line);
  return 'inputs' in readings ? readings.inputs : readings;
};

test.each([
  ['list-users', 'trainers respondents', 'Choose either “trainers” or “respondents”.'],
  ['list-users', 'rosa in', 'Something is missing after “in”. Type it like in Kitchen.'],
  ['list-quizzes', 'open or closed', 'Choose either “open” or “closed”.'],
])('%s explains “%s”', (name, line, message) => {
  expect(() => readBy(name, line)).toThrow(message);
});

async function listed(name: string, input: Record<string, unknown>, personId = 'UADA') {
  const account = openHouse();
  Object.assign(account.account.quizzes[2]!, { name: 'Open water', status: 'closed' });
  const result = await operationNamed(name)!.run(await account.readerFor(personId), input as never);
  if (result.kind !== 'page') return [];
  return (result.parts ?? []).flatMap(({ items = [] }) =>
    items.map(({ about }) => (name === 'list-users' ? about!.name.split(' ')[0] : about!.name)),
  );
}

test('a list of quizzes is narrowed, and a name that reads like a state is found too', async () => {
  expect(await listed('list-quizzes', { status: 'open', name: 'fire' })).toEqual(['Fire drill', 'Fire safety']);
  expect(await listed('list-quizzes', { status: 'closed' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { status: 'closed', name: 'wat' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { status: 'open', name: 'water' })).toEqual(['Open water']);
  expect(await listed('list-quizzes', { status: 'closed', name: 'zoe' })).toEqual([]);
});

test('a list of users is narrowed', async () => {
  const group = (group_id: string, group_name: string) => ({ group_id, group_name });
  expect(await listed('list-users', { state: 'suspended' })).toEqual(['Sven']);
  expect(await listed('list-users', { name: 'er', user_type: 'trainer', group: group('g-1', 'Crew') })).toEqual([
    'Erin',
  ]);
  expect(await listed('list-users', { user_type: 'administrator', group: group('g-1', 'Crew') })).toEqual(['Ada']);
  expect(await listed('list-users', { group: group('g-none', 'Warehouse') })).toEqual([]);
});

test('a quiz is shown with at most three requests, with who has it and who took it', async () => {
  const account = openHouse();
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
