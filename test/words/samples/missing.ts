import { missingMessage } from '../../../src/slack/views/results/missing.ts';
import type { OperationResult } from '../../../src/operations/operation-result.ts';
import { dueMessage } from '../../../src/slack/views/results/due.ts';
import { campaignMember, campaignOf, dayMs, monday } from '../../support/builders/campaigns.ts';
import { memberObligation } from '../../../src/obligations/members.ts';
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

const campaign = campaignOf();
const due: Extract<OperationResult, { kind: 'due' }> = {
  kind: 'due',
  group: { group_id: 'g-1', group_name: 'Night shift' },
  people: 12,
  due: [
    {
      userId: 'rosa',
      name: 'Rosa Almeida',
      obligations: [
        { quiz: campaign.quiz, obligation: memberObligation(campaignMember('rosa'), campaign, monday + 20 * dayMs) },
      ],
      assigned: [{ quiz: { id: 'q-2', name: 'First aid' }, progress: 'failed' }],
    },
    {
      userId: 'kim',
      name: 'Kim Doe',
      obligations: [],
      assigned: Array.from({ length: 8 }, (_, index) => ({
        quiz: { id: `q-${index}`, name: `Quiz ${index + 1}` },
        progress: index === 0 ? ('begun' as const) : ('not taken' as const),
      })),
    },
  ],
  read: 9,
  left: 0,
  nextFrom: 10,
  isStillReading: false,
  now: monday + 20 * dayMs,
};
const offered: ReadonlySet<string> = new Set(['remind-people', 'show-matrix']);

export const samples: readonly Sample[] = [
  { when: 'What the people of a group still have to take', shown: dueMessage(due, offered, 'UTC') },
  {
    when: 'What they still have to take, of more quizzes than are looked at at once',
    shown: dueMessage({ ...due, due: due.due.slice(1), read: 1, left: 5, isStillReading: true }, offered, 'UTC'),
  },
  { when: 'Nobody of a group has anything to take', shown: dueMessage({ ...due, due: [] }, offered, 'UTC') },
  { when: 'Nobody is in the group', shown: dueMessage({ ...due, people: 0, due: [], read: 0 }, offered, 'UTC') },

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
