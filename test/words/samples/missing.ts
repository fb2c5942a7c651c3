import { missingMessage } from '../../../src/slack/views/results/missing.ts';
import type { OperationResult } from '../../../src/operations/operation-result.ts';
import type { Sample } from '../sample.ts';

const everything: ReadonlySet<string> = new Set(['start-campaign', 'remind-campaign']);

const some: Extract<OperationResult, { kind: 'missing' }> = {
  kind: 'missing',
  quiz: { quiz_id: 'q-1', name: 'Food hygiene', status: 'open', date_created: null },
  group: undefined,
  assigned: 14,
  suspended: 1,
  missing: [
    { name: 'Kim Doe', progress: 'begun' as const },
    { name: 'Rosa Almeida', progress: 'not taken' as const },
    { name: 'Ravi Banerjee', progress: 'failed' as const },
  ],
};

export const samples: readonly Sample[] = [
  { when: 'Who has not taken a quiz', shown: missingMessage(some, everything) },
  {
    when: 'Who has not taken it in a group',
    shown: missingMessage(
      {
        ...some,
        suspended: 0,
        group: { group_id: 'g-1', group_name: 'Kitchen' },
        assigned: 250,
        missing: Array.from({ length: 120 }, () => some.missing[1]!),
      },
      everything,
    ),
  },
  {
    when: 'Who has not taken a quiz for which a campaign runs',
    shown: missingMessage({ ...some, campaignId: 'c-1' }, everything),
  },
  {
    when: 'Some took it, and didn’t pass',
    shown: missingMessage({ ...some, missing: some.missing.slice(2) }, everything),
  },
  { when: 'Everyone has taken it', shown: missingMessage({ ...some, missing: [] }, everything) },
  { when: 'The only person has taken it', shown: missingMessage({ ...some, assigned: 1, missing: [] }, everything) },
  { when: 'The quiz is assigned to nobody', shown: missingMessage({ ...some, assigned: 0, missing: [] }, everything) },
];
