import { describe, expect, test } from 'vitest';
import { plainSentence } from '../../../src/domain/said.ts';
import type { ExecutionResult } from '../../../src/governance/perform/execute.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openHouse, type HouseOptions } from '../../support/house.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const crew = { group_id: 'g-1', group_name: 'Crew' };

/** An account with so many people more, of whom the first has the quiz q-3 and is in the group Crew. */
async function open(count: number) {
  const personIds = [...numbers(count).map((n) => `UP${n}`), 'UZOE'];
  const account = openHouse({ members: { S1: { personIds } }, people: { UZOE: { name: 'Zoe Park' } } });
  for (const n of numbers(count)) {
    account.account.users.push(
      quizUser({
        user_id: `p-${n}`,
        user_name: `p${n}@quiz.example`,
        email_address: '',
        first_name: 'Person',
        last_name: String(n),
        quizzes: n === 0 ? [{ quiz_id: 'q-3', name: 'Ladders', date_assigned: null }] : [],
        groups: n === 0 ? [crew] : [],
      }),
    );
  }
  await account.directory.users.refresh();
  const run = (name: string, input: TextInput, personId = 'UADA') => account.act(personId, name, input);
  const writes = () => account.calls.filter(({ call }) => /assign/i.test(call));
  return { ...account, run, writes };
}

function planIn(outcome: ExecutionResult) {
  if (outcome.kind !== 'done' || outcome.result.kind !== 'preview' || outcome.result.plan.kind !== 'batch')
    throw new Error(`no preview, but ${JSON.stringify(outcome)}`);
  return { ...outcome.result, plan: outcome.result.plan };
}

const ids = (count: number) => [
  `users:${numbers(count)
    .map((n) => `p-${n}`)
    .join(' ')}`,
];

describe('a change of more than twenty people', () => {
  test('to a user group is previewed: who gets the quiz, who has it, and who has no user', async () => {
    const { run, writes, record, account } = await open(500);
    account.quizzes[2]!.status = 'closed';
    const { id, plan, page } = planIn(
      await run('assign-quiz', { quiz: ['ladders'], to: ['usergroup:S1|night-shift'] }),
    );
    expect(plainSentence(plan.action)).toBe('assign “Ladders” to 499 people');
    expect(plan).toMatchObject({ kind: 'batch', operation: 'assign-quiz', approval: null });
    expect(plan.rows[0]).toEqual({ kind: 'none', outcome: { kind: 'same', userId: 'p-0' }, name: 'Person 0' });
    expect(plan.rows[1]).toMatchObject({
      name: 'Person 1',
      words: 'gets the quiz',
      userId: 'p-1',
      changes: [{ operation: 'assign-quiz', input: { quiz: ['q-3'], to: ['user:p-1'] } }],
      notify: [{ quizId: 'q-3', quizName: 'Ladders', users: [{ userId: 'p-1' }] }],
    });
    expect(plan.rows[500]).toEqual({
      kind: 'none',
      outcome: { kind: 'skipped', error: 'They have no user in the quiz account.' },
      name: 'Zoe Park',
    });
    expect(plainSentence(page.parts?.[0]?.lines?.at(-1) || '')).toContain('“Ladders” is closed');
    expect(writes()).toEqual([]);
    // The batch itself goes on the record when it begins.
    expect((await record()).map(({ operation }) => operation)).not.toContain('assign-quiz');
    expect(await run('run-batch', { plan: [id] })).toMatchObject({
      kind: 'done',
      result: { message: expect.stringContaining('Started to assign') },
    });
    // The batch puts its beginning and its end on the record.
    expect((await record()).map(({ operation, action }) => [operation, action])).not.toContainEqual([
      'run-batch',
      'done',
    ]);
  });

  test('costs the service a list of users, however many there are', async () => {
    const { run, calls } = await open(500);
    calls.length = 0;
    await run('assign-quiz', { quiz: ['ladders'], to: ['usergroup:S1|night-shift'] });
    expect(calls.map(({ call }) => call).filter((call) => call.startsWith('users.') && call !== 'users.list')).toEqual([
      'users.get u-ada',
    ]);
  });

  test('takes a quiz from those who have it', async () => {
    const { run } = await open(30);
    const { plan } = planIn(await run('unassign-quiz', { quiz: ['ladders'], to: ids(30) }));
    expect(plan.rows.map(({ kind }) => kind)).toEqual(['change', ...numbers(29).map(() => 'none')]);
    expect(plan.rows[0]).toMatchObject({ words: 'loses the quiz', changes: [{ operation: 'unassign-quiz' }] });
  });

  test.each([
    ['add-to-group', 20],
    ['remove-from-group', 1],
  ] as const)('is a batch for %s too', async (name, count) => {
    const { run, writes } = await open(21);
    const input = { user: numbers(21).map((n) => `p-${n}`), group: ['Crew'] };
    const { id, plan } = planIn(await run(name, input));
    const operations = plan.rows.flatMap((row) => (row.kind === 'change' ? [row.changes[0].operation] : []));
    expect(operations).toEqual(numbers(count).map(() => name));
    expect(writes()).toEqual([]);
    expect(await run('run-batch', { plan: [id] })).toMatchObject({ kind: 'done' });
  });

  test('changes nothing where all is as asked', async () => {
    const { run } = await open(21);
    const input = { user: numbers(21).map((n) => `p-${n}`), group: ['Warehouse'] };
    const { id, canStart } = planIn(await run('remove-from-group', input));
    expect(canStart).toBe(false);
    expect(await run('run-batch', { plan: [id] })).toMatchObject({ kind: 'invalid', field: 'plan' });
  });

  test('needs approval where the person lacks the right, and is then asked for as a whole', async () => {
    const { run, account, directory } = await open(21);
    for (const user of account.users) user.groups = [crew];
    await directory.users.refresh();
    const { id, plan } = planIn(await run('assign-quiz', { quiz: ['ladders'], to: ids(21) }, 'UGUS'));
    expect(plan.approval).toBe('privileged');
    expect(await run('run-batch', { plan: [id] }, 'UGUS')).toMatchObject({ kind: 'unexplained' });
    expect(await run('run-batch', { plan: [id], reason: ['New law'] }, 'UGUS')).toMatchObject({ kind: 'requested' });
  });
});

test('a change of twenty people runs at once', async () => {
  const { run, writes } = await open(21);
  expect(await run('add-to-group', { user: numbers(20).map((n) => `p-${n + 1}`), group: ['Crew'] })).toMatchObject({
    kind: 'done',
    result: { kind: 'done' },
  });
  expect(writes()).toHaveLength(20);
});

type Options = HouseOptions;

const guest = { UGUEST: { outsider: 'guest' as const }, UBOT: { outsider: 'bot' as const } };
const channel = { personIds: ['UADA', 'UERIN', 'UGUS', 'UZOE', 'UGUEST', 'UBOT'] };

function openChannel(options: Options = {}) {
  const account = openHouse({ people: guest, members: { C1: channel }, ...options });
  const run = (personId: string, to: string[], operation = 'assign-quiz') =>
    account.act(personId, operation, { quiz: ['ladders'], to });
  const assigned = () => account.calls.filter(({ call }) => call.startsWith('users.assignQuiz'));
  return { ...account, run, assigned };
}

describe('a quiz for the people in a channel', () => {
  test('is assigned only after a question that counts them', async () => {
    const { run, assigned } = openChannel();
    const outcome = await run('UADA', ['channel:C1|training']);
    expect(outcome).toMatchObject({
      kind: 'unconfirmed',
      label: 'Assign to 3 people',
      input: { quiz: ['q-3'], to: ['users:u-ada u-erin u-gus'] },
    });
    expect(plainSentence(outcome.kind === 'unconfirmed' ? outcome.question : '')).toBe(
      '“#training” has 3 people. Assign “Ladders” to all of them? 1 more person has no user in the quiz account and is left out.',
    );
    expect(assigned()).toEqual([]);
    expect(await run('UADA', outcome.kind === 'unconfirmed' ? [...outcome.input['to']!] : [])).toMatchObject({
      kind: 'done',
    });
    expect(assigned()).toHaveLength(3);
  });

  test('is refused without the right, also when the button is pressed', async () => {
    const { run, assigned } = openChannel();
    expect(await run('UROSA', ['users:u-ada u-erin'])).toMatchObject({ kind: 'refused' });
    expect(await run('UROSA', ['channel:C1|training'])).toMatchObject({ kind: 'refused' });
    expect(assigned()).toEqual([]);
  });

  test('and for others counts everyone once', async () => {
    const { run } = openChannel();
    const outcome = await run('UADA', ['channel:C1|training', 'Crew', 'ada', 'rosa']);
    expect(outcome).toMatchObject({ kind: 'unconfirmed', label: 'Assign to 5 people and groups' });
    expect(await run('UADA', ['channel:C1|training'], 'unassign-quiz')).toMatchObject({
      kind: 'unconfirmed',
      label: 'Unassign from 3 people',
    });
  });

  test('is asked for with the reason that was given, by people who may not assign it', async () => {
    const input = { quiz: ['ladders'], to: ['channel:C1|training'], reason: ['New law'] };
    expect(await openChannel().act('UGUS', 'assign-quiz', input)).toMatchObject({
      kind: 'unconfirmed',
      input: { reason: ['New law'] },
    });
  });

  test.each<[string, Options['members'], string]>([
    [
      'nobody with a user',
      { C1: { personIds: ['UZOE', 'UGUEST'] } },
      'Nobody in #training has a user in the quiz account.',
    ],
    [
      'more than 5,000 people',
      { C1: { personIds: Array.from({ length: 5_001 }, (_, n) => `U${n}`) } },
      '#training has more than 5,000 people, and that’s the limit.',
    ],
    [
      'people whom Slack does not tell',
      { C1: { problem: 'Invigilator isn’t in #training.' } },
      'Invigilator isn’t in #training.',
    ],
  ])('is refused for a channel with %s', async (_, members, message) => {
    expect(await openChannel({ members }).run('UADA', ['channel:C1|training'])).toMatchObject({
      kind: 'invalid',
      field: 'to',
      message: expect.stringContaining(message),
    });
  });
});

test('the people of a channel, and everyone, are added to a campaign only after a question that counts them', async () => {
  const { act, account } = openChannel();
  const preview = await act('UADA', 'start-campaign', { quiz: ['ladders'], to: ['erin'], due: ['1 dec 17:00'] });
  const plan = preview.kind === 'done' && preview.result.kind === 'preview' ? preview.result.id : '';
  expect(await act('UADA', 'run-campaign', { plan: [plan] })).toMatchObject({ kind: 'done' });
  const adding = (people: string) => act('UADA', 'add-to-campaign', { people: [people], campaign: ['ladders'] });
  expect(await adding('channel:C1|training')).toMatchObject({
    label: 'Add 2 people',
    input: { people: ['channel:C1|training'], count: ['2'] },
  });
  const outcome = await adding('everyone');
  expect(outcome).toMatchObject({ kind: 'unconfirmed', label: 'Add 1 person', input: { people: ['everyone'] } });
  // The people whom a trainer adds at once are looked up again.
  for (const user of account.users) user.trainergroups = [{ group_id: 'g-1', group_name: 'Crew' }];
  expect(await act('UERIN', 'add-to-campaign', { people: ['everyone'], campaign: ['ladders'] })).toMatchObject({
    kind: 'unconfirmed',
    label: 'Add 1 person',
  });
  if (outcome.kind !== 'unconfirmed') return;
  expect(plainSentence(outcome.question)).toBe(
    '“the quiz account” has 1 person. Add those who aren’t in the campaign for “Ladders” yet?',
  );
  expect(await act('UADA', 'add-to-campaign', { ...outcome.input, count: ['2'] })).toMatchObject({
    kind: 'unconfirmed',
  });
  expect(await act('UADA', 'add-to-campaign', outcome.input)).toMatchObject({ kind: 'done', result: { next: [{}] } });
});
