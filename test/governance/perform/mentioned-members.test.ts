import { describe, expect, test } from 'vitest';
import { plainSentence } from '../../../src/domain/said.ts';
import { type HouseOptions, openHouse } from '../../support/house.ts';

type Options = HouseOptions;

const guest = { UGUEST: { outsider: 'guest' as const }, UBOT: { outsider: 'bot' as const } };
const crew = { personIds: ['UADA', 'UERIN', 'UGUS', 'UZOE', 'UGUEST', 'UBOT'] };

function open(options: Options = {}) {
  const account = openHouse({ people: guest, members: { C1: crew }, ...options });
  const run = (personId: string, to: string[], operation = 'assign-quiz') =>
    account.act(personId, operation, { quiz: ['ladders'], to });
  const assigned = () => account.calls.filter(({ call }) => call.startsWith('users.assignQuiz'));
  return { ...account, run, assigned };
}

describe('a quiz for the people in a channel', () => {
  test('is assigned only after a question that counts them', async () => {
    const { run, assigned } = open();
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
    const { run, assigned } = open();
    expect(await run('UROSA', ['users:u-ada u-erin'])).toMatchObject({ kind: 'refused' });
    expect(await run('UROSA', ['channel:C1|training'])).toMatchObject({ kind: 'refused' });
    expect(assigned()).toEqual([]);
  });

  test('and for others counts everyone once', async () => {
    const { run } = open();
    const outcome = await run('UADA', ['channel:C1|training', 'Crew', 'ada', 'rosa']);
    expect(outcome).toMatchObject({ kind: 'unconfirmed', label: 'Assign to 5 people and groups' });
    expect(await run('UADA', ['channel:C1|training'], 'unassign-quiz')).toMatchObject({
      kind: 'unconfirmed',
      label: 'Unassign from 3 people',
    });
  });

  test('is asked for with the reason that was given, by people who may not assign it', async () => {
    const input = { quiz: ['ladders'], to: ['channel:C1|training'], reason: ['New law'] };
    expect(await open().act('UGUS', 'assign-quiz', input)).toMatchObject({
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
    expect(await open({ members }).run('UADA', ['channel:C1|training'])).toMatchObject({
      kind: 'invalid',
      field: 'to',
      message: expect.stringContaining(message),
    });
  });
});

test('the people of a channel, and everyone, are added to a campaign only after a question that counts them', async () => {
  const { act, account } = open();
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
