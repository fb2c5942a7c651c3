import { missingMessage } from '../../../src/slack/views/missing.ts';
import type { OperationResult } from '../../../src/operations/operation-result.ts';
import type { Sample } from '../sample.ts';

const some: Extract<OperationResult, { kind: 'missing' }> = {
  kind: 'missing',
  quiz: { quiz_id: 'q-1', name: 'Food hygiene', status: 'open', date_created: null },
  group: undefined,
  assigned: 14,
  suspended: 1,
  missing: [
    { name: 'Kim Doe', hasBegun: true },
    { name: 'Rosa Almeida', hasBegun: false },
  ],
};

export const samples: readonly Sample[] = [
  { when: 'Who has not taken a quiz', shown: missingMessage(some) },
  { when: 'Who has not taken it in a group', shown: missingMessage({ ...some, suspended: 0, group: { group_id: 'g-1', group_name: 'Kitchen' }, assigned: 250, missing: Array.from({ length: 120 }, () => some.missing[1]!) }) },
  { when: 'Everyone has taken it', shown: missingMessage({ ...some, missing: [] }) },
  { when: 'The only person has taken it', shown: missingMessage({ ...some, assigned: 1, missing: [] }) },
  { when: 'The quiz is assigned to nobody', shown: missingMessage({ ...some, assigned: 0, missing: [] }) },
];
