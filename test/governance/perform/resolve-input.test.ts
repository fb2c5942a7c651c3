import { describe, expect, test } from 'vitest';
import { named, plainSentence } from '../../../src/domain/said.ts';
import { resolveField, resolveInput, resolveLikeliest, whyNotFound } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { type Field } from '../../../src/operations/fields/fields.ts';
import type { SubscriptionState } from '../../../src/operations/services/features.ts';
import type { CallOptions } from '../../../src/quiz-api/transport.ts';
import { type HouseOptions, openHouse } from '../../support/house.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { quizUser } from '../../support/builders/users.ts';
import { turnsDuring } from '../../support/turns-during.ts';

async function open(who = 'UADA', channelId?: string, options?: HouseOptions) {
  const account = openHouse(options);
  const reader = await account.readerFor(who, channelId);
  const read = (field: Partial<Field> & Pick<Field, 'kind'>, ...typed: string[]) =>
    resolveField('it', { label: 'It', ...field } as Field, typed, reader);
  return { ...account, reader, read };
}

const value = (given: unknown) => ({ kind: 'value', value: given });
const invalid = (message: unknown) => ({ kind: 'invalid', field: 'it', message });

describe('an input', () => {
  test('is read field by field, without blanks around and empty texts', async () => {
    const { reader } = await open();
    const raw = {
      user_name: [' ', ' ines '],
      user_type: ['Trainer'],
      first_name: ['  '],
      flags: ['edit quizzes', '', 'manage_users'],
    };
    expect(await resolveInput(operationNamed('create-user')!, raw, reader)).toEqual({
      kind: 'read',
      input: { user_name: 'ines', user_type: 'trainer', flags: ['edit_quizzes', 'manage_users'] },
    });
  });

  test('lacks what is neither given nor optional', async () => {
    const { reader } = await open();
    expect(await resolveInput(operationNamed('create-user')!, { user_name: [' '] }, reader)).toEqual({
      kind: 'incomplete',
      field: 'user_name',
    });
  });

  test('with many readings searches for suggestions only for the likeliest, and lets the event loop run between them', async () => {
    const { reader } = await open();
    const suggests: boolean[] = [];
    const users = {
      ...reader.directory.users,
      names: async (call?: CallOptions) => {
        const index = await reader.directory.users.names(call);
        const match: typeof index.match = (text, options) => {
          suggests.push(options?.suggests ?? true);
          return index.match(text, options);
        };
        return { ...index, match };
      },
    };
    const inputs = Array.from({ length: 20 }, (_, n) => ({ user: [`${'zzq to '.repeat(n)}zzq`], group: ['crew'] }));
    const [likeliest, ...others] = inputs;
    const resolving = resolveLikeliest(operationNamed('add-to-group')!, [likeliest!, ...others], {
      ...reader,
      directory: { ...reader.directory, users },
    });
    expect(await turnsDuring(resolving)).toBeGreaterThanOrEqual(others.length);
    expect(await resolving).toMatchObject({ kind: 'unclear', field: 'user', typed: 'zzq' });
    expect(suggests).toEqual([true, ...others.map(() => false)]);
  });

  test('takes at most 100 texts for a field', async () => {
    const { read } = await open();
    expect(await read({ kind: 'assignees' }, ...Array.from({ length: 100 }, () => 'ada'))).toMatchObject({
      kind: 'value',
    });
    expect(await read({ kind: 'assignees' }, ...Array.from({ length: 101 }, () => 'ada'))).toEqual(
      invalid('You named 101, and 100 at once is the limit.'),
    );
  });
});

describe('a text', () => {
  test('is as long as the field takes, and no longer', async () => {
    const { read } = await open();
    expect(await read({ kind: 'text', maxLength: 5 }, 'abcde')).toEqual(value('abcde'));
    expect(await read({ kind: 'text', maxLength: 5 }, 'abcdef')).toEqual(
      invalid('This is 6 characters long, and 5 is the limit.'),
    );
    expect(await read({ kind: 'text', maxLength: 5 })).toEqual(value(''));
  });

  test.each(['rosa@example.com', 'r.a+b@mail.example.co'])('is an e-mail address: %s', async (typed) => {
    expect(await (await open()).read({ kind: 'email' }, typed)).toEqual(value(typed));
  });

  test.each(
    [
      'rosa, rosa@, @example.com, rosa@example, rosa@example., rosa@.com, rosa almeida@example.com',
      'a@b@example.com, <rosa@example.com>, rosa@example.com x, x rosa@example.com, rosa@exam ple.com',
      'rosa@example.com>, rosa@example.c om, rosa@exa@mple.com, rosa@example.c@om',
    ].flatMap((line) => line.split(', ')),
  )('is no e-mail address: %s', async (typed) => {
    expect(await (await open()).read({ kind: 'email' }, typed)).toEqual(
      invalid('This isn’t an e-mail address. Enter one like rosa@example.com.'),
    );
  });
});

describe('a choice', () => {
  const field = {
    kind: 'choice',
    options: [
      { value: 'respondent', label: 'Respondent' },
      { value: 'trainer', label: 'A trainer', needs: 'manage_users' },
      { value: 'x', label: 'Nobody' },
    ],
  } as const;

  test('is one of the options, by value or label in any case', async () => {
    const { read } = await open();
    for (const typed of ['trainer', 'TRAINER', 'a Trainer']) expect(await read(field, typed)).toEqual(value('trainer'));
  });

  test('is one of those the person may choose; otherwise these are named', async () => {
    const { read } = await open('UERIN');
    expect(await read(field, 'trainer')).toEqual(invalid('Choose Respondent or Nobody.'));
    expect(await read(field, 'Nobody')).toEqual(value('x'));
  });

  test('of several is taken whole or not at all', async () => {
    const { read } = await open();
    const flags = { ...field, kind: 'flags', optional: true } as const;
    expect(await read(flags, 'nobody', 'respondent')).toEqual(value(['x', 'respondent']));
    expect(await read(flags, 'nobody', 'moon')).toEqual(invalid('Choose Respondent, A trainer or Nobody.'));
  });
});

describe('a name', () => {
  const fire = [
    { value: 'q-2', label: 'Fire drill' },
    { value: 'q-1', label: 'Fire safety' },
  ];

  test.each<['quiz' | 'group' | 'user', string, string, readonly object[], boolean]>([
    ['quiz', 'UADA', 'fire', fire, true],
    ['quiz', 'UADA', 'laders', [{ value: 'q-3', label: 'Ladders' }], false],
    ['group', 'UADA', 'crow', [{ value: 'g-1', label: 'Crew' }], false],
    ['user', 'UADA', 'rosi almeida', [{ value: 'u-rosa', label: 'Rosa Almeida' }], false],
    // They may not see it.
    ['quiz', 'UROSA', 'ladders', [], false],
    ['group', 'UUMA', 'crew', [], false],
    ['user', 'UNORA', 'rosa', [], false],
  ])(
    'of a %s can mean several things to %s, or others, or nothing: %s',
    async (kind, who, typed, candidates, isAlike) => {
      const count = candidates.length;
      const unclear = { kind: 'unclear', field: 'it', index: 0, typed, noun: kind, candidates, count, isAlike };
      expect(await (await open(who)).read({ kind }, typed)).toEqual(unclear);
    },
  );

  test('that fits more than 25 is one of the best 25, and all are counted', async () => {
    const { read, account, directory } = await open();
    account.quizzes.push(
      ...Array.from({ length: 30 }, (_, n) => ({ ...account.quizzes[0]!, quiz_id: `q-fire-${n}`, name: `Fire ${n}` })),
    );
    await directory.quizzes.refresh();
    const many = await read({ kind: 'quiz' }, 'fire');
    expect(many).toMatchObject({ kind: 'unclear', count: 32, isAlike: true });
    expect(many).toHaveProperty('candidates.length', 25);
  });
});

describe('a user', () => {
  const message = (who: string) =>
    `${who} isn’t a user of the quiz account that you can see. The bot finds people by their Slack e-mail address.`;

  test.each(['person:UROSA', 'person:UROSA|rosa', 'person:UROSA|'])(
    'is a person who was mentioned: %s',
    async (typed) => {
      expect(await (await open()).read({ kind: 'user' }, typed)).toMatchObject(value({ user_id: 'u-rosa' }));
    },
  );

  test('is a mentioned person whom the list knows, and who is not asked for again', async () => {
    const { read, calls, reader } = await open();
    await read({ kind: 'user' }, 'person:UROSA');
    expect(calls.map(({ call }) => call)).toEqual(['users.list']);
    await read({ kind: 'user' }, 'person:UNOBODY');
    expect(calls.at(-1)).toEqual({ call: 'users.find nobody@quiz.example', options: reader.call });
  });

  test('is not a mentioned person who is no user, or none the person may see', async () => {
    expect(await (await open()).read({ kind: 'user' }, 'person:UNOBODY|nobody')).toEqual(
      invalid(message(named('@nobody'))),
    );
    expect(await (await open('UNORA')).read({ kind: 'user' }, 'person:UROSA')).toEqual(invalid(message('This person')));
  });

  test.each(['x person:UROSA', 'person:UROSA x', 'person:urosa', 'person:', '@UROSA', 'person:UROSA|a|b', '<@UROSA>'])(
    'is no mention: %s',
    async (typed) => {
      expect(await (await open()).read({ kind: 'user' }, typed)).toMatchObject({ kind: 'unclear', typed });
    },
  );
});

test('a user is no channel, and “me” is nobody for a person without a user', async () => {
  expect(await (await open()).read({ kind: 'user' }, 'channel:C1|training')).toMatchObject({
    kind: 'invalid',
    message: '#training isn’t a person. Name a user.',
  });
  const { reader } = await open('UNOBODY', undefined, { owners: ['UNOBODY'] });
  expect(await resolveLikeliest(operationNamed('suspend-user')!, [{ user: ['me'] }], reader)).toMatchObject({
    kind: 'invalid',
    message: 'You have no user in the quiz account.',
  });
});

describe('an assignee', () => {
  const user = (id: string) => ({ kind: 'user', user: expect.objectContaining({ user_id: id }) });
  const group = (id: string) => ({ kind: 'group', group: expect.objectContaining({ group_id: id }) });

  test('is one of several joined by “and”, unless that is a name', async () => {
    const { read, account, directory } = await open();
    expect(await read({ kind: 'assignees' }, 'rosa and crew & uma')).toEqual(
      value([user('u-rosa'), group('g-1'), user('u-uma')]),
    );
    expect(await read({ kind: 'assignees' }, 'rosa and nobody at all')).toMatchObject({
      kind: 'unclear',
      typed: 'rosa and nobody at all',
    });
    account.groups.push({ group_id: 'g-5', group_name: 'Rosa and crew' });
    await directory.groups.refresh();
    expect(await read({ kind: 'assignees' }, 'rosa and crew')).toEqual(value([group('g-5')]));
  });

  test('is a person rather than a group where both fit, unless the group’s name is meant exactly', async () => {
    const { read, account, directory } = await open();
    account.groups.push({ group_id: 'g-3', group_name: 'Rosa’s friends' }, { group_id: 'g-4', group_name: 'Rosa' });
    await directory.groups.refresh();
    expect(await read({ kind: 'assignees' }, 'rosa almeida')).toEqual(value([user('u-rosa')]));
    expect(await read({ kind: 'assignees' }, 'Rosa')).toEqual(value([group('g-4')]));
    account.groups.pop();
    await directory.groups.refresh();
    expect(await read({ kind: 'assignees' }, 'Rosa')).toEqual(value([user('u-rosa')]));
  });

  test('is the person or group whose id or mention it is, whatever others are called', async () => {
    const { read, account, directory } = await open();
    account.groups.push({ group_id: 'g-3', group_name: 'u-rosa' }, { group_id: 'g-4', group_name: 'person:UROSA' });
    account.users.push(quizUser({ user_id: 'u-2', user_name: 'g-2' }));
    await Promise.all([directory.groups.refresh(), directory.users.refresh()]);
    expect(await read({ kind: 'assignees' }, 'user:u-rosa', 'person:UROSA', 'group:g-2')).toEqual(
      value([user('u-rosa'), user('u-rosa'), group('g-2')]),
    );
  });

  test('is a group although a person fits whom one may not see', async () => {
    const { account, directory, readerFor } = await open();
    Object.assign(account.users[3]!, { trainergroups: [{ group_id: 'g-3', group_name: 'Rosa’s friends' }] });
    account.groups.push({ group_id: 'g-3', group_name: 'Rosa’s friends' });
    await Promise.all([directory.groups.refresh(), directory.users.refresh()]);
    expect(await resolveField('it', { kind: 'assignees', label: 'It' }, ['rosa'], await readerFor('UGUS'))).toEqual(
      value([group('g-3')]),
    );
  });

  test('is a group the person may see', async () => {
    const { read } = await open('UUMA');
    expect(await read({ kind: 'assignees' }, 'crew')).toMatchObject({
      kind: 'unclear',
      noun: 'user or group',
      candidates: [],
    });
    expect(await read({ kind: 'assignees' }, 'group:g-1')).toMatchObject({
      kind: 'unclear',
      noun: 'group',
      typed: 'g-1',
    });
  });

  test('that fits several groups is offered as these', async () => {
    const { read, account, directory } = await open();
    account.groups.push({ group_id: 'g-3', group_name: 'Crew two' }, { group_id: 'g-4', group_name: 'Crewel' });
    await directory.groups.refresh();
    expect(await read({ kind: 'assignees' }, 'uma', 'cre')).toMatchObject({
      kind: 'unclear',
      index: 1,
      noun: 'group',
      candidates: expect.arrayContaining([
        { value: 'group:g-1', label: 'Crew' },
        { value: 'group:g-3', label: 'Crew two' },
      ]),
    });
  });
});

describe('a channel', () => {
  test.each([
    ['channel:C1', 'C1', undefined],
    ['channel:C1|training', 'C1', 'training'],
    ['channel:G1AB|', 'G1AB', undefined],
  ])('is %s', async (typed, id, name) => {
    expect(await (await open('UADA', undefined)).read({ kind: 'channel' }, typed)).toEqual(
      value({ channel_id: id, channel_name: name }),
    );
  });

  test.each([
    'training',
    '#training',
    '<#C1>',
    'person:U1',
    'x channel:C1',
    'channel:C1 x',
    'channel:',
    'channel:surfing',
    'channel:C1|a|b',
  ])('is not %s', async (typed) => {
    expect(await (await open('UADA', 'C1')).read({ kind: 'channel' }, typed)).toEqual(
      invalid('Type # and choose a channel from the list that Slack offers, for example #training.'),
    );
  });

  test('is not taken from a direct message', async () => {
    expect(await (await open('UADA', undefined)).read({ kind: 'channel' })).toEqual(
      invalid(
        'Alerts go to channels, not to direct messages. Type this in a channel, or name one, for example #training.',
      ),
    );
  });
});

describe('a subscription', () => {
  const [first, second] = ['s-1', 's-2'].map((id) => ({ subscription: subscription({ id }), waiting: 0 }));
  const field = { kind: 'subscription' } as const;

  test('is the only one of the channel, or one of several, or none', async () => {
    const ofChannel = async (channelId: string, ...subscriptions: SubscriptionState[]) =>
      (await open('UADA', channelId, { subscriptions })).read;
    expect(await (await ofChannel('C1', first!))(field)).toEqual(value(first));
    const ofTwo = await ofChannel('C1', first!, second!);
    const label = 'Every quiz: one message per submission';
    expect(await ofTwo(field)).toEqual({
      kind: 'unclear',
      field: 'it',
      index: 0,
      typed: '',
      noun: 'subscription',
      candidates: ['s-1', 's-2'].map((id) => ({ value: id, label })),
      count: 2,
      isAlike: true,
    });
    expect(await ofTwo(field, '2')).toEqual(value(second));
    expect(await (await ofChannel('C2', first!))(field)).toEqual(
      invalid(expect.stringContaining('This channel has no subscriptions.')),
    );
  });
});

const crew = { group_id: 'g-1', group_name: 'Crew' };
const rosa = quizUser();

describe('a row that is not made', () => {
  const ladders = { quiz_id: 'q-3', name: 'Ladders', status: 'open', date_created: null } as const;
  test.each<[string, string, Parameters<typeof whyNotFound>[0], string]>([
    [
      'a group that is gone',
      'add-to-group',
      { kind: 'gone', field: 'group' },
      'The group isn’t there any more, or you can’t see it.',
    ],
    [
      'a group out of sight',
      'add-to-group',
      { kind: 'hidden', field: 'group', input: { user: [rosa], group: crew } },
      'No group is called “Crew” that you can see.',
    ],
    [
      'a quiz that is gone',
      'close-quiz',
      { kind: 'gone', field: 'quiz' },
      'The quiz isn’t there any more, or you can’t see it.',
    ],
    [
      'a quiz out of sight',
      'close-quiz',
      { kind: 'hidden', field: 'quiz', input: { quiz: ladders } },
      'No quiz is called “Ladders” that you can see.',
    ],
    ['a user who is gone', 'add-to-group', { kind: 'gone', field: 'user' }, '“Rosa” is no longer in the quiz account.'],
    [
      'whom it is of where nothing else is known',
      'add-to-group',
      { kind: 'gone' },
      '“Rosa” is no longer in the quiz account.',
    ],
    [
      'a user out of sight',
      'add-to-group',
      { kind: 'hidden', field: 'user', input: { user: [rosa], group: crew } },
      'You don’t manage them.',
    ],
    ['what is wrong', 'close-quiz', { kind: 'invalid', field: 'quiz', message: 'Too long.' }, 'Too long.'],
  ])('names %s', (_, operation, found, message) => {
    expect(plainSentence(whyNotFound(found, operationNamed(operation)!, 'Rosa'))).toBe(message);
  });
});
