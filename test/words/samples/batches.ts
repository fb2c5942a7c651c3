import type { BatchPlan, BatchProgress, BatchRow, BatchState, ChangeRow } from '../../../src/domain/batch.ts';
import type { Review } from '../../../src/governance/approvals/decide.ts';
import { privilegedRows } from '../../../src/features/batches/operations/review-rows.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { batchPlanMessage, plannedRowsMessage } from '../../../src/slack/views/batches/batch-plan.ts';
import { monday } from '../../support/builders/campaigns.ts';
import { assignRow, membershipRow, newUserRow, suspendRow, updateUserRow } from '../../support/builders/rows.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { InvalidInputError } from '../../../src/operations/errors.ts';
import { goneMessage, refuseOld } from '../../../src/operations/plans/gone.ts';
import { textMessage } from '../../../src/slack/views/blocks/message.ts';
import { pressed } from '../../../src/slack/views/approvals/review.ts';
import type { Sample } from '../sample.ts';

const progress = (state: BatchState, overrides: Partial<BatchProgress> = {}): BatchProgress => ({
  batch: {
    id: 'b-1',
    action: 'assign \u2068Fire safety\u2069 to 500 people',
    ownerId: people.tom.id,
    state,
    startedAt: monday,
    endedAt: state === 'finished' || state === 'cancelled' ? monday + 600_000 : null,
  },
  total: 500,
  done: 120,
  failed: 0,
  skipped: 0,
  readyAt: undefined,
  ...overrides,
});
const ofImport = (state: BatchState, action: string) => ({ batch: { ...progress(state).batch, action } });
const shown = (when: string, of: BatchProgress): Sample => ({
  when,
  shown: announcementMessage({ kind: 'batch-progress', progress: of, now: monday }),
});

const plan = (overrides: Partial<BatchPlan> = {}): BatchPlan => ({
  kind: 'batch',
  operation: 'suspend-group',
  action: 'suspend 2 people of the group \u2068Kitchen\u2069',
  rows: [
    suspendRow('u-1', 'Rosa Almeida'),
    suspendRow('u-2', 'Tom Lindqvist'),
    { kind: 'none', outcome: { kind: 'same' }, name: 'Sam Petrov' },
    { kind: 'none', outcome: { kind: 'skipped', error: 'You can’t suspend yourself.' }, name: 'Ada Okafor' },
  ],
  approval: 'privileged',
  privileged: ['Tom Lindqvist'],
  ...overrides,
});

function tooOld(): string {
  try {
    return refuseOld({ createdAt: 0 }, monday) ?? '';
  } catch (error) {
    return error instanceof InvalidInputError ? error.message : '';
  }
}

const shownPlan = { kind: 'preview', id: 'p-1', canStart: true } as const;
const kitchen = { id: 'g-1', name: 'Kitchen' };
const privileged = (row: ChangeRow): ChangeRow => ({ ...row, needsApproval: true });
const rows: readonly BatchRow[] = [
  privileged(
    newUserRow('Zoë Åberg', {
      userName: 'zoe@quiz.example',
      userType: 'trainer',
      flags: ['edit_quizzes', 'manage_users'],
    }),
  ),
  privileged(
    updateUserRow(
      'Rosa Almeida',
      'u-1',
      { lastName: 'Almeida', emailAddress: 'rosa@work.example', userType: 'trainer', groups: [kitchen] },
      ['lastName', 'emailAddress', 'userType', 'groups'],
    ),
  ),
  newUserRow('Kim Doe', {
    userName: 'kim@quiz.example',
    groups: [kitchen],
    quizzes: [{ id: 'q-1', name: 'Fire safety' }],
  }),
  assignRow('q-1', { userId: 'u-2' }, { name: 'Sam Petrov' }),
  membershipRow('remove-from-group', 'u-3', 'Tom Lindqvist'),
  { kind: 'none', outcome: { kind: 'failed', error: 'There’s no e-mail address and no user name.' }, name: 'Line 4' },
  { kind: 'none', outcome: { kind: 'same' }, name: 'Ada Okafor' },
];
const review: Extract<Review, { kind: 'review' }> = {
  kind: 'review',
  request: approvalRequest({ operation: 'run-batch', input: { plan: ['p-1'] } }),
  preview: {
    action: 'create 2 users and update 1 user from \u2068new-hires.csv\u2069',
    effect:
      'The bot would make 3 changes, one after the other. 2 of them give someone rights or change an existing user.',
    details: [],
    targets: [],
    privileged: privilegedRows({ rows, privileged: [] }),
    changes: [
      '\u2068Kim Doe\u2069 wouldn’t be created: another user has the address now.',
      'The quiz \u2068Fire safety\u2069 isn’t in the quiz account any more: 2 changes would fail.',
    ],
  },
  changes: [
    '\u2068Kim Doe\u2069 wouldn’t be created: another user has the address now.',
    'The quiz \u2068Fire safety\u2069 isn’t in the quiz account any more: 2 changes would fail.',
  ],
};

export const samples: readonly Sample[] = [
  shown('run-batch: many changes go on', progress('running', { readyAt: monday + 456_000, failed: 2 })),
  shown('pause-batch: they rest', progress('paused')),
  shown(
    'resume-batch: they have stopped by themselves',
    progress('stopped', {
      problem: 'You can’t edit quizzes. An administrator of the quiz account can give you the right.',
    }),
  ),
  shown('cancel-batch: the rest is left out', progress('cancelled', { skipped: 380, canUndo: true })),
  shown('batch-result and undo-batch: all are made', progress('finished', { done: 497, failed: 3, canUndo: true })),
  shown(
    'An import is done, and two people got no message',
    progress('finished', {
      total: 11,
      done: 10,
      failed: 1,
      skipped: 1,
      withoutPassword: 2,
      ...ofImport('finished', 'create 11 users from \u2068new-hires.csv\u2069'),
      imported: { created: { done: 10, total: 11 }, updated: { done: 0, total: 0 }, errors: 5 },
    }),
  ),
  shown(
    'An import that creates and updates goes on',
    progress('running', {
      total: 40,
      done: 12,
      readyAt: monday + 456_000,
      ...ofImport('running', 'create 38 users and update 2 users from \u2068new-hires.csv\u2069'),
      imported: { created: { done: 12, total: 38 }, updated: { done: 0, total: 2 }, errors: 1 },
    }),
  ),
  {
    when: 'assign-quiz to a channel of 73 people',
    shown: batchPlanMessage({
      ...shownPlan,
      entered: { operation: 'assign-quiz', input: { quiz: ['q-1'], to: ['users:u-1 u-2'] } },
      warning: '\u2068Fire safety\u2069 is closed, so nobody can take it until it’s open.',
      plan: plan({
        operation: 'assign-quiz',
        action: 'assign \u2068Fire safety\u2069 to 70 people',
        approval: null,
        privileged: [],
        rows: [
          ...Array.from({ length: 70 }, (_, at) =>
            assignRow('q-1', { userId: `u-${at}` }, { name: `Person ${at + 1}` }),
          ),
          ...['Sam Petrov', 'Ada Okafor', 'Rosa Almeida'].map((name): BatchRow => ({
            kind: 'none',
            outcome: { kind: 'same' },
            name,
          })),
          ...['Zoe Park', 'Kim Doe'].map((name): BatchRow => ({
            kind: 'none',
            outcome: { kind: 'skipped', error: 'They have no user in the quiz account.' },
            name,
          })),
        ],
      }),
    }),
  },
  {
    when: 'add-to-group for 24 people, by a person who needs approval',
    shown: batchPlanMessage({
      ...shownPlan,
      plan: plan({
        operation: 'add-to-group',
        action: 'add 23 people to the group \u2068Kitchen\u2069',
        privileged: [],
        rows: [
          ...Array.from({ length: 23 }, (_, at) => membershipRow('add-to-group', `u-${at}`, `Person ${at + 1}`)),
          { kind: 'none', outcome: { kind: 'same' }, name: 'Ada Okafor' },
        ],
      }),
    }),
  },
  {
    when: 'suspend-group',
    shown: batchPlanMessage({
      ...shownPlan,
      plan: plan(),
      entered: { operation: 'suspend-group', input: { group: ['g-1'] } },
    }),
  },
  { when: 'run-batch of a preview that is gone', shown: textMessage('⚠️', goneMessage) },
  { when: 'run-batch of a preview that is too old', shown: textMessage('⚠️', tooOld()) },
  {
    when: 'reinstate-group: nothing to do',
    shown: batchPlanMessage({
      ...shownPlan,
      canStart: false,
      plan: plan({
        operation: 'reinstate-group',
        rows: [{ kind: 'none', outcome: { kind: 'same' }, name: 'Rosa Almeida' }],
        approval: null,
        privileged: [],
      }),
    }),
  },
  {
    when: 'Every row of a preview',
    shown: plannedRowsMessage(
      'p-1',
      plan({ action: 'create 2 users and update 1 user from \u2068new-hires.csv\u2069', rows, privileged: [] }),
      1,
    ),
  },
  { when: 'The review of many changes', shown: pressed(review, 'approved', 'UTC').view },
  {
    when: 'empty-group',
    shown: batchPlanMessage({
      ...shownPlan,
      plan: plan({
        operation: 'empty-group',
        action: 'remove 1 person from the group \u2068Kitchen\u2069',
        rows: [membershipRow('remove-from-group', 'u-1', 'Rosa Almeida')],
        approval: null,
        privileged: [],
      }),
    }),
  },
];
