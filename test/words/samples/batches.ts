import type { BatchPlan, BatchProgress, BatchState } from '../../../src/domain/batch.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import { batchPlanMessage } from '../../../src/slack/views/batch-plan.ts';
import { monday } from '../../support/builders/campaigns.ts';
import type { Sample } from '../sample.ts';

const progress = (state: BatchState, overrides: Partial<BatchProgress> = {}): BatchProgress => ({
  batch: { id: 'b-1', action: 'assign \u2068Fire safety\u2069 to 500 people', ownerId: people.tom.id, state, startedAt: monday, endedAt: state === 'finished' || state === 'cancelled' ? monday + 600_000 : null },
  total: 500,
  done: 120,
  same: 0,
  failed: 0,
  skipped: 0,
  readyAt: undefined,
  ...overrides,
});
const shown = (when: string, of: BatchProgress): Sample => ({ when, shown: announcementMessage({ kind: 'batch-progress', progress: of, now: monday }) });

const plan = (overrides: Partial<BatchPlan> = {}): BatchPlan => ({
  kind: 'batch',
  operation: 'suspend-group',
  action: 'suspend 2 people of the group \u2068Kitchen\u2069',
  rows: [
    { kind: 'suspend', userId: 'u-1', name: 'Rosa Almeida' },
    { kind: 'suspend', userId: 'u-2', name: 'Tom Lindqvist' },
    { kind: 'none', outcome: { kind: 'same' }, name: 'Sam Petrov' },
    { kind: 'none', outcome: { kind: 'skipped', error: 'You can’t suspend yourself.' }, name: 'Ada Okafor' },
  ],
  approval: 'privileged',
  privileged: ['Tom Lindqvist'],
  ...overrides,
});

export const samples: readonly Sample[] = [
  shown('run-batch: many changes go on', progress('running', { readyAt: monday + 456_000, failed: 2 })),
  shown('pause-batch: they rest', progress('paused')),
  shown('resume-batch: they have stopped by themselves', progress('stopped', { problem: 'You can’t edit quizzes. An administrator of the quiz account can give you the right.' })),
  shown('cancel-batch: the rest is left out', progress('cancelled', { skipped: 380 })),
  shown('batch-result and undo-batch: all are made', progress('finished', { done: 497, same: 3, failed: 3 })),
  { when: 'suspend-group', shown: batchPlanMessage({ kind: 'batch-plan', id: 'p-1', plan: plan() }) },
  { when: 'reinstate-group: nothing to do', shown: batchPlanMessage({ kind: 'batch-plan', id: undefined, plan: plan({ operation: 'reinstate-group', rows: [{ kind: 'none', outcome: { kind: 'same' }, name: 'Rosa Almeida' }], approval: null, privileged: [] }) }) },
  { when: 'empty-group', shown: batchPlanMessage({ kind: 'batch-plan', id: 'p-1', plan: plan({ operation: 'empty-group', action: 'remove 1 person from the group \u2068Kitchen\u2069', rows: [{ kind: 'leave-group', userId: 'u-1', groupId: 'g-1', name: 'Rosa Almeida' }], approval: null, privileged: [] }) }) },
];
