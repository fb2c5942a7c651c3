import { expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { personQueue, batchQueue } from '../../../src/domain/queues.ts';
import { createAfterCreate, makePassword } from '../../../src/governance/passwords/grants.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { quizUser } from '../../support/builders/users.ts';
import { holdLease } from '../../support/held-lease.ts';
import { openHouse, teamId } from '../../support/house.ts';
import type { Batch, BatchRow } from '../../../src/domain/batch.ts';
import { createBatchRows, type StoredRows } from '../../../src/features/batches/batch-service.ts';
import { newBatch, withOutcome } from '../../../src/features/batches/stored-batch.ts';
import { newUserRow, updateUserRow } from '../../support/builders/rows.ts';

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

/** An import by Uma that has created these users, whom no message reached. */
async function imported(names: readonly string[]) {
  const account = openHouse();
  const rows: BatchRow[] = [
    ...names.map((name) => newUserRow(name, { userName: name })),
    updateUserRow('Rosa', 'u-rosa', { lastName: 'Reis' }, ['lastName']),
  ];
  const batch: Batch = {
    id: 'b-1',
    teamId,
    ownerId: 'UUMA',
    operation: 'import-users',
    action: 'create users',
    startedAt: account.clock.now,
    endedAt: account.clock.now,
    state: 'finished',
    outcomes: [],
    liveId: null,
  };
  const state = names.reduce(
    (current, name, at) => withOutcome(current, at, { kind: 'done', userId: `u-${name}`, isWithoutPassword: true }),
    newBatch(batch, rows),
  );
  await createBatchRows(account.storage.kv<StoredRows>('batch-rows')).add(teamId, batch.id, { rows });
  await account.storage.outbox.commit(batchQueue(teamId, batch.id), { version: 0, state, isBusy: false });
  for (const name of names)
    account.account.users.push(quizUser({ user_id: `u-${name}`, user_name: name, first_name: name, last_name: 'New' }));
  return {
    ...account,
    list: (personId = 'UUMA', after = -1, isPrinted?: boolean) =>
      account.passwords.showList({ teamId, personId, batchId: 'b-1', after, isPrinted }),
    sets: () => account.calls.flatMap(({ call }) => (call.startsWith('users.update') ? [call] : [])),
    waiting: async () =>
      (await account.storage.outbox.waiting(batchQueue(teamId, 'b-1'), { limit: 100 })).map(({ content }) => content),
  };
}

test('the person who started an import sees the passwords of those whom no message reached', async () => {
  const { list, sets, record, logged, waiting } = await imported(['ingo', 'olga']);
  expect(await list()).toEqual({
    kind: 'list',
    shown: [
      { name: 'ingo New', userName: 'ingo', password: 'a-new-password' },
      { name: 'olga New', userName: 'olga', password: 'a-new-password' },
    ],
    last: 1,
    left: 0,
  });
  expect(sets()).toEqual(['users.update u-ingo', 'users.update u-olga']);
  const entries = await record();
  expect(entries).toMatchObject([
    { by: 'UUMA', operation: 'show-password', action: 'done', targets: [{ id: 'u-ingo' }] },
    { by: 'UUMA', operation: 'show-password', action: 'done', targets: [{ id: 'u-olga' }] },
  ]);
  expect(await waiting()).toMatchObject([
    { event: { kind: 'password shown', row: 0 } },
    { event: { kind: 'password shown', row: 1 } },
  ]);
  expect(JSON.stringify([entries, logged(), await waiting()])).not.toContain('a-new-password');
});

test('a list is opened again for an hour by the same person, and sets and records nothing then', async () => {
  const { list, sets, record, clock, account } = await imported(Array.from({ length: 17 }, (_, at) => `p${at}`));
  const first = await list();
  expect(await list()).toEqual(first);
  const next = await list('UUMA', 14);
  const whole = await list();
  expect(whole).toMatchObject({ last: 16, left: 0 });
  expect(whole.kind === 'list' && whole.shown).toEqual(
    [first, next].flatMap((some) => (some.kind === 'list' ? some.shown : [])),
  );
  expect(await list('UADA')).toMatchObject({ kind: 'refused' });
  account.users.find(({ user_id }) => user_id === 'u-uma')!.manage_users = false;
  expect(await list()).toMatchObject({ kind: 'refused' });
  account.users.find(({ user_id }) => user_id === 'u-uma')!.manage_users = true;
  expect(sets().length).toBe(17);
  expect((await record()).filter(({ action }) => action === 'done').length).toBe(17);
  clock.now += 3_600_000;
  expect(await list()).not.toEqual(whole);
});

test('a list that was printed is gone', async () => {
  const { list, sets } = await imported(['ingo']);
  const first = await list();
  expect(await list('UADA', 0, true)).toMatchObject({ kind: 'refused' });
  expect(await list()).toEqual(first);
  expect(await list('UUMA', 0, true)).toEqual({ kind: 'printed' });
  expect(sets().length).toBe(1);
  await list();
  expect(sets().length).toBe(2);
});

test.each([
  ['another trainer who manages users', 'UADA'],
  ['a trainer who manages nobody', 'UERIN'],
  ['a person without a user', 'UNOBODY'],
])('%s sees none, and none is set', async (_, personId) => {
  const { list, sets } = await imported(['ingo']);
  expect(await list(personId)).toMatchObject({ kind: 'refused' });
  expect(sets()).toEqual([]);
});

test('none is shown of a user who has more rights than the import gave', async () => {
  const { list, sets, account } = await imported(['ingo', 'olga']);
  account.users.find(({ user_id }) => user_id === 'u-ingo')!.user_type = 'administrator';
  expect(await list()).toMatchObject({ shown: [{ userName: 'olga' }], problem: expect.stringContaining('can’t see') });
  expect(sets()).toEqual(['users.update u-olga']);
});

test('fifteen are shown at a time, and the next from where the last list ended', async () => {
  const names = Array.from({ length: 18 }, (_, at) => `p${at}`);
  const { list } = await imported(names);
  const first = await list();
  expect(first).toMatchObject({ kind: 'list', last: 14, left: 3 });
  expect(first.kind === 'list' && first.shown.length).toBe(15);
  expect(await list('UUMA', 14)).toMatchObject({
    shown: [{ userName: 'p15' }, { userName: 'p16' }, { userName: 'p17' }],
    left: 0,
  });
});

test('none is shown after two weeks, or when the person may not create users any more', async () => {
  const late = await imported(['ingo']);
  late.clock.now += 14 * 24 * 3_600_000 + 1;
  expect(await late.list()).toMatchObject({ kind: 'refused' });
  const demoted = await imported(['ingo']);
  demoted.account.users.find(({ user_id }) => user_id === 'u-uma')!.manage_users = false;
  expect(await demoted.list()).toMatchObject({ kind: 'refused' });
  expect([...late.sets(), ...demoted.sets()]).toEqual([]);
});
