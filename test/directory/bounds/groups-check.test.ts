import { expect, test } from 'vitest';
import { diagnoseGroups, groupsCheck, groupsMeaning } from '../../../src/directory/bounds/groups-check.ts';
import { fault, right, unknown } from '../../../src/domain/diagnosis.ts';
import { expectShownAlike, expectWell, shownOf } from '../../support/shown-everywhere.ts';

const kitchen = { group_id: 'g-1', group_name: 'Kitchen' };
const groups = [kitchen, { group_id: 'g-2', group_name: 'Sales' }, { group_id: 'g-3', group_name: 'Sales' }];

const read = { unread: 0, quizzes: 300 };

test('a group that the account does not have is shown everywhere', async () => {
  const check = groupsCheck(async () => ({ ...read, unresolved: [{ name: 'Garden', why: 'unknown' }] }));
  const { forOperator } = await expectShownAlike([check], groupsMeaning, {
    code: 'groups_not_found',
    effect: 'degrades',
  });
  expect(forOperator).toBe(
    'GROUPS: no group of the account is called “Garden”, so nothing of it shows. Correct the name, or use the ID of the group',
  );
});

test('groups that are found are well', async () => {
  const check = groupsCheck(async () => ({ ...read, unresolved: [] }));
  await expectWell([check], [groupsMeaning]);
  expect(await check.look()).toBeUndefined();
});

test('what is not read yet is not known, and nothing that has to be mended', async () => {
  const check = groupsCheck(async () => ({ unresolved: [], unread: 12, quizzes: 300 }));
  const { status, doctor, readiness, metric } = await shownOf([check], groupsMeaning);
  expect(status).toContain('Not every quiz of the bot’s groups may show yet');
  expect(doctor).toEqual(unknown('which groups have 12 of 300 quizzes is not read yet: they show once it is'));
  expect(readiness.status).toBe(200);
  expect(metric).toBeUndefined();
});

test.each([
  ['none', [], [right('GROUPS is not set, so the bot is for the whole account')]],
  ['one', ['kitchen'], [right('the bot is only for the group “Kitchen” of the account')]],
  [
    'several, one of which is not clear',
    ['Sales', 'g-1', 'g-2'],
    [
      right('the bot is only for the groups “Kitchen” and “Sales” of the account'),
      fault(
        'GROUPS: several groups of the account are called “Sales”, so nothing of it shows. Correct the name, or use the ID of the group',
      ),
    ],
  ],
  [
    'two that are not there',
    ['Bar', 'Garden'],
    [
      fault(
        'GROUPS: no group of the account is called “Bar” and no group of the account is called “Garden”, so nothing of them shows. Correct the name, or use the ID of the group',
      ),
    ],
  ],
])('the doctor on %s', (_, names, lines) => expect(diagnoseGroups(names, groups)).toEqual(lines));
