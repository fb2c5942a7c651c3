import { expect, test } from 'vitest';
import { newUser } from '../../../src/domain/batch.ts';
import { batchWords } from '../../../src/features/batches/operations/batch-words.ts';
import { digestOfUsers } from '../../../src/governance/perform/meaning.ts';
import type { RowTurn } from '../../../src/governance/perform/perform-row.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { quizUser } from '../../support/builders/users.ts';
import { openHouse, teamId } from '../../support/house.ts';

const suspension = { operation: 'suspend-user', input: { user: ['u-rosa'] } };

/** The turn of a row that Uma started, who needs approval for it, and Ada approved: Rosa is suspended. */
function open(more: Partial<RowTurn> = {}) {
  const account = openHouse();
  const userNamed = (id: string): User => account.account.users.find(({ user_id }) => user_id === id)!;
  const shown = digestOfUsers(operationNamed('suspend-user')!, { user: userNamed('u-rosa') });
  const { change = suspension } = more;
  const row = {
    kind: 'change',
    name: 'Rosa',
    words: 'is suspended',
    userId: 'u-rosa',
    changes: [change],
    shown,
  } as const;
  const turn: RowTurn = {
    teamId,
    batchId: 'b-1',
    ownerId: 'UUMA',
    approvedBy: undefined,
    approval: { by: 'UADA', expiresAt: account.clock.now + 1 },
    since: 0,
    row,
    change,
    newUserId: undefined,
    call: {},
    ...more,
  };
  return { ...account, userNamed, turn };
}

const unapproved = (message: string) => ({ kind: 'not made', message, needsApproval: true });
const notMade = (message: string) => ({ kind: 'not made', message: expect.stringContaining(message) });
const byAda = { ownerId: 'UADA', approval: undefined };
const ofNora = (user: string) => ({ operation: 'add-to-group', input: { user: [user], group: ['g-2'] } });

const toNew = { operation: 'assign-quiz', input: { quiz: ['q-new'], to: [`user:${newUser}`] } };
const rowOfNew = { kind: 'change', name: 'Kim', words: '', changes: [toNew] } as const;

test.each<[string, Partial<RowTurn>, (account: ReturnType<typeof open>) => unknown, object, string[]]>([
  ['by who may do it at once is made', byAda, () => {}, { kind: 'made' }, ['done']],
  ['by who may ask for it is made where it is approved', {}, () => {}, { kind: 'made' }, ['done']],
  [
    'by who may ask for it is not made without',
    { approval: undefined },
    () => {},
    unapproved(batchWords.needsApproval),
    ['refused'],
  ],
  ['whose approval has expired waits', {}, ({ clock }) => (clock.now += 1), { kind: 'expired' }, []],
  [
    'of a user who is not as they were shown',
    {},
    ({ userNamed }) => (userNamed('u-rosa').user_type = 'trainer'),
    unapproved(batchWords.changedUser),
    ['refused'],
  ],
  [
    'whose approver may not decide any more',
    {},
    ({ userNamed }) => (userNamed('u-ada').user_type = 'trainer'),
    unapproved(batchWords.approverLost),
    ['refused'],
  ],
  [
    'whose owner may not ask for it any more',
    {},
    ({ userNamed }) => (userNamed('u-uma').manage_users = false),
    { ...notMade('manage users'), isOfOwner: true },
    ['refused'],
  ],
  [
    'by which its owner would lose the way in',
    { ...byAda, change: { ...suspension, input: { user: ['u-ada'] } } },
    () => {},
    notMade('suspend or delete yourself'),
    ['refused'],
  ],
  [
    'of a user who is gone',
    {},
    ({ account }) => account.users.splice(6, 1),
    notMade('no longer in the quiz account'),
    ['refused'],
  ],
  [
    'of a new user whom its owner had created',
    { ownerId: 'UGUS', change: ofNora(newUser), newUserId: 'u-nora' },
    ({ userNamed }) => (userNamed('u-nora').groups = []),
    { kind: 'made' },
    ['done'],
  ],
  [
    'of a user, to a quiz, whom another instance has just made',
    { ...byAda, since: 1_000_005, newUserId: 'u-new', change: toNew, row: rowOfNew },
    async ({ directory, account, clock }) => {
      await Promise.all([directory.users.get(), directory.quizzes.get()]);
      account.users.push(quizUser({ user_id: 'u-new' }));
      account.quizzes.push({ ...account.quizzes[0]!, quiz_id: 'q-new' });
      clock.now += 10;
    },
    { kind: 'made' },
    ['done'],
  ],
  [
    'to a quiz that is gone',
    { ...byAda, change: toNew, newUserId: 'u-rosa' },
    () => {},
    notMade('The quiz isn’t there any more'),
    ['refused'],
  ],
  [
    'of a user whom its owner may not see',
    { ownerId: 'UGUS', change: ofNora('u-nora') },
    ({ userNamed }) => (userNamed('u-nora').groups = []),
    notMade('You don’t manage them'),
    ['refused'],
  ],
])('the change of a row %s', async (_, more, change, performed, actions) => {
  const account = open(more);
  await change(account);
  expect(await account.performRow.make(account.turn)).toMatchObject(performed);
  const entries = await account.record();
  expect(entries.map(({ action }) => action)).toEqual(actions);
  for (const entry of entries)
    expect(entry).toMatchObject({ by: account.turn.ownerId, through: 'batch', batch: 'b-1' });
});

test('a change whose answer was lost is looked up, and what failed stands on the record with what it was about', async () => {
  const { performRow, turn, userNamed, record } = open();
  expect(await performRow.lookUp(turn)).toBeUndefined();
  expect(await record()).toEqual([]);
  userNamed('u-rosa').suspended = true;
  expect(await performRow.lookUp(turn)).toMatchObject({ kind: 'done' });
  await performRow.recordFailure({ ...turn, approvedBy: 'UADA' }, 'No answer.');
  const about = { through: 'batch', batch: 'b-1', targets: [{ id: 'u-rosa' }] };
  expect(await record()).toMatchObject([
    { ...about, by: 'UUMA', action: 'done' },
    { ...about, approvedBy: 'UADA', action: 'failed', message: 'No answer.' },
  ]);
  const teleport = { ...turn, change: { ...suspension, operation: 'teleport-user' } };
  await expect(performRow.make(teleport)).rejects.toThrow('can’t do this any more');
});

test.each<[string, RowTurn['change'], number, number, boolean]>([
  ['within a minute', ofNora('u-nora'), 0, 59_999, false],
  ['after a minute', ofNora('u-nora'), 0, 60_000, true],
  ['at once where it decides who can sign in', suspension, 0, 0, true],
  ['at once where its batch has begun or gone on since', ofNora('u-nora'), 1_000_001, 1, true],
])('whoever has rows made is asked about again %s', async (_, change, since, laterMs, isAsked) => {
  const { performRow, turn, clock, asks } = open({ ...byAda, change });
  await performRow.make(turn);
  clock.now += laterMs;
  asks();
  await performRow.make({ ...turn, since });
  expect(asks().includes('users.get u-ada')).toBe(isAsked);
});
