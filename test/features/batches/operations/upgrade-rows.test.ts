import { expect, test } from 'vitest';
import { upgradeRows } from '../../../../src/features/batches/operations/upgrade-rows.ts';

const user = {
  firstName: 'Zoë',
  lastName: '',
  userName: 'zoe@quiz.example',
  emailAddress: '',
  userType: 'respondent',
  flags: [],
  groups: [],
  quizzes: [],
} as const;

test('rows of earlier versions become operations with their input', () => {
  const rows = upgradeRows([
    { kind: 'assign', quizId: 'q-1', quizName: 'Fire', to: 'group', id: 'g-1', name: 'Crew', members: ['u-1'] },
    { kind: 'unassign', quizId: 'q-1', from: 'user', id: 'u-1', name: 'Rosa' },
    { kind: 'suspend', userId: 'u-1', name: 'Rosa' },
    { kind: 'leave-group', userId: 'u-1', groupId: 'g-1', name: 'Rosa' },
    { kind: 'create', name: 'Zoë', user: { ...user, sendsWelcome: false } },
    { kind: 'update', name: 'Zoë', userId: 'u-2', user: { ...user, sendsWelcome: false }, changes: ['firstName'] },
    { kind: 'none', name: 'Sam', outcome: { kind: 'same' } },
  ]);
  expect(rows).toMatchObject([
    {
      changes: [{ operation: 'assign-quiz', input: { quiz: ['q-1'], to: ['group:g-1'] } }],
      notify: [{ quizName: 'Fire', users: [{ userId: 'u-1', groupId: 'g-1' }] }],
    },
    { changes: [{ operation: 'unassign-quiz', input: { to: ['user:u-1'] } }], userId: 'u-1' },
    { changes: [{ operation: 'suspend-user', input: { user: ['u-1'] } }] },
    { changes: [{ operation: 'remove-from-group', input: { user: ['u-1'], group: ['g-1'] } }] },
    { changes: [{ operation: 'create-user', input: { user_name: ['zoe@quiz.example'] } }] },
    { changes: [{ operation: 'update-user', input: { user: ['u-2'], first_name: ['Zoë'] } }] },
    { kind: 'none', outcome: { kind: 'same' } },
  ]);
  expect(upgradeRows(rows)).toEqual(rows);
});
