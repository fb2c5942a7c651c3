import type { ChangePreview } from '../../../src/domain/approval-request.ts';
import { actor } from '../../support/builders/users.ts';
import { effectOf } from '../../support/builders/changes.ts';
import { denialMessage } from '../../../src/governance/rights/rights.ts';
import { batchWords, people } from '../../../src/features/batches/operations/batch-words.ts';
import { named, phraseList, countOf, say, namedList } from '../../../src/domain/said.ts';
import type { BatchPlan, BatchProgress, BatchRow, BatchState, ChangeRow } from '../../../src/domain/batch.ts';
import type { Review } from '../../../src/operations/services/records.ts';
import { privilegedRows } from '../../../src/features/batches/operations/control-batch.ts';
import { people as persons } from '../../../src/sandbox/workspace/people.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { batchPlanPage } from '../../../src/features/batches/pages/batches.ts';
import { answered, drawn } from '../../support/as-sent.ts';
import { monday, dayMs } from '../../support/builders/campaigns.ts';
import { assignRow, membershipRow, newUserRow, suspendRow, updateUserRow } from '../../support/builders/rows.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { InvalidInputError } from '../../../src/operations/text-input.ts';
import { refuseOld, wholePlanPage, type Shown } from '../../../src/operations/define-plan.ts';
import { goneMessage } from '../../../src/operations/fields/kept.ts';
import { textMessage } from '../../../src/slack/views/blocks/message.ts';
import { decideRequest } from '../../../src/features/administration/decide-request.ts';
import { reviewPage } from '../../../src/features/administration/pages/requests.ts';
import type { Samples } from '../collect.ts';
import type { DepartureList } from '../../../src/domain/queues.ts';
import { departureWords } from '../../../src/features/departures/operations/departed.ts';

const assigning = (count: number): string => say`assign ${named('Fire safety')} to ${people(count)}`;
const assigned = (count: number): string => say`assigned ${named('Fire safety')} to ${people(count)}`;
const importing = ({ create, update }: { create: number; update?: number }): string => {
  const created = say`create ${countOf(create, 'user', 'users')}`;
  const changes = update === undefined ? [created] : [created, say`update ${countOf(update, 'user', 'users')}`];
  return say`${phraseList(changes)} from ${named('new-hires.csv')}`;
};
export const batchProgress = (state: BatchState, overrides: Partial<BatchProgress> = {}): BatchProgress => ({
  batch: {
    id: 'b-1',
    action: assigning(500),
    done: assigned(500),
    ownerId: persons.tom.id,
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
const ofImport = (state: BatchState, action: string) => ({ batch: { ...batchProgress(state).batch, action } });
const shown = (of: BatchProgress) => announcementMessage({ kind: 'batch-progress', progress: of, now: monday });

const plan = (overrides: Partial<BatchPlan> = {}): BatchPlan => ({
  kind: 'batch',
  operation: 'suspend-group',
  ...batchWords.suspendGroup(2, 'Kitchen'),
  rows: [
    suspendRow('u-1', 'Rosa Almeida'),
    suspendRow('u-2', 'Tom Lindqvist'),
    { kind: 'none', outcome: { kind: 'same' }, name: 'Sam Petrov' },
    { kind: 'none', outcome: { kind: 'skipped', error: batchWords.ownSuspension }, name: 'Ada Okafor' },
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

const preview = ({ plan: planned, ...how }: Partial<Shown> & { plan: BatchPlan }) =>
  drawn(
    batchPlanPage(planned, {
      id: 'p-1',
      canStart: true,
      entered: undefined,
      timeZone: 'Europe/London',
      platform: 'Slack',
      ...how,
    }),
  );
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
  {
    kind: 'none',
    outcome: { kind: 'failed', error: say`There’s no e-mail address and no user name.` },
    name: 'Line 4',
  },
  { kind: 'none', outcome: { kind: 'same' }, name: 'Ada Okafor' },
];
const changes = [
  say`${named('Kim Doe')} wouldn’t be created: another user has the address now.`,
  say`The quiz ${named('Fire safety')} isn’t in the quiz account any more: ${countOf(2, 'change', 'changes')} would fail.`,
];
const asked: ChangePreview = {
  action: importing({ create: 2, update: 1 }),
  effect: effectOf('run-batch', { plan: { content: { ...plan({ operation: 'import-users' }), rows } } }),
  details: [],
  targets: [],
  privileged: privilegedRows({ rows, privileged: [] }),
};
const review: Extract<Review, { kind: 'review' }> = {
  kind: 'review',
  request: approvalRequest({ operation: 'run-batch', input: { plan: ['p-1'] }, asked }),
  preview: { ...asked, changes },
  changes,
};

const listed = (names: readonly string[], mass: DepartureList['mass'] = null) =>
  announcementMessage({
    kind: 'departures',
    list: {
      id: 'n-1',
      postedAt: monday + dayMs,
      readers: [],
      people: names.map((name) => ({ userId: name, name, leftAt: monday })),
      mass,
    },
  });

const departures: Samples = {
  'People have left Slack': listed(['Rosa Almeida', 'Kofi Brandt']),
  'One of them is left to decide on': listed(['Rosa Almeida']),
  'All of them are decided on': listed([]),
  'Many have left Slack': listed([], { count: 31, of: 120 }),
  'suspend-departed': drawn(
    batchPlanPage(
      {
        kind: 'batch',
        operation: 'suspend-departed',
        ...departureWords.suspend(2, 'Slack'),
        rows: [
          suspendRow('u-1', 'Rosa Almeida'),
          suspendRow('u-2', 'Kofi Brandt'),
          { kind: 'none', outcome: { kind: 'skipped', error: departureWords.protected }, name: 'Tom Lindqvist' },
        ],
        approval: 'privileged',
      },
      { id: 'p-1', canStart: true, entered: undefined, timeZone: 'Europe/London', platform: 'Slack' },
    ),
  ),
  'suspend-departed: nobody': textMessage('ℹ️', departureWords.nobody('Slack')),
  'dismiss-departed': textMessage('✅', departureWords.dismissed(namedList(['Rosa Almeida']), 1)),
  'A button of a list that is over': textMessage('⚠️', departureWords.over),
};

export const samples: Samples = {
  'run-batch: many changes go on': shown(batchProgress('running', { readyAt: monday + 456_000, failed: 2 })),
  'pause-batch: they rest': shown(batchProgress('paused')),
  'resume-batch: they have stopped by themselves': shown(
    batchProgress('stopped', {
      problem: denialMessage(actor({ user_type: 'trainer' }), 'edit_quizzes', { name: 'Slack' }),
    }),
  ),
  'cancel-batch: the rest is left out': shown(batchProgress('cancelled', { skipped: 380, canUndo: true })),
  'batch-result and undo-batch: some failed': shown(batchProgress('finished', { done: 497, failed: 3, canUndo: true })),
  'All are made': shown(batchProgress('finished', { done: 500, canUndo: true })),
  'An import is done, and two people got no message': shown(
    batchProgress('finished', {
      total: 11,
      done: 10,
      failed: 1,
      skipped: 1,
      withoutPassword: 2,
      ...ofImport('finished', importing({ create: 11 })),
      imported: { created: { done: 10, total: 11 }, updated: { done: 0, total: 0 }, errors: 5 },
    }),
  ),
  'An import that creates and updates goes on': shown(
    batchProgress('running', {
      total: 40,
      done: 12,
      readyAt: monday + 456_000,
      ...ofImport('running', importing({ create: 38, update: 2 })),
      imported: { created: { done: 12, total: 38 }, updated: { done: 0, total: 2 }, errors: 1 },
    }),
  ),
  'assign-quiz to a channel of 73 people': preview({
    entered: { operation: 'assign-quiz', input: { quiz: ['q-1'], to: ['users:u-1 u-2'] } },
    warning: say`${named('Fire safety')} is closed, so nobody can take it until it’s open.`,
    plan: plan({
      operation: 'assign-quiz',
      action: assigning(70),
      approval: null,
      privileged: [],
      rows: [
        ...Array.from({ length: 70 }, (_, at) => assignRow('q-1', { userId: `u-${at}` }, { name: `Person ${at + 1}` })),
        ...['Sam Petrov', 'Ada Okafor', 'Rosa Almeida'].map((name): BatchRow => ({
          kind: 'none',
          outcome: { kind: 'same' },
          name,
        })),
        ...['Zoe Park', 'Kim Doe'].map((name): BatchRow => ({
          kind: 'none',
          outcome: { kind: 'skipped', error: batchWords.withoutUser },
          name,
        })),
      ],
    }),
  }),
  'add-to-group for 24 people, by a person who needs approval': preview({
    plan: plan({
      operation: 'add-to-group',
      ...batchWords.fillGroup(23, 'Kitchen'),
      privileged: [],
      rows: [
        ...Array.from({ length: 23 }, (_, at) => membershipRow('add-to-group', `u-${at}`, `Person ${at + 1}`)),
        { kind: 'none', outcome: { kind: 'same' }, name: 'Ada Okafor' },
      ],
    }),
  }),
  'suspend-group': preview({
    plan: plan(),
    entered: { operation: 'suspend-group', input: { group: ['g-1'] } },
  }),
  'run-batch of a preview that is gone': textMessage('⚠️', goneMessage),
  'run-batch of a preview that is too old': textMessage('⚠️', tooOld()),
  'reinstate-group: nothing to do': preview({
    canStart: false,
    plan: plan({
      operation: 'reinstate-group',
      rows: [{ kind: 'none', outcome: { kind: 'same' }, name: 'Rosa Almeida' }],
      approval: null,
      privileged: [],
    }),
  }),
  'Every row of a preview': drawn(
    wholePlanPage('p-1', plan({ action: importing({ create: 2, update: 1 }), rows, privileged: [] }), 1),
  ),
  'The review of many changes': answered(decideRequest, reviewPage(review, 'approved')),
  'empty-group': preview({
    plan: plan({
      operation: 'empty-group',
      ...batchWords.emptyGroup(1, 'Kitchen'),
      rows: [membershipRow('remove-from-group', 'u-1', 'Rosa Almeida')],
      approval: null,
      privileged: [],
    }),
  }),
  ...departures,
};
