import { missingPage } from '../../../src/features/results/pages.ts';
import { drawn } from '../../support/as-sent.ts';
import type { Sample } from '../sample.ts';

const some: Parameters<typeof missingPage>[0] = {
  campaignId: undefined,
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
  { when: 'Who has not taken a quiz', shown: drawn(missingPage(some)) },
  {
    when: 'Who has not taken it in a group',
    shown: drawn(
      missingPage({
        ...some,
        suspended: 0,
        group: { group_id: 'g-1', group_name: 'Kitchen' },
        assigned: 250,
        missing: Array.from({ length: 120 }, () => some.missing[1]!),
      }),
    ),
  },
  {
    when: 'Who has not taken a quiz for which a campaign runs',
    shown: drawn(missingPage({ ...some, campaignId: 'c-1' })),
  },
  {
    when: 'Some took it, and didn’t pass',
    shown: drawn(missingPage({ ...some, missing: some.missing.slice(2) })),
  },
  { when: 'Everyone has taken it', shown: drawn(missingPage({ ...some, missing: [] })) },
  { when: 'The only person has taken it', shown: drawn(missingPage({ ...some, assigned: 1, missing: [] })) },
  { when: 'The quiz is assigned to nobody', shown: drawn(missingPage({ ...some, assigned: 0, missing: [] })) },
];
