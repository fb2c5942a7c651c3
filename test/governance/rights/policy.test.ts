import { mayDecide } from '../../../src/governance/perform/judge.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  canHave,
  isByAgent,
  isForAgents,
  needsPress,
  offeredBy,
  policy,
  possibleDecisions,
  reasonFor,
  policyDecision,
  type PolicyDecision,
} from '../../../src/governance/rights/policy.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { reasonField, type TextInput } from '../../../src/operations/text-input.ts';
import type { Field, Value } from '../../../src/operations/fields/fields.ts';
import type { Right } from '../../../src/operations/context.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openHouse, teamId, type House } from '../../support/house.ts';

const staff: Right[] = ['known', 'staff'];
const people: Record<string, ReadonlySet<Right>> = {
  administrator: new Set([...staff, 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator']),
  'admin, no flag': new Set([...staff, 'administrator']),
  edit_quizzes: new Set([...staff, 'edit_quizzes']),
  manage_users: new Set([...staff, 'manage_users']),
  manage_groups: new Set([...staff, 'manage_groups']),
  'no flag': new Set(staff),
  respondent: new Set<Right>(['known']),
  nobody: new Set<Right>(),
};

const respondent = quizUser();
const trainer = quizUser({ user_type: 'trainer' });
const inputs: [string, string, Record<string, Value>][] = [
  ['close a quiz', 'close-quiz', {}],
  ['delete a quiz', 'delete-quiz', {}],
  ['delete a user', 'delete-user', { user: respondent }],
  ['erase a person', 'erase-person', { user: respondent }],
  ['suspend a user', 'suspend-user', { user: respondent }],
  ['reinstate a respondent', 'reinstate-user', { user: { ...respondent, suspended: true } }],
  ['reinstate a trainer', 'reinstate-user', { user: { ...trainer, suspended: true } }],
  ['reset a respondent', 'reset-password', { user: respondent }],
  ['reset a trainer', 'reset-password', { user: trainer }],
  ['create a respondent', 'create-user', { user_name: 'ines', user_type: 'respondent' }],
  ['create a trainer', 'create-user', { user_name: 'ines', user_type: 'trainer' }],
  ['create with a right', 'create-user', { user_name: 'ines', user_type: 'respondent', flags: ['edit_quizzes'] }],
  ['create with no right', 'create-user', { user_name: 'ines', user_type: 'respondent', flags: [] }],
  ['change an address', 'update-user', { user: respondent, email_address: 'new@quiz.example' }],
  ['change a type', 'update-user', { user: respondent, user_type: 'administrator' }],
  ['take a right away', 'update-user', { user: trainer, edit_quizzes: 'false' }],
  ['add to a group', 'add-to-group', { user: respondent }],
  ['list the users', 'list-users', {}],
  ['see one’s quizzes', 'my-quizzes', {}],
];

test('who may do what, on whose word', () => {
  const shown: Record<PolicyDecision, string> = { 'at once': 'yes', approval: 'asks', refused: '-' };
  const heading = ['', ...Object.keys(people)];
  const rows = inputs.map(([what, name, input]) => [
    what,
    ...Object.values(people).map((rights) => shown[policyDecision(operationNamed(name)!, input, rights)]),
  ]);
  const table = [heading, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(column === 0 ? 24 : 15))
      .join('')
      .trimEnd(),
  );
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
                            administrator  admin, no flag edit_quizzes   manage_users   manage_groups  no flag        respondent     nobody
    close a quiz            yes            asks           yes            asks           asks           asks           -              -
    delete a quiz           asks           -              asks           -              -              -              -              -
    delete a user           asks           -              -              asks           -              -              -              -
    erase a person          asks           -              -              asks           -              -              -              -
    suspend a user          yes            -              -              asks           -              -              -              -
    reinstate a respondent  yes            -              -              yes            -              -              -              -
    reinstate a trainer     yes            -              -              asks           -              -              -              -
    reset a respondent      yes            -              -              yes            -              -              -              -
    reset a trainer         yes            -              -              asks           -              -              -              -
    create a respondent     yes            asks           asks           yes            asks           asks           -              -
    create a trainer        yes            -              -              asks           -              -              -              -
    create with a right     yes            -              -              asks           -              -              -              -
    create with no right    yes            asks           asks           yes            asks           asks           -              -
    change an address       yes            -              -              asks           -              -              -              -
    change a type           asks           -              -              asks           -              -              -              -
    take a right away       yes            -              -              asks           -              -              -              -
    add to a group          yes            -              -              -              yes            -              -              -
    list the users          yes            -              -              yes            -              -              -              -
    see one’s quizzes       yes            yes            yes            yes            yes            yes            yes            -
    "
  `);
});

test('who may decide on what others ask for: administrators, and who may do the same at once', () => {
  const deciders = inputs.map(([what, name, input]) => {
    const who = Object.entries(people).filter(([, rights]) => mayDecide(operationNamed(name)!, input, rights));
    return `${what}: ${who.map(([person]) => person).join(', ')}`;
  });
  expect(`\n${deciders.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    close a quiz: administrator, edit_quizzes
    delete a quiz: administrator
    delete a user: administrator
    erase a person: administrator
    suspend a user: administrator
    reinstate a respondent: administrator, manage_users
    reinstate a trainer: administrator
    reset a respondent: administrator, manage_users
    reset a trainer: administrator
    create a respondent: administrator, manage_users
    create a trainer: administrator
    create with a right: administrator
    create with no right: administrator, manage_users
    change an address: administrator
    change a type: administrator
    take a right away: administrator
    add to a group: administrator, manage_groups
    list the users: administrator, manage_users
    see one’s quizzes: administrator, admin, no flag, edit_quizzes, manage_users, manage_groups, no flag, respondent
    "
  `);
});

test('the names of all that one may have are offered, and no others', () => {
  for (const rights of Object.values(people)) {
    const offered = offeredBy(rights);
    for (const operation of catalog)
      expect([operation.name, offered.has(operation.name)]).toEqual([operation.name, canHave(operation, rights)]);
  }
});

test('staff asks only for what they can name: nothing about a user’s record without the right to manage users', () => {
  const about = (field: Field) => ({ ...operationNamed('close-quiz')!, fields: { field } });
  const kinds: Field['kind'][] = ['user', 'assignees', 'people', 'group', 'quiz', 'text'];
  const asks = (rights: ReadonlySet<Right>) =>
    kinds.filter((kind) => policyDecision(about({ kind, label: '' } as Field), {}, new Set(rights)) === 'approval');
  expect(asks(people['no flag']!)).toEqual(['quiz', 'text']);
  expect(asks(people['manage_users']!)).toEqual(['user', 'assignees', 'people', 'quiz', 'text']);
  expect(asks(people['manage_groups']!)).toEqual(['assignees', 'people', 'group', 'quiz', 'text']);
  expect(asks(people['admin, no flag']!)).toEqual(['quiz', 'text']);
});

test('nobody is asked whether a user is of the staff where the input is no user', () => {
  const reinstate = operationNamed('reinstate-user')!;
  const others: Record<string, Value>[] = [{}, { user: 'text' }, { user: { group_id: 'g-1', group_name: 'Crew' } }];
  for (const input of others) {
    expect(policyDecision(reinstate, input, people['manage_users']!)).toBe('at once');
  }
});

describe('the policy', () => {
  test('never lets one person alone make an irreversible change', () => {
    const destructive = catalog.filter(({ access }) => access === 'destructive');
    expect(destructive.length).toBeGreaterThan(0);
    for (const operation of destructive) {
      for (const rights of Object.values(people)) expect(policyDecision(operation, {}, rights)).not.toBe('at once');
    }
  });

  test('has nobody ask for reading', () => {
    for (const operation of catalog.filter(({ access }) => access === 'read')) {
      for (const rights of Object.values(people)) expect(policyDecision(operation, {}, rights)).not.toBe('approval');
    }
  });

  test('refuses every change to respondents and to people without an identity', () => {
    for (const operation of catalog.filter(({ access }) => access !== 'read' && access !== 'own')) {
      for (const rights of [people['respondent']!, people['nobody']!])
        expect([...possibleDecisions(operation, rights)]).toEqual(['refused']);
    }
  });

  test('lets everyone answer their own messages', () => {
    for (const operation of catalog.filter(({ access }) => access === 'own'))
      expect([...possibleDecisions(operation, people['nobody']!)]).toEqual(['at once']);
  });

  test('counts every verdict an input can lead to as possible', () => {
    for (const [, name, input] of inputs) {
      const operation = operationNamed(name)!;
      for (const rights of Object.values(people))
        expect(possibleDecisions(operation, rights)).toContain(policyDecision(operation, input, rights));
    }
  });

  test('stands in the documents as it is in the code', () => {
    const page = readFileSync('docs/permissions-and-approvals.md', 'utf8');
    const cells: Record<PolicyDecision, string> = { 'at once': 'at once', approval: 'asks', refused: 'no' };
    const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
    const rows = Object.entries(policy).map(
      ([change, [administrator, holder, other]]) =>
        `| ${[capital(change), cells[administrator], cells[holder], cells[other]].join(' | ')} |`,
    );
    expect(page).toContain(
      [
        '| | administrator with the right | trainer with the right | trainer or administrator without it |',
        '|---|---|---|---|',
        ...rows,
      ].join('\n'),
    );
  });
});

describe('every operation', () => {
  test('leaves the name of the reason to the reason', () => {
    expect(catalog.filter(({ fields }) => reasonField in fields).map(({ name }) => name)).toEqual([]);
  });

  test('is asked for with a reason exactly where it can need approval', () => {
    const closeQuiz = operationNamed('close-quiz')!;
    expect(reasonFor(closeQuiz, people['edit_quizzes']!)).toBe('none');
    expect(reasonFor(closeQuiz, people['no flag']!)).toBe('required');
    expect(reasonFor(operationNamed('create-user')!, people['manage_users']!)).toBe('optional');
  });

  test('is asked for with a reason as its preview needs approval; any other input can still be changed', () => {
    const reasons = (name: string, known: Record<string, Value>[]) =>
      known.map((input) => reasonFor(operationNamed(name)!, people['manage_users']!, input));
    const preview = (approval: 'privileged' | null) =>
      ({ plan: { content: { kind: 'batch', approval } } }) as unknown as Record<string, Value>;
    expect(reasons('run-batch', [{}, preview(null), preview('privileged')])).toEqual([
      'optional',
      'optional',
      'required',
    ]);
    expect(reasons('create-user', [{ user_type: 'trainer' }])).toEqual(['optional']);
  });
});

test('a person is offered what they may have, and told of the rest why not', async () => {
  const standing = await openHouse().permissions.of('UUMA');
  expect(standing.actor.user?.user_id).toBe('u-uma');
  expect([...standing.rights]).toEqual(['known', 'staff', 'manage_users']);
  expect(standing.visibility.group({ group_id: 'g-1', group_name: 'Crew' })).toBe(false);
  const names = standing.operations.map(({ name }) => name);
  expect(names).toContain('suspend-user');
  expect(names).not.toContain('delete-quiz');
  expect(standing.refusal('manage_users')).toBeUndefined();
  expect(standing.refusal('edit_quizzes')).toContain('You can’t edit quizzes.');
  // Agents and steps of workflows are turned off in this account.
  const turnedOff = new Set([
    'make-token',
    'list-tokens',
    'revoke-token',
    'list-lent-rights',
    'revoke-lent-rights',
    'take-rights-back',
  ]);
  for (const operation of catalog) {
    expect(standing.refusalOf(operation) === undefined && !turnedOff.has(operation.name)).toBe(
      standing.operations.includes(operation),
    );
  }
  expect(standing.refusalOf(operationNamed('delete-quiz')!)).toContain('You can’t edit quizzes.');
});

test('a person is known from what is at hand, and the service is not asked for them again', async () => {
  const account = openHouse();
  await account.permissions.of('UUMA');
  expect(account.calls.map(({ call }) => call)).toEqual(['users.list']);
});

test.each<[string, string, string, TextInput, string[][]]>([
  [
    'what can be read is read, and nothing else',
    'UERIN',
    'assign-quiz',
    { quiz: ['ladders'], to: ['nobody at all'], people: ['  '], elsewhere: ['x'] },
    [['quiz', 'q-3']],
  ],
  ['a person reads what they may see', 'UROSA', 'close-quiz', { quiz: ['ladders'] }, []],
])('of an input, %s', async (_, personId, name, raw, fields) => {
  const read = await openHouse().permissions.readSome(operationNamed(name)!, raw, { personId, teamId });
  expect(Object.entries(read).map(([field, thing]) => [field, (thing as { quiz_id: string }).quiz_id])).toEqual(fields);
});

test('of an input with nothing in it, nobody is asked', async () => {
  const { permissions, calls } = openHouse();
  const nothing: TextInput[] = [{}, { quiz: [] }, { quiz: [' '] }];
  for (const raw of nothing)
    expect(await permissions.readSome(operationNamed('close-quiz')!, raw, { personId: 'UERIN', teamId })).toEqual({});
  expect(calls).toEqual([]);
});

test('a person reads with a context of their own, or why they may not', async () => {
  const { permissions } = openHouse();
  const contextOf = async (personId: string) =>
    permissions.contextOf(operationNamed('list-users')!, { personId, teamId, channelId: 'C1' });
  expect(await contextOf('UUMA')).toMatchObject({ context: { actor: { personId: 'UUMA' }, channelId: 'C1' } });
  expect(await contextOf('UERIN')).toEqual({ refusal: expect.stringContaining('You can’t manage users.') });
});

test('what a person entered for a plan, and the imports they did not start, are shown to them alone', async () => {
  const { permissions, readerFor } = openHouse();
  const { plans } = await readerFor('UADA');
  const entered = { operation: 'import-users', input: { file: ['F1'] } };
  const row = { kind: 'change', name: 'Kim', words: '', changes: [{ operation: 'create-user', input: {} }] } as const;
  const content = { kind: 'batch', operation: 'import-users', action: '', rows: [row], approval: null } as const;
  const imported = { counts: {} } as never;
  const add = async (more: object, of?: typeof entered) =>
    plans.add({ personId: 'UADA', content: { ...content, ...more }, entered: of });
  const id = await add({ imported }, entered);
  await add({ operation: 'start-campaign', imported });
  await add({});
  const seenBy = async (personId: string) => [
    await permissions.enteredFor(id, { personId, teamId }),
    (await permissions.openPreviews(operationNamed('import-users')!, { personId, teamId })).map((plan) => plan.id),
  ];
  expect(await seenBy('UADA')).toEqual([entered, [id]]);
  expect(await seenBy('UUMA')).toEqual([undefined, []]);
  await plans.take(id);
  expect(await seenBy('UADA')).toEqual([undefined, []]);
});

test.each<[string, Record<string, Value>, boolean, boolean]>([
  ['close-quiz', {}, true, false],
  ['delete-quiz', {}, true, true],
  ['subscribe-channel', {}, true, true],
  ['create-user', { user_type: 'respondent' }, true, false],
  ['create-user', { user_type: 'trainer' }, true, true],
  ['make-token', {}, false, false],
  ['pause-batch', {}, false, false],
])('%s %j: whether agents may ask for it (%s), and a person presses a button then (%s)', (name, input, may, press) => {
  const operation = operationNamed(name)!;
  expect([isForAgents(operation), needsPress(operation, input)]).toEqual([may, press]);
});

/** An account with a request by an owner for an operation, and the people to whom it is listed. */
async function listedTo(
  name: string,
  input: TextInput,
  change: (account: House) => void = () => {},
): Promise<string[]> {
  const account = openHouse({ owners: ['UZOE'] });
  await account.act('UZOE', name, { ...input, reason: ['Because'] });
  expect(await account.requests()).toHaveLength(1);
  change(account);
  await account.directory.load();
  const readers = ['UZOE', 'UADA', 'UUMA', 'UERIN', 'UGUS', 'UNORA', 'UROSA'];
  const lists = await Promise.all(
    readers.map(async (personId) => (await (await account.readerFor(personId)).records.openRequests()).length),
  );
  return readers.filter((_, index) => lists[index] === 1);
}

test('a request about a user is listed to its requester and to administrators who manage users', async () => {
  expect(await listedTo('delete-user', { user: ['u-rosa'] })).toEqual(['UZOE', 'UADA']);
  expect(
    await listedTo('delete-user', { user: ['u-rosa'] }, ({ account }) =>
      Object.assign(account.users[0]!, { manage_users: false }),
    ),
  ).toEqual(['UZOE']);
});

test('a request about what is gone is listed to its requester and to administrators', async () => {
  expect(await listedTo('delete-user', { user: ['u-rosa'] }, ({ account }) => account.users.pop())).toEqual([
    'UZOE',
    'UADA',
  ]);
});

test('the number of all requests is for the status', async () => {
  const account = openHouse();
  await account.act('UADA', 'delete-user', { user: ['u-rosa'], reason: ['Left'] });
  const { records } = await account.readerFor('UNORA');
  expect([await records.openRequests(), await records.countOpenRequests()]).toEqual([[], 1]);
});

test('a request of a person without the right is listed to trainers who could do it at once', async () => {
  const account = openHouse();
  await account.act('UNORA', 'close-quiz', { quiz: ['q-1'], reason: ['Old'] });
  const seen = async (personId: string) => (await (await account.readerFor(personId)).records.openRequests()).length;
  expect(await Promise.all(['UNORA', 'UERIN', 'UADA', 'UUMA', 'UGUS', 'UROSA'].map(seen))).toEqual([1, 1, 1, 0, 0, 0]);
  Object.assign(account.account.users[1]!, { trainerquizzes: [{ quiz_id: 'q-2', name: '' }] });
  await account.directory.load();
  expect(await Promise.all(['UERIN', 'UADA'].map(seen))).toEqual([0, 1]);
});

describe('agents', () => {
  test('are assistants and programs that ask in a person’s name', () => {
    const ways = ['command', 'form', 'workflow', 'assistant', 'agent'];
    expect(ways.filter(isByAgent)).toEqual(['assistant', 'agent']);
  });

  test('have a person press a button for what cannot be undone, gives rights or an address, or writes to a channel', () => {
    expect(catalog.filter((operation) => needsPress(operation, {})).map(({ name }) => name)).toEqual([
      'delete-quiz',
      'delete-response',
      'create-user',
      'update-user',
      'reset-password',
      'delete-user',
      'subscribe-channel',
      'set-channel-language',
      'remind-campaign',
      'end-campaign',
      'erase-person',
    ]);
    const { needsPress: _, ...closing } = operationNamed('close-quiz')!;
    const board = { kind: 'board', label: 'Board' } as unknown as Field;
    expect(needsPress({ ...closing, fields: { board } }, {})).toBe(true);
    expect(needsPress({ ...closing, access: 'read', fields: { board } }, {})).toBe(false);
  });
});
