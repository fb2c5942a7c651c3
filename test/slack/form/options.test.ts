import { expect, test } from 'vitest';
import { distinctOptions, groupOption, quizOption } from '../../../src/slack/form/options.ts';

test('options that look alike have the end of their ID, and no others', () => {
  const [one, other, third] = distinctOptions([
    groupOption({ group_id: 'group-aaaa', group_name: 'Kitchen' }),
    groupOption({ group_id: 'group-bbbb', group_name: 'Kitchen' }),
    groupOption({ group_id: 'group-cccc', group_name: 'Bar' }),
  ]).map(({ description }) => description?.text);
  expect([one, other, third]).toEqual(['Group, ID …aaaa', 'Group, ID …bbbb', 'Group']);
});

test('a quiz has its state and its age', () => {
  const quiz = {
    quiz_id: 'q-1',
    name: 'Twin',
    status: 'open' as const,
    date_created: new Date('2025-03-03T10:00:00Z'),
  };
  expect(quizOption(quiz).description?.text).toBe('Open now, created 3 Mar 2025');
});
