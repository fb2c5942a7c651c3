import { expect, test } from 'vitest';
import { groupPage, groupsPage } from '../../../src/features/groups/list-and-show.ts';
import { userPage, usersPage } from '../../../src/features/users/pages.ts';
import { drawn } from '../../support/draw.ts';
import { quizUser } from '../../support/builders/users.ts';

test('a user without a user name leaves no gap in the list', () => {
  const list = JSON.stringify(
    drawn(
      usersPage([quizUser({ first_name: 'Juno', last_name: 'Jansen', user_name: '', user_type: 'respondent' })], {
        filter: {},
        count: 2,
      }),
    ),
  );
  expect(list).toContain('*Juno Jansen* · respondent');
});

interface AnyBlock {
  type: string;
  accessory?: { options: { text: { text: string }; value: string }[] };
  elements?: { text: { text: string }; accessibility_label?: string; value: string }[];
}
const menusOf = (message: { blocks: unknown }) =>
  (message.blocks as AnyBlock[]).flatMap(({ accessory }) =>
    accessory ? [accessory.options.map(({ text, value }) => [text.text, JSON.parse(value)])] : [],
  );
const buttonsOf = (message: { blocks: unknown }) =>
  (message.blocks as AnyBlock[]).flatMap(({ type, elements = [] }) =>
    type === 'actions'
      ? elements.map(({ accessibility_label, value }) => [accessibility_label, JSON.parse(value)])
      : [],
  );

test('a user and a group have buttons that say what they act on', () => {
  const user = { ...quizUser(), quizzes: [] };
  const assigned = { quizzes: [], leftOut: 0, isStillReading: false };
  const shown = userPage({ user, assigned, obligations: [], groups: [], trains: { quizzes: [], groups: [] } });
  expect(buttonsOf(drawn(shown))).toEqual([
    ['Assign a quiz… Rosa Almeida', { operation: 'assign-quiz', raw: { to: ['user:u-rosa'] } }],
    ['Suspend… Rosa Almeida', { operation: 'suspend-user', raw: { user: ['u-rosa'] } }],
  ]);
  const kitchen = { group_id: 'g-1', group_name: 'Kitchen' };
  const buttons = [
    ['Add people… Kitchen', { operation: 'add-to-group', raw: { group: ['g-1'] } }],
    ['Assign a quiz… Kitchen', { operation: 'assign-to-group', raw: { group: ['g-1'] } }],
  ];
  expect(buttonsOf(drawn(groupPage(kitchen, [])))).toEqual(buttons);
  expect(menusOf(drawn(groupsPage([kitchen], '')))[0]?.map(([label]) => label)).toEqual([
    'View',
    'Add people…',
    'Assign a quiz…',
  ]);
  expect(menusOf(drawn(groupsPage([kitchen], ''), new Set(['show-group'])))[0]?.map(([label]) => label)).toEqual([
    'View',
  ]);
});
