import { expect, test } from 'vitest';
import { managerFieldIn } from '../../../src/slack/people/managers.ts';

const editable = { id: 'Xf1', label: 'Manager', type: 'user' };
const locked = { ...editable, id: 'Xf2', options: { is_protected: true } };
const synced = { ...editable, id: 'Xf3', options: { is_scim: true } };

test.each([
  ['a field that nobody edits in their profile', [editable, locked], 'Xf2'],
  ['a field that the company’s directory fills', [synced], 'Xf3'],
  ['a field in another spelling', [{ ...locked, label: ' MANAGER' }], 'Xf2'],
  ['a flag as a number, as in Slack’s examples', [{ ...editable, options: { is_protected: 1 as never } }], 'Xf1'],
])('without a configured field, %s names managers', (_, fields, id) => {
  expect(managerFieldIn(fields, undefined)).toEqual({ id, label: expect.any(String) });
});

test.each([
  ['no_field', []],
  ['no_field', [{ ...locked, label: 'Boss' }]],
  ['no_field', [{ ...locked, type: 'text' }]],
  ['no_field', [{ ...locked, is_hidden: true }]],
  ['no_field', [{ ...locked, is_inverse: true }]],
  ['editable', [editable]],
  ['editable', [{ ...editable, options: null as never }]],
  ['editable', [{ ...locked, permissions: { ui: true } }]],
] as const)('without a configured field, there is none (%s) in %j', (problem, fields) => {
  expect(managerFieldIn(fields, undefined)).toEqual({ problem });
});

test.each(['Manager', 'manager', 'Xf1'])(
  'a configured field counts whether people edit it or not: %s',
  (configured) => {
    expect(managerFieldIn([editable], configured)).toEqual({ id: 'Xf1', label: 'Manager' });
  },
);

test('a configured field that is not there, or holds no people, says so', () => {
  expect(managerFieldIn([locked], 'Reports to')).toEqual({ problem: 'unknown_field' });
  expect(managerFieldIn([{ ...locked, type: 'text' }], 'Manager')).toEqual({ problem: 'not_people' });
});
