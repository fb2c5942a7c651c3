import { expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { personQueue } from '../../../src/domain/queues.ts';
import { createAfterCreate, makePassword } from '../../../src/governance/passwords/grants.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { quizUser } from '../../support/builders/users.ts';
import { holdLease } from '../../support/held-lease.ts';
import { openHouse, teamId } from '../../support/house.ts';

test('a password is 16 letters and digits of which none is taken for another', () => {
  for (let n = 0; n < 1_000; n += 1) expect(makePassword()).toMatch(/^[A-HJ-NP-Za-km-z2-9]{16}$/);
});

test('passwords use the whole alphabet and do not come twice', () => {
  const made = Array.from({ length: 1_000 }, makePassword);
  expect(new Set(made).size).toBe(1_000);
  expect(new Set(made.join('')).size).toBe(57);
});

function open() {
  const account = openHouse();
  const userNamed = (userId: string) => account.account.users.find(({ user_id }) => user_id === userId)!;
  const ines = quizUser({ user_id: 'u-ines', user_name: 'ines', first_name: 'Ines', last_name: '' });
  account.account.users.push(ines);
  return {
    ...account,
    ines,
    userNamed,
    show: (personId: string, userId = 'u-ines') => account.passwords.show({ teamId, personId, userId }),
    sets: () => account.calls.filter(({ call }) => call.startsWith('users.update')),
  };
}

const request: ApprovalRequest = approvalRequest({ teamId, requesterId: 'UUMA' });

test.each([
  ['an administrator', 'UADA', 'administrator', 'shown'],
  ['an administrator', 'UADA', 'respondent', 'shown'],
  ['a trainer who manages users', 'UUMA', 'trainer', 'refused'],
  ['a trainer who manages users', 'UUMA', 'of a type that nobody knows', 'refused'],
  ['a trainer who edits quizzes', 'UERIN', 'respondent', 'refused'],
  ['a trainer who is suspended', 'USVEN', 'respondent', 'refused'],
  ['somebody without a user', 'UNOBODY', 'respondent', 'refused'],
])('%s (%s) who presses the button for a user who is %s gets: %s', async (_, personId, user_type, kind) => {
  const { show, ines, sets, record } = open();
  ines.user_type = user_type;
  expect(await show(personId)).toMatchObject({ kind });
  expect(sets()).toHaveLength(kind === 'shown' ? 1 : 0);
  expect(await record()).toMatchObject([
    { by: personId, operation: 'show-password', action: kind === 'shown' ? 'done' : 'refused', through: 'choice' },
  ]);
});

test('the audit trail names the user and not the password', async () => {
  const { show, record } = open();
  expect(await show('UADA')).toEqual({ kind: 'shown', name: 'Ines', userName: 'ines', password: 'a-new-password' });
  const [entry] = await record();
  expect(entry?.targets).toEqual([{ kind: 'user', id: 'u-ines', name: 'Ines' }]);
  expect(JSON.stringify(entry)).not.toContain('a-new-password');
});

test('an offer is for one person, one user, and what that user was', async () => {
  const { show, passwords, ines } = open();
  ines.user_type = 'trainer';
  await passwords.offerAfterApproval(request, 'UADA', { user: { ...ines }, isNew: true });
  expect(await show('UERIN')).toMatchObject({ kind: 'refused' });
  expect(await show('UUMA', 'u-nora')).toMatchObject({ kind: 'refused' });
  ines.manage_users = true;
  expect(await show('UUMA')).toMatchObject({ kind: 'refused' });
  Object.assign(ines, { manage_users: false, user_type: 'administrator' });
  expect(await show('UUMA')).toMatchObject({ kind: 'refused' });
  ines.user_type = 'trainer';
  expect(await show('UUMA')).toMatchObject({ kind: 'shown' });
});

test('a message that cannot be sent is in the log', async () => {
  const { passwords, ines, offerPassword, settled, logged } = open();
  offerPassword.mockRejectedValue(new Error('Slack is away'));
  await passwords.offer(teamId, 'UADA', { user: ines, isNew: true });
  await settled();
  expect(logged().filter(({ level }) => level === 'error')).toMatchObject([
    { msg: expect.stringContaining('could not be sent'), person: 'UADA', user: 'u-ines' },
  ]);
});

test('while a password of the user is being set, no other is', async () => {
  const { show, sets, storage } = open();
  const { release } = await holdLease(storage.leases, `password:${teamId}:u-ines`);
  expect(await show('UADA')).toMatchObject({ kind: 'failed', message: expect.stringContaining('right now') });
  expect(sets()).toEqual([]);
  await release();
  expect(await show('UADA')).toMatchObject({ kind: 'shown' });
});

test('a new user sees a password of their own for two weeks, as long as they are what they were created as', async () => {
  const { show, storage, clock, sets, record, userNamed } = open();
  const nora = userNamed('u-nora');
  Object.assign(nora, { user_type: 'respondent' });
  const afterCreate = createAfterCreate({ grants: storage.kv('password-grants'), now: () => clock.now });
  expect(await show('UNORA', 'u-nora')).toMatchObject({ kind: 'refused' });
  const created = {
    teamId,
    user: nora,
    by: 'UADA',
    of: { batchId: 'b-1', row: 0 },
  };
  expect(await afterCreate(created)).toMatchObject([
    { queue: personQueue(teamId, 'u-nora'), content: { kind: 'own-password', by: 'UADA' } },
  ]);
  expect(await show('UNORA', 'u-nora')).toMatchObject({ kind: 'shown', name: 'Nora', password: 'a-new-password' });
  expect(await show('UROSA', 'u-nora')).toMatchObject({ kind: 'refused' });
  expect(await show('UNORA', 'u-rosa')).toMatchObject({ kind: 'refused' });
  for (const change of [{ suspended: true }, { user_type: 'trainer' }, { manage_users: true }]) {
    const before = { ...nora };
    Object.assign(nora, change);
    expect(await show('UNORA', 'u-nora')).toMatchObject({ kind: 'refused' });
    Object.assign(nora, before);
  }
  expect(sets()).toHaveLength(1);
  expect(JSON.stringify(await record())).not.toContain('a-new-password');
  clock.now += 14 * 24 * 3_600_000;
  expect(await show('UNORA', 'u-nora')).toMatchObject({ kind: 'refused' });
});
