import { describe, expect, test, vi } from 'vitest';
import { named } from '../../../src/domain/said.ts';
import type { Actor } from '../../../src/directory/identity.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { openHouse, teamId } from '../../support/house.ts';
import { holdLease } from '../../support/held-lease.ts';
import {
  concernsRights,
  createGainedRights,
  losesAddress,
  type RightsGiver,
} from '../../../src/governance/rights/user-protection.ts';
import type { OperationInput } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { UserChange } from '../../../src/operations/operation.ts';
import { actor, quizUser } from '../../support/builders/users.ts';

/** An account in which Gus is a second administrator and Ola an owner without a user. */
function open(otherOwners: readonly string[] = []) {
  const account = openHouse({ owners: ['UOLA', ...otherOwners] });
  const userNamed = (id: string): User => account.account.users.find(({ user_id }) => user_id === id)!;
  Object.assign(userNamed('u-gus'), { user_type: 'administrator', manage_users: true });
  const changes = () => account.calls.map(({ call }) => call).filter((call) => /create|update|delete/.test(call));
  return { ...account, userNamed, changes };
}

const own =
  'You can’t suspend or delete yourself, or remove your own rights. Another administrator of the quiz account can.';

describe('nobody takes rights from themselves', () => {
  test.each([
    ['suspend-user', {}],
    ['delete-user', { reason: ['Bye'] }],
    ['update-user', { user_type: ['trainer'] }],
    ['update-user', { user_type: ['respondent'] }],
    ['update-user', { edit_quizzes: ['false'] }],
    ['update-user', { manage_users: ['false'] }],
    ['update-user', { manage_groups: ['false'] }],
  ])('with %s %j', async (name, more) => {
    const { act, changes, requests, record } = open();
    expect(await act('UADA', name, { user: ['ada'], ...more })).toEqual({ kind: 'refused', message: own });
    expect([changes(), await requests()]).toEqual([[], []]);
    expect(await record()).toMatchObject([
      { action: 'refused', by: 'UADA', operation: name, targets: [{ id: 'u-ada' }] },
    ]);
  });

  test('not even with somebody’s approval, nor through a second account on the platform', async () => {
    const { act, requests, userNamed } = open();
    expect(await act('UUMA', 'suspend-user', { user: ['uma'], reason: ['Bye'] })).toEqual({
      kind: 'refused',
      message: own,
    });
    expect(await requests()).toEqual([]);
    expect(userNamed('u-uma').suspended).toBe(false);
  });

  test.each([
    ['another name', 'update-user', { first_name: ['Adaeze'] }],
    ['the type they have', 'update-user', { user_type: ['administrator'] }],
    ['a right they have not', 'update-user', { manage_groups: ['false'] }],
    ['a new password', 'reset-password', {}],
  ])('but gives themselves %s', async (_, name, more) => {
    const { act, userNamed } = open();
    userNamed('u-ada').manage_groups = false;
    expect(await act('UADA', name, { user: ['ada'], ...more })).toMatchObject({ kind: 'done' });
  });
});

describe('an administrator is always left', () => {
  test.each([
    ['suspended', { suspended: true }, 'refused'],
    ['a trainer', { user_type: 'trainer' }, 'refused'],
    ['without the right to manage users', { manage_users: false }, 'refused'],
    ['an active administrator who manages users', {}, 'done'],
  ])('an owner without a user suspends the first where the second is %s: %s', async (_, gus, kind) => {
    const { act, userNamed, directory, changes } = open();
    await directory.users.get();
    Object.assign(userNamed('u-gus'), gus);
    expect(await act('UOLA', 'suspend-user', { user: ['ada'] })).toMatchObject({ kind });
    expect(changes()).toEqual(kind === 'done' ? ['users.update u-ada'] : []);
  });

  test.each([
    ['an active user', 'UGUS', {}, 'done'],
    ['a suspended user', 'UGUS', { suspended: true }, 'refused'],
    ['no other user than the first', 'UADA', {}, 'refused'],
  ])('the only one, suspended by an owner without a user where another owner has %s', async (_, owner, gus, kind) => {
    const { act, userNamed } = open([owner]);
    Object.assign(userNamed('u-gus'), { user_type: 'trainer', ...gus });
    expect(await act('UOLA', 'suspend-user', { user: ['ada'] })).toMatchObject({ kind });
  });

  test.each<Record<string, string[]>>([
    { manage_users: ['false'] },
    { user_type: ['trainer'] },
    { user_name: ['okafor'], email_address: ['okafor@quiz.example'] },
  ])('who keeps the right to manage users, and an address: %j', async (lost) => {
    const { act, userNamed } = open();
    userNamed('u-gus').manage_users = false;
    expect(await act('UOLA', 'update-user', { user: ['ada'], ...lost })).toMatchObject({ kind: 'refused' });
  });

  test('who can be given another name, and the type that they have', async () => {
    const { act, userNamed } = open();
    userNamed('u-gus').manage_users = false;
    const same = { user_type: ['administrator'], first_name: ['Adaeze'] };
    expect(await act('UOLA', 'update-user', { user: ['ada'], ...same })).toMatchObject({ kind: 'done' });
  });

  test('costs an administrator no request, and an owner without a user the target and the list, only for administrators', async () => {
    const { act, directory, calls } = open();
    await Promise.all([directory.users.get(), directory.quizzes.get()]);
    await act('UOLA', 'who-am-i', {});
    const costs = async (who: string, name: string) => {
      calls.splice(0);
      expect(await act(who, 'suspend-user', { user: [name] })).toMatchObject({ kind: 'done' });
      return calls.map(({ call }) => call);
    };
    expect(await costs('UADA', 'rosa')).toEqual(['users.get u-ada', 'users.update u-rosa']);
    expect(await costs('UOLA', 'nora')).toEqual(['users.get u-nora', 'users.update u-nora']);
    expect(await costs('UOLA', 'gus')).toEqual(['users.get u-gus', 'users.list', 'users.update u-gus']);
  });

  test('an administrator is demoted who is suspended already', async () => {
    const { act, userNamed } = open();
    userNamed('u-ada').suspended = true;
    userNamed('u-gus').user_type = 'trainer';
    expect(await act('UOLA', 'update-user', { user: ['ada'], user_type: ['trainer'] })).toMatchObject({ kind: 'done' });
  });

  test.each([
    ['suspend-user', {}, ({ suspended }: User) => suspended],
    ['update-user', { user_type: ['trainer'] }, ({ user_type }: User) => user_type === 'trainer'],
    ['update-user', { manage_users: ['false'] }, ({ manage_users }: User) => !manage_users],
  ])('where two do it to each other at the same time (%s %j)', async (name, more, isLost) => {
    const { act, userNamed } = open();
    const outcomes = await Promise.all([
      act('UADA', name, { user: ['gus'], ...more }),
      act('UGUS', name, { user: ['ada'], ...more }),
    ]);
    expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    expect([userNamed('u-ada'), userNamed('u-gus')].filter(isLost)).toHaveLength(1);
  });

  test('where two approve the deletion of each other at the same time', async () => {
    const { decisions, storage, account } = open();
    const ids = ['u-ada', 'u-gus'].map((userId) => ({
      id: `about-${userId}`,
      operation: 'delete-user',
      input: { user: [userId] },
      requesterId: 'UOLA',
      expiresAt: 9_000_000,
      remindAt: 9_000_000,
    }));
    for (const request of ids) await storage.approvals.add(approvalRequest(request));
    const participants = [
      { teamId, id: 'about-u-gus', personId: 'UADA' },
      { teamId, id: 'about-u-ada', personId: 'UGUS' },
    ];
    for (const participant of participants)
      expect(await decisions.review(participant)).toMatchObject({ kind: 'review' });
    const decided = await Promise.all(
      participants.map((participant) => decisions.decide({ ...participant, verdict: 'approved', comment: '' })),
    );
    expect(decided.map(({ kind }) => kind).toSorted()).toEqual(['decided', 'refused']);
    expect(account.users.filter(({ user_type }) => user_type === 'administrator')).toHaveLength(1);
  });

  test('a reviewer does not decide on what takes rights from them', async () => {
    const { decisions, storage } = open();
    await storage.approvals.add(
      approvalRequest({ requesterId: 'UUMA', input: { user: ['u-ada'] }, expiresAt: 9_000_000, remindAt: 9_000_000 }),
    );
    expect(await decisions.review({ teamId, id: 'request-1', personId: 'UADA' })).toEqual({
      kind: 'refused',
      message: expect.stringContaining('This would suspend or delete you'),
    });
    expect(await decisions.review({ teamId, id: 'request-1', personId: 'UGUS' })).toMatchObject({ kind: 'review' });
  });
});

const manages = { user_type: 'administrator', manage_users: true };
test.each<[string, string[], object, string]>([
  ['there is nobody else', [], {}, 'done'],
  ['another administrator manages users', [], manages, 'requested'],
  ['another administrator doesn’t manage users', [], { ...manages, manage_users: false }, 'done'],
  ['another administrator is suspended', [], { ...manages, suspended: true }, 'done'],
  ['there is an owner without a user', ['UOLA'], {}, 'requested'],
  ['the only owner is the person', ['UADA'], {}, 'done'],
])(
  'an administrator makes another one at once only where nobody could approve it: %s',
  async (_, owners, gus, kind) => {
    const { act, account } = openHouse({ owners });
    Object.assign(
      account.users.find(({ user_id }) => user_id === 'u-gus')!,
      gus,
    );
    const input = { user_name: ['new'], email_address: ['new@quiz.example'], user_type: ['administrator'] };
    expect(await act('UADA', 'create-user', { ...input, reason: ['More hands'] })).toMatchObject({ kind });
  },
);

describe('while a user is being created or loses rights', () => {
  test('no other is, and after 10 seconds the person is asked to try again', async () => {
    const { act, changes, storage } = open();
    const { release } = await holdLease(storage.leases, `users:${teamId}`);
    expect(await act('UADA', 'suspend-user', { user: ['rosa'] })).toEqual({
      kind: 'failed',
      message: 'Other people are changing users right now. Try again in a minute.',
    });
    expect(changes()).toEqual([]);
    expect(await act('UADA', 'close-quiz', { quiz: ['ladders'] })).toMatchObject({ kind: 'done' });
    const later = act('UADA', 'suspend-user', { user: ['rosa'] });
    await release();
    expect(await later).toMatchObject({ kind: 'done' });
  });

  test.each<[string, (account: ReturnType<typeof open>) => Promise<unknown>]>([
    ['a person', ({ act }) => act('UADA', 'suspend-user', { user: ['rosa'] })],
    [
      'an approval',
      async ({ decisions, storage }) => {
        const about = { requesterId: 'UUMA', input: { user: ['u-rosa'] }, expiresAt: 9_000_000, remindAt: 9_000_000 };
        await storage.approvals.add(approvalRequest(about));
        const participant = { teamId, id: 'request-1', personId: 'UADA' };
        await decisions.review(participant);
        return decisions.decide({ ...participant, verdict: 'approved', comment: '' });
      },
    ],
    [
      'a row of a large change',
      async ({ performRow }) => {
        const change = { operation: 'suspend-user', input: { user: ['u-rosa'] } };
        const row = {
          kind: 'change',
          name: 'Rosa',
          words: 'is suspended',
          changes: [change],
          userId: 'u-rosa',
        } as const;
        const about = {
          teamId,
          batchId: 'b-1',
          ownerId: 'UADA',
          approvedBy: undefined,
          approval: undefined,
          since: 0,
          newUserId: undefined,
        };
        return performRow.make({ ...about, row, change, call: {} }).catch(() => {});
      },
    ],
  ])('what %s wants is not sent after the turn was lost', async (_, wanted) => {
    const account = open();
    const { withLease } = account.storage.leases;
    const lost = vi
      .spyOn(account.storage.leases, 'withLease')
      .mockImplementation((name, ttlMs, run) =>
        withLease(name, ttlMs, (lease) => run({ ...lease, isHeld: () => !name.startsWith('users:') })),
      );
    await wanted(account);
    expect(account.changes()).toEqual([]);
    lost.mockRestore();
    await account.act('UADA', 'suspend-user', { user: ['rosa'] });
    expect(account.changes()).toEqual(['users.update u-rosa']);
  });

  test('of two people who give two users the same address, one does', async () => {
    const { act, account } = open();
    const input = (name: string) => ({
      user_name: [name],
      email_address: ['new@quiz.example'],
      user_type: ['respondent'],
    });
    const outcomes = await Promise.all([
      act('UADA', 'create-user', input('new-1')),
      act('UGUS', 'create-user', input('new-2')),
    ]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['done', 'invalid']);
    expect(account.users.filter(({ email_address }) => email_address === 'new@quiz.example')).toHaveLength(1);
  });
});

describe('before a trainer changes a user at once', () => {
  test.each([
    ['reinstate-user', { user_type: 'administrator' }, { kind: 'unexplained' }],
    ['reinstate-user', { groups: [] }, { kind: 'invalid', field: 'user' }],
    ['reset-password', { user_type: 'trainer' }, { kind: 'unexplained' }],
    ['reset-password', {}, { kind: 'done' }],
    ['add-to-group', { groups: [] }, { kind: 'invalid', field: 'user' }],
  ])('with %s, the user is read again: %j', async (name, rosa, outcome) => {
    const { act, userNamed, directory, changes, account } = open();
    Object.assign(userNamed('u-uma'), { manage_groups: true });
    userNamed('u-rosa').suspended = true;
    await directory.users.get();
    account.users[account.users.indexOf(userNamed('u-rosa'))] = { ...userNamed('u-rosa'), ...rosa };
    expect(await act('UUMA', name, { user: ['rosa'], group: ['crew'] })).toMatchObject(outcome);
    expect(changes()).toEqual(outcome.kind === 'done' ? ['users.update u-rosa'] : []);
  });

  test('a user who is gone is not changed', async () => {
    const { act, directory, account, changes } = open();
    await directory.users.get();
    account.users.splice(6, 1);
    expect(await act('UUMA', 'reset-password', { user: ['rosa'] })).toEqual({
      kind: 'invalid',
      isUnderstood: true,
      field: 'user',
      message: `${named('Rosa Almeida')} is no longer in the quiz account.`,
    });
    expect(changes()).toEqual([]);
  });
});

const person = (id: string, user: Partial<User> = {}, more: object = {}) =>
  actor(
    { user_id: `u-${id}`, user_name: `${id}@quiz.example`, email_address: '', user_type: 'administrator', ...user },
    { personId: id, ...more },
  );
const ada = person('ada');
const adasSecondAccount = person('ada-2', { user_id: 'u-ada' });
const bo = person('bo');

function setUp() {
  const kept = new Map<string, { givers: RightsGiver[]; ttlMs: number | undefined }>();
  const gained = createGainedRights({
    store: {
      get: (async (key: string) => kept.get(key)?.givers) as never,
      set: (async (key: string, givers: RightsGiver[], ttlMs?: number) => (
        kept.set(key, { givers, ttlMs }),
        true
      )) as never,
    },
  });
  const give = (operation: string, input: OperationInput, giver = ada) =>
    gained.note('T1', operationNamed(operation)!, input, giver);
  return { kept, gained, give };
}

const respondent = quizUser({ user_id: 'u-bo', user_type: 'respondent' });
const suspended = quizUser({ user_id: 'u-bo', user_type: 'administrator', suspended: true });

test.each([
  ['create-user', { user_name: 'BO@quiz.example', user_type: 'administrator' }],
  ['create-user', { user_name: 'bo', email_address: 'bo@quiz.example', user_type: 'trainer' }],
  ['update-user', { user: respondent, user_type: 'trainer' }],
  ['update-user', { user: { ...suspended, manage_users: false }, manage_users: 'true' }],
  ['update-user', { user: suspended, email_address: 'bo@quiz.example' }],
  ['reinstate-user', { user: suspended }],
])('who gains rights by %s (%j) has them through the person, whichever account they use', async (operation, input) => {
  const { gained, give, kept } = setUp();
  await give(operation, input);
  expect(await gained.isThrough('T1', bo, ada)).toBe(true);
  expect(await gained.isThrough('T1', bo, adasSecondAccount)).toBe(true);
  expect([...kept.values()].map(({ ttlMs }) => ttlMs)).toContain(30 * 24 * 3_600_000);
});

test.each([
  ['create-user', { user_name: 'bo@quiz.example', user_type: 'respondent' }],
  ['update-user', { user: respondent, first_name: 'Bo' }],
  ['update-user', { user: suspended, manage_users: 'false' }],
  ['reinstate-user', { user: respondent }],
  ['suspend-user', { user: suspended }],
])('nobody gains rights by %s (%j)', async (operation, input) => {
  const { gained, give } = setUp();
  await give(operation, input);
  expect(await gained.isThrough('T1', bo, ada)).toBe(false);
});

test('it holds through people in between, in one direction and one workspace, and not for owners', async () => {
  const { gained, give } = setUp();
  const [cleo, owner] = [person('cleo'), person('bo', {}, { isOwner: true })];
  await give('create-user', { user_name: 'bo@quiz.example', user_type: 'administrator' });
  await give('reinstate-user', { user: cleo.user! }, bo);
  expect(await gained.isThrough('T1', cleo, ada)).toBe(true);
  expect(await gained.isThrough('T1', ada, cleo)).toBe(false);
  expect(await gained.isThrough('T2', cleo, ada)).toBe(false);
  expect(await gained.isThrough('T1', owner, ada)).toBe(false);
});

test.each<[string, Actor, Actor, boolean]>([
  ['an owner without a user', person('ola', {}, { user: undefined }), person('ola'), true],
  [
    'an owner without a user, but not another',
    person('ola', {}, { user: undefined }),
    person('ula', {}, { user: undefined }),
    false,
  ],
  ['themselves, which is no gain', bo, bo, false],
])('rights can be had through %s', async (_, giver, asked, isThrough) => {
  const { gained, give } = setUp();
  await give('update-user', { user: respondent, user_type: 'trainer' }, giver);
  expect(await gained.isThrough('T1', bo, asked)).toBe(isThrough);
  expect(await gained.isThrough('T1', { ...bo, user: undefined }, asked)).toBe(false);
});

test('it is followed over ten people, also where they gave rights to each other', async () => {
  const { gained, give } = setUp();
  const people = Array.from({ length: 12 }, (_, n) => person(`p${n}`));
  for (const [n, { user }] of people.slice(1).entries()) await give('reinstate-user', { user: user! }, people[n]);
  await give('reinstate-user', { user: people[0]!.user! }, people[1]);
  expect(await gained.isThrough('T1', people[10]!, people[0]!)).toBe(true);
  expect(await gained.isThrough('T1', people[11]!, people[0]!)).toBe(false);
  expect(await gained.isThrough('T1', people[1]!, ada)).toBe(false);
});

test('who gains rights by several people has them through each of the last twenty', async () => {
  const { gained, give } = setUp();
  const people = Array.from({ length: 21 }, (_, n) => person(`p${n}`));
  const by = async (...givers: Actor[]) => {
    for (const giver of givers) await give('reinstate-user', { user: suspended }, giver);
  };
  await by(...people.slice(0, 20), people[19]!);
  expect(await gained.isThrough('T1', bo, people[0]!)).toBe(true);
  await by(people[20]!);
  expect(await gained.isThrough('T1', bo, people[0]!)).toBe(false);
  expect(await gained.isThrough('T1', bo, people[1]!)).toBe(true);
});

test.each<[string, OperationInput, boolean]>([
  ['create-user', { user_name: 'bo', user_type: 'respondent' }, false],
  ['create-user', { user_name: 'bo', user_type: 'trainer' }, true],
  ['create-user', { user_name: 'bo', user_type: 'respondent', flags: ['edit_quizzes'] }, true],
  ['update-user', { user: respondent, first_name: 'Bo' }, true],
  ['delete-user', { user: respondent }, true],
  ['add-to-group', { user: [respondent] }, false],
])('whether the people are read anew before %s %j, which decides who can sign in: %s', (operation, input, isRead) => {
  expect(concernsRights(operationNamed(operation)!, input)).toBe(isRead);
});

const kim = quizUser({ user_name: 'kim@quiz.example', email_address: 'kim@home.example' });
test.each<[string, User, UserChange['to'], string | undefined, boolean]>([
  ['the address goes', kim, { email_address: 'new@quiz.example' }, 'kim@home.example', true],
  ['the other address goes', kim, { email_address: 'new@quiz.example' }, 'kim@quiz.example', false],
  [
    'the address becomes the user name',
    kim,
    { user_name: 'kim@home.example', email_address: '' },
    kim.email_address,
    false,
  ],
  ['the person had another address before', kim, { email_address: 'new@quiz.example' }, 'kim@work.example', false],
  ['an address goes, and the platform tells none', kim, { email_address: 'new@quiz.example' }, undefined, true],
  ['nothing goes', kim, { first_name: 'Kim' }, undefined, false],
  ['they had no address', { ...kim, email_address: '' }, { email_address: 'new@quiz.example' }, undefined, false],
  ['they are deleted', kim, 'deleted', 'kim@home.example', false],
])('whether the bot would no longer know a person: %s', (_, user, to, address, isLost) => {
  expect(losesAddress({ user, to }, address)).toBe(isLost);
});
