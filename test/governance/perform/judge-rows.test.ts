import { describe, expect, test } from 'vitest';
import type { BatchRow, ChangeRow } from '../../../src/domain/batch.ts';
import { plainSentence } from '../../../src/domain/said.ts';
import { digestOfUsers } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { openHouse } from '../../support/house.ts';
import { assignRow, membershipRow, newUserRow, suspendRow, updateUserRow } from '../../support/builders/rows.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const crew = { kind: 'group', id: 'g-1', name: 'Crew' } as const;
const ladders = { kind: 'quiz', id: 'q-3', name: 'Ladders' } as const;
const digest = expect.stringMatching(/^[\w-]{16}$/);
const strange = (row: ChangeRow): ChangeRow => ({ ...row, changes: [{ operation: 'teleport-user', input: {} }] });
const skipped = (name: string, error: string, userId?: string) => ({
  kind: 'none',
  name,
  outcome: { kind: 'skipped', error, ...(userId && { userId }) },
});
const same: BatchRow = { kind: 'none', outcome: { kind: 'same', userId: 'u-rosa' }, name: 'Rosa' };
const ownLoss =
  'You can’t suspend or delete yourself, or remove your own rights. Another administrator of the quiz account can.';

const rosaOf = (house: ReturnType<typeof openHouse>): User =>
  house.account.users.find(({ user_id }) => user_id === 'u-rosa')!;

describe('a planned row', () => {
  const suspension = suspendRow('u-rosa', 'Rosa');
  const joining = membershipRow('add-to-group', 'u-rosa', 'Rosa');
  const toCrew = assignRow('q-3', { groupId: 'g-1' });
  const newAdministrator = newUserRow('Kim', { userType: 'administrator', groups: [crew], quizzes: [ladders] });
  const newOfGone = newUserRow('Lea', { quizzes: [{ id: 'q-9', name: 'Gone' }] });
  const renaming = updateUserRow('Rosa', 'u-rosa', { firstName: 'Rose', groups: [crew] }, ['firstName']);
  const old = { ...toCrew, needsApproval: true, shown: 'old', reads: 7 } as const;
  test.each<[string, BatchRow, string, object, object[]]>([
    [
      'of a user whose way in it decides, who is read right before',
      suspension,
      'UADA',
      { ...suspension, shown: digest, reads: 1 },
      [],
    ],
    [
      'that its maker may only ask for, with a need for approval',
      suspension,
      'UUMA',
      { ...suspension, shown: digest, reads: 1, needsApproval: true },
      [],
    ],
    ['that decides nobody’s way in, without a read', joining, 'UADA', { ...joining, shown: digest }, [crew]],
    ['of a group, with what it names', toCrew, 'UADA', toCrew, [ladders, crew]],
    ['anew, whatever it was judged before', old, 'UADA', toCrew, [ladders, crew]],
    [
      'of several changes, of which one needs approval',
      newAdministrator,
      'UADA',
      { ...newAdministrator, needsApproval: true },
      [crew, ladders],
    ],
    [
      'of a user with several changes, with a read for those that concern rights',
      renaming,
      'UADA',
      { ...renaming, shown: digest, reads: 1 },
      [crew],
    ],
    ['of a new user, whatever they cannot have', newOfGone, 'UADA', newOfGone, []],
    ['that changes nothing', same, 'UADA', same, []],
  ])('is kept: %s', async (_, row, who, judged, things) => {
    const context = await openHouse().readerFor(who);
    expect(await context.judge([row, same])).toEqual({ rows: [judged, same], things });
  });

  test.each<[string, ChangeRow, string]>([
    ['the rights of its maker refuse', suspendRow('u-ada', 'Ada'), ownLoss],
    [
      'names a quiz that is gone',
      assignRow('q-9', { userId: 'u-rosa' }),
      'The quiz isn’t there any more, or you can’t see it.',
    ],
    ['this version does not know', strange(suspension), 'This version of the bot can’t do this any more.'],
    ['no version of a group knows', strange(toCrew), 'This version of the bot can’t do this any more.'],
  ])('is left out that %s', async (_, row, error) => {
    const context = await openHouse().readerFor('UADA');
    const { rows, things } = await context.judge([row]);
    expect(rows).toEqual([skipped(row.name, error, row.userId)]);
    expect(things).toEqual([]);
  });

  test('leaves other work its turn after each 200', async () => {
    const context = await openHouse().readerFor('UADA');
    const turns = await turnsDuring(context.judge(Array.from({ length: 600 }, () => same)));
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(turns).toBeLessThan(10);
  });
});

describe('a row that was shown', () => {
  const suspension = suspendRow('u-rosa', 'Rosa');
  const joining = membershipRow('remove-from-group', 'u-rosa', 'Rosa');
  const [toRosa, toCrew] = [assignRow('q-9', { userId: 'u-rosa' }), assignRow('q-3', { groupId: 'g-1' })];
  const left: ChangeRow = {
    ...suspension,
    changes: [{ operation: 'suspend-user', input: { user: ['u-rosa'], left: ['u-rosa'] } }],
  };
  const both: ChangeRow = { ...suspension, changes: [...suspension.changes, ...joining.changes] };
  const leftOfTwo: ChangeRow = { ...left, changes: [...joining.changes, ...left.changes] };
  const reset: ChangeRow = {
    ...suspension,
    changes: [{ operation: 'reset-password', input: { user: ['u-rosa'] } }],
  };
  const back = 'They’re back in the workspace, so they stay active in the quiz account.';
  const raised = (rosa: User) => void (rosa.user_type = 'trainer');
  const suspended = (rosa: User) => void (rosa.suspended = true);
  const asShown = { kind: 'as shown' };
  test.each<[string, ChangeRow, (rosa: User) => void, object]>([
    ['is as shown', suspension, () => {}, asShown],
    [
      'is as shown where only the name of its user is another',
      suspension,
      (rosa) => (rosa.first_name = 'Rose'),
      asShown,
    ],
    ['is gone with its user', suspension, (rosa) => (rosa.user_id = 'u-other'), { kind: 'gone' }],
    ['is done where somebody else has made the change', suspension, suspended, { kind: 'done' }],
    ['is not done by one of its changes', both, suspended, { kind: 'changed', user: { suspended: true } }],
    [
      'is another where its user has another type',
      suspension,
      raised,
      { kind: 'changed', user: { user_type: 'trainer' } },
    ],
    [
      'is refused where one of its operations does not take it any more',
      leftOfTwo,
      () => {},
      { kind: 'refused', message: back },
    ],
    ['is refused where its operation does not take it any more', left, () => {}, { kind: 'refused', message: back }],
    ['is as shown where nothing tells whether it is done', reset, () => {}, asShown],
    ['is as shown where the quiz is gone, which is told elsewhere', toRosa, raised, asShown],
    ['is as shown where this version does not know it', strange(suspension), raised, asShown],
    ['is as shown where it is of a group', toCrew, () => {}, asShown],
  ])('%s', async (_, row, change, expected) => {
    const house = openHouse();
    // Whoever asks: Nora manages nobody.
    const context = await house.readerFor('UNORA');
    const shown = digestOfUsers(operationNamed('suspend-user')!, { user: rosaOf(house) })!;
    change(rosaOf(house));
    house.clock.now += 60_000;
    const [now, ...others] = await context.rowsNow([{ ...row, ...(row.userId && { shown }) }]);
    expect(now).toMatchObject(expected);
    expect(now && 'message' in now ? plainSentence(now.message) : undefined).toBe(
      'message' in expected ? expected.message : undefined,
    );
    expect(others).toEqual([]);
  });

  test('without a digest is as shown, whatever its user has become', async () => {
    const house = openHouse();
    raised(rosaOf(house));
    expect(await (await house.readerFor('UADA')).rowsNow([suspension])).toEqual([asShown]);
  });

  test.each<[string, ChangeRow[], number]>([
    ['one of a user', [toCrew, suspension], 1],
    ['none of a user', [toCrew], 0],
  ])('among which is %s costs so many reads of the users', async (_, rows, reads) => {
    const house = openHouse();
    const context = await house.readerFor('UADA');
    house.clock.now += 60_000;
    house.asks();
    await context.rowsNow(rows);
    expect(house.asks().filter((call) => call.startsWith('users'))).toHaveLength(reads);
  });

  test('leaves other work its turn after each 200', async () => {
    const context = await openHouse().readerFor('UADA');
    await context.directory.users.get();
    const turns = await turnsDuring(context.rowsNow(Array.from({ length: 600 }, () => toCrew)));
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(turns).toBeLessThan(10);
  });
});
