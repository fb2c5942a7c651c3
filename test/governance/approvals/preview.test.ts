import { describe, expect, test } from 'vitest';
import {
  changesBetween,
  previewOf,
  visiblePreview,
  withoutAddresses,
} from '../../../src/governance/approvals/preview.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { detailsOf, idsOf, refetch, targetsOf } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { Assignee } from '../../../src/operations/fields/people.ts';
import type { Field, Value } from '../../../src/operations/fields/fields.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { ChangePreview } from '../../../src/domain/approval-request.ts';
import type { Campaign } from '../../../src/domain/campaign.ts';
import type { OperationContext } from '../../../src/operations/context.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { campaignMember, campaignOf, monday } from '../../support/builders/campaigns.ts';
import { type House, openHouse } from '../../support/house.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { quizUser } from '../../support/builders/users.ts';

const rosa = quizUser({ edit_quizzes: true, manage_groups: true });
const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'in_design' as const, date_created: new Date(0) };
const crew = { group_id: 'g-1', group_name: 'Crew' };
const both: Assignee[] = [
  { kind: 'user', user: rosa },
  { kind: 'group', group: crew },
];
const alerts = { subscription: subscription(), waiting: 0 };

const rosaSeen = {
  kind: 'user',
  id: 'u-rosa',
  name: 'Rosa Almeida',
  facts: {
    Name: 'Rosa Almeida',
    'User name': 'rosa@quiz.example',
    'E-mail address': 'rosa@quiz.example',
    Type: 'respondent',
    Rights: 'edit quizzes, manage groups',
    Suspended: 'no',
  },
};
const crewSeen = { kind: 'group', id: 'g-1', name: 'Crew', facts: { Name: 'Crew' } };

const quizField = { kind: 'quiz', label: '' } as const;
const userField = { kind: 'user', label: '' } as const;
const textField = { kind: 'text', label: '', maxLength: 250 } as const;
const options = [{ value: 'edit_quizzes', label: 'Edit quizzes' }];

const values: [string, Field, Value, unknown[], string[], string][] = [
  [
    'a quiz',
    quizField,
    quiz,
    [{ kind: 'quiz', id: 'q-1', name: 'Fire safety', facts: { Name: 'Fire safety', State: 'in design' } }],
    ['q-1'],
    'Fire safety',
  ],
  ['a user', userField, rosa, [rosaSeen], ['u-rosa'], 'Rosa Almeida'],
  [
    'a user without rights, suspended',
    userField,
    quizUser({ suspended: true }),
    [{ ...rosaSeen, facts: { ...rosaSeen.facts, Rights: 'none', Suspended: 'yes' } }],
    ['u-rosa'],
    'Rosa Almeida',
  ],
  ['a group', { kind: 'group', label: '' }, crew, [crewSeen], ['g-1'], 'Crew'],
  [
    'assignees',
    { kind: 'assignees', label: '' },
    both,
    [rosaSeen, crewSeen],
    ['user:u-rosa', 'group:g-1'],
    'Rosa Almeida and Crew',
  ],
  ['people', { kind: 'people', label: '' }, both.slice(0, 1), [rosaSeen], ['user:u-rosa'], 'Rosa Almeida'],
  [
    'a channel',
    { kind: 'channel', label: '' },
    { channel_id: 'C1', channel_name: 'training' },
    [{ kind: 'channel', id: 'C1', name: '#training', facts: {} }],
    ['channel:C1'],
    '#training',
  ],
  [
    'a channel without a name',
    { kind: 'channel', label: '' },
    { channel_id: 'C1', channel_name: undefined },
    [{ kind: 'channel', id: 'C1', name: 'channel C1', facts: {} }],
    ['channel:C1'],
    'channel C1',
  ],
  [
    'a subscription',
    { kind: 'subscription', label: '' },
    alerts,
    [
      { kind: 'subscription', id: 's-1', name: 'Every quiz: one message per submission', facts: {} },
      { kind: 'channel', id: 'C1', name: 'channel C1', facts: {} },
    ],
    ['s-1'],
    'Every quiz: one message per submission and channel C1',
  ],
  ['a text', textField, 'Ladders', [], ['Ladders'], 'Ladders'],
  [
    'an e-mail address',
    { kind: 'email', label: '' },
    'rosa@quiz.example',
    [],
    ['rosa@quiz.example'],
    'rosa@quiz.example',
  ],
  ['a choice', { kind: 'choice', label: '', options }, 'edit_quizzes', [], ['edit_quizzes'], 'Edit quizzes'],
  [
    'flags',
    { kind: 'flags', label: '', optional: true, options },
    ['edit_quizzes', 'manage_users'],
    [],
    ['edit_quizzes', 'manage_users'],
    'Edit quizzes, manage_users',
  ],
];

const withField = (field: Field): Operation => ({ ...operationNamed('close-quiz')!, fields: { it: field } });

test.each(values)('%s is seen, kept and told as what it is', (_, field, value, targets, ids, words) => {
  expect(targetsOf(withField(field), { it: value })).toEqual(targets);
  expect(idsOf(withField(field), { it: value })).toEqual({ it: ids });
  expect(detailsOf(withField(field), { it: value })).toEqual([{ label: '', value: words }]);
});

describe('what has changed', () => {
  const before: ChangePreview = {
    effect: 'Rosa cannot sign in.',
    details: [],
    targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa', facts: { Name: 'Rosa', Type: 'respondent' } }],
  };
  const now = (facts: Record<string, string>, more: Partial<ChangePreview> = {}): ChangePreview => ({
    ...before,
    targets: [{ ...before.targets[0]!, name: 'Rosa B', facts }],
    ...more,
  });

  test('is shown fact by fact, under the previous name', () => {
    expect(changesBetween(before, now({ Name: 'Rosa B', Type: 'respondent', State: 'new' }))).toEqual([
      '⁨Rosa⁩: name was “Rosa”, is now “Rosa B”.',
      '⁨Rosa⁩: state was “”, is now “new”.',
    ]);
  });

  test('is shown as a whole when no single fact has changed', () => {
    const { facts } = before.targets[0]!;
    expect(changesBetween(before, now(facts, { effect: 'Rosa is gone.' }))).toEqual(['Before: Rosa cannot sign in.']);
    expect(changesBetween(before, now({ ...facts, Type: 'trainer' }, { effect: 'Rosa is gone.' }))).toEqual([
      '⁨Rosa⁩: type was “respondent”, is now “trainer”.',
    ]);
    expect(changesBetween(before, now(facts))).toEqual([]);
  });

  test('is shown after what the operation itself says of it, and not of what was not there before', () => {
    const { facts } = before.targets[0]!;
    const raised = { ...facts, Type: 'trainer' };
    const type = '⁨Rosa⁩: type was “respondent”, is now “trainer”.';
    expect(changesBetween(before, now(raised, { changes: ['Two more.'] }))).toEqual(['Two more.', type]);
    expect(changesBetween(before, now(facts, { changes: [], effect: 'Rosa is gone.' }))).toEqual([]);
    for (const other of [{ id: 'u-kim' }, { kind: 'group' as const }])
      expect(changesBetween(before, { ...before, targets: [{ ...now(raised).targets[0]!, ...other }] })).toEqual([]);
  });
});

test('how people can be reached is left out, and nothing else', () => {
  const preview = {
    effect: 'x',
    details: [{ label: 'User', value: 'Rosa' }],
    targets: targetsOf(withField(userField), { it: rosa }),
  };
  const { 'User name': _name, 'E-mail address': _address, ...facts } = rosaSeen.facts;
  expect(withoutAddresses(preview)).toEqual({ ...preview, targets: [{ ...rosaSeen, facts }] });
});

describe('a second look', () => {
  async function open() {
    const account = openHouse();
    await Promise.all([account.directory.users.get(), account.directory.quizzes.get()]);
    const context = await account.readerFor('UADA');
    account.calls.length = 0;
    return { ...account, context };
  }
  const operation: Operation = {
    ...operationNamed('assign-quiz')!,
    fields: {
      quiz: quizField,
      user: userField,
      name: textField,
      to: { kind: 'assignees', label: '' },
      group: { kind: 'group', label: '' },
      channel: { kind: 'channel', label: '' },
    },
  };
  const given = {
    quiz: { ...quiz, quiz_id: 'q-3' },
    user: rosa,
    name: 'Steps',
    to: both,
    group: crew,
    channel: { channel_id: 'C1', channel_name: undefined },
  };

  test('gives quizzes and users as they are now, and the lists learn of it', async () => {
    const { context, account, calls, directory } = await open();
    account.users[6] = { ...account.users[6]!, suspended: true };
    account.quizzes[2] = { ...account.quizzes[2]!, status: 'closed' };
    expect(await refetch(operation, given, context)).toEqual({
      input: { ...given, quiz: account.quizzes[2], user: account.users[6] },
    });
    expect(calls).toEqual(['quizzes.get q-3', 'users.get u-rosa'].map((call) => ({ call, options: context.call })));
    expect((await directory.users.names()).byId('u-rosa')).toMatchObject({ suspended: true });
    expect((await directory.quizzes.names()).byId('q-3')).toMatchObject({ status: 'closed' });
  });

  test('tells what is gone, which the lists forget', async () => {
    const { context, account, directory } = await open();
    account.users.splice(6, 1);
    expect(await refetch(operation, { name: 'Steps', user: rosa }, context)).toEqual({ gone: rosaSeen, field: 'user' });
    expect((await directory.users.names()).byId('u-rosa')).toBeUndefined();
    account.quizzes.splice(2, 1);
    expect(await refetch(operation, given, context)).toMatchObject({
      gone: { kind: 'quiz', id: 'q-3' },
      field: 'quiz',
    });
    expect((await directory.quizzes.names()).byId('q-3')).toBeUndefined();
    expect((await directory.quizzes.names()).byId('q-1')).toBeDefined();
  });

  test('previews the effect of the operation, or its summary without one', async () => {
    const { context } = await open();
    const close = operationNamed('close-quiz')!;
    expect(await previewOf(close, { quiz }, context)).toEqual({
      action: 'close \u2068Fire safety\u2069',
      effect: 'Nobody could take it until someone opens it again.',
      details: detailsOf(close, { quiz }),
      targets: targetsOf(close, { quiz }),
    });
    const { effect: _said, ...silent } = close;
    expect(await previewOf(silent, { quiz }, context)).toMatchObject({
      effect: 'Close a quiz, so that nobody can take it',
    });
  });
});

describe('a target with a name that another has', () => {
  async function effectOf(
    operation: string,
    input: Record<string, Value>,
    change: (account: House['account']) => void,
    who = 'UADA',
  ) {
    const account = openHouse();
    change(account.account);
    const reader = await account.readerFor(who);
    return inEnglish((await previewOf(operationNamed(operation)!, input, reader)).effect);
  }
  const twin = (quiz_id: string) => ({ ...quiz, quiz_id, name: 'Twin' });
  const user = (user_id: string, more: Partial<User> = {}) =>
    quizUser({ user_id, user_name: `${user_id}@x.example`, ...more });
  const nobodys = { trainerquizzes: [{ quiz_id: 'q-1', name: 'Fire safety' }] };

  test.each<[string, string, Record<string, Value>, (account: House['account']) => void, string, string | undefined]>([
    [
      'a quiz',
      'delete-quiz',
      { quiz: twin('q-9') },
      ({ quizzes }) => void quizzes.push(twin('q-9'), { ...twin('q-10'), status: 'closed' }),
      'UADA',
      'There’s another quiz called ⁨Twin⁩. This one: in design, created 1 Jan 1970, ID q-9.',
    ],
    [
      'a quiz, in other letters',
      'close-quiz',
      { quiz: twin('q-9') },
      ({ quizzes }) => void quizzes.push(twin('q-9'), { ...twin('q-10'), name: 'TWIN' }),
      'UADA',
      'There’s another quiz called ⁨Twin⁩. This one: in design, created 1 Jan 1970, ID q-9.',
    ],
    // Requests are posted in channels, so no address tells users apart.
    [
      'a user',
      'suspend-user',
      { user: rosa },
      ({ users }) => void users.push(user('u-other')),
      'UADA',
      'There’s another user called ⁨Rosa Almeida⁩. This one: respondent, Crew, ID …rosa.',
    ],
    [
      'a user in no group',
      'suspend-user',
      { user: user('u-other') },
      ({ users }) => void users.push(user('u-other')),
      'UADA',
      'There’s another user called ⁨Rosa Almeida⁩. This one: respondent, ID …ther.',
    ],
    [
      'a group',
      'empty-group',
      { group: crew },
      ({ groups }) => void groups.push({ ...crew, group_id: 'g-9' }),
      'UADA',
      'There’s another group called ⁨Crew⁩. This one: ID g-1.',
    ],
    [
      'a group whose twin the person does not see',
      'empty-group',
      { group: crew },
      ({ groups }) => void groups.push({ ...crew, group_id: 'g-9' }),
      'UGUS',
      undefined,
    ],
    [
      'a quiz whose twin the person does not see',
      'close-quiz',
      { quiz: { ...quiz, quiz_id: 'q-1' } },
      ({ quizzes, users }) => {
        quizzes[1]!.name = 'Fire safety';
        Object.assign(users[1]!, nobodys);
      },
      'UERIN',
      undefined,
    ],
    [
      'a user whose twin the person does not see',
      'suspend-user',
      { user: rosa },
      ({ users }) => void users.push(user('u-other')),
      'UUMA',
      undefined,
    ],
    ['a quiz with a name of its own', 'close-quiz', { quiz }, () => {}, 'UADA', undefined],
    [
      'a quiz that is gone',
      'close-quiz',
      { quiz: twin('q-9') },
      ({ quizzes }) => void quizzes.push(twin('q-10')),
      'UADA',
      undefined,
    ],
  ])('is told apart from it in the request: %s', async (_, operation, input, change, who, sentence) => {
    const effect = await effectOf(operation, input, change, who);
    expect(/There’s another .*/.exec(effect)?.[0]).toBe(sentence);
    expect(effect).not.toContain('@');
  });
});

describe('of a user who is to be changed, a request says', () => {
  const needed = campaignOf({ members: [campaignMember('u-rosa'), campaignMember('kim')] });
  const ofKim = campaignOf({ members: [campaignMember('kim')] });
  const left = campaignOf({ members: [campaignMember('u-rosa', { stays: [] })] });
  const joining: [string, Record<string, Value>] = [
    'add-to-group',
    { user: [rosa, quizUser({ user_id: 'u-2' })], group: crew },
  ];
  const suspension: [string, Record<string, Value>] = ['suspend-user', { user: rosa }];
  test.each<[string, readonly Campaign[], [string, Record<string, Value>], string | undefined]>([
    ['one in which they take part', [needed], suspension, 'They’re in 1 running campaign.'],
    ['two in which they do', [needed, needed], suspension, 'They’re in 2 running campaigns.'],
    ['none that is over', [campaignOf({ ...needed, endedAt: monday })], suspension, undefined],
    ['none of others', [ofKim], suspension, undefined],
    ['none that they have left', [left], suspension, undefined],
    ['nothing of several users', [needed], joining, undefined],
    ['nothing of a quiz', [needed], ['close-quiz', { quiz }], undefined],
  ])('in how many running campaigns they are: %s', async (_, all, [operation, input], sentence) => {
    const reader = await openHouse().readerFor('UADA');
    const running = new Map(all.map((campaign, at) => [`c-${at}`, campaign]));
    const campaigns = {
      ...reader.campaigns,
      // One that is deleted meanwhile is not found.
      all: async () => [...running, ['c-gone', ofKim] as const].map(([id, campaign]) => ({ ...campaign, id })),
      byId: async (id: string) => running.get(id),
    } as unknown as OperationContext['campaigns'];
    const { effect } = await previewOf(operationNamed(operation)!, input, { ...reader, campaigns, now: () => monday });
    expect(/They’re in .*campaigns?\./.exec(inEnglish(effect))?.[0]).toBe(sentence);
  });
});

test('a person reads the addresses of users whose record they may see, and of no others', async () => {
  const preview = {
    effect: 'x',
    details: [],
    targets: targetsOf(withField({ kind: 'users', label: '' }), { it: [rosa, quizUser({ user_id: 'u-gone' })] }),
  };
  const shown = async (who: string) => {
    const { targets } = await visiblePreview(preview, await openHouse().readerFor(who));
    return targets.filter(({ facts }) => 'User name' in facts).map(({ id }) => id);
  };
  expect([await shown('UUMA'), await shown('UERIN')]).toEqual([['u-rosa'], []]);
});
