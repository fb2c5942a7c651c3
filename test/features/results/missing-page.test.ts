import { expect, test } from 'vitest';
import { missingPage } from '../../../src/features/results/pages.ts';
import { drawn } from '../../support/draw.ts';

const quiz = { quiz_id: 'q-1', name: 'Food hygiene', status: 'open', date_created: null } as const;
const nobody: Parameters<typeof missingPage>[0] = {
  campaignId: undefined,
  quiz,
  group: undefined,
  assigned: 14,
  suspended: 0,
  missing: [],
};
const missing = [
  { name: 'Kim <Doe>', progress: 'begun' as const },
  { name: 'Rosa Almeida', progress: 'not taken' as const },
];

test('the heading counts people, and each has a line', () => {
  const { text, blocks } = drawn(
    missingPage({ ...nobody, missing, suspended: 1, group: { group_id: 'g-1', group_name: 'Kitchen' } }),
  );
  expect(text).toBe('⏳ 2 of 14 people in *Kitchen* haven’t taken *Food hygiene* yet.');
  expect(JSON.stringify(blocks)).toContain('• Kim &lt;Doe&gt; · started, not submitted\\n• Rosa Almeida');
  expect(JSON.stringify(blocks)).toContain('1 suspended user is left out.');
});

test.each([
  [{}, '✅ All 14 people who have *Food hygiene* have taken it.'],
  [{ assigned: 1 }, '✅ The only person who has *Food hygiene* has taken it.'],
  [{ assigned: 0 }, '📭 *Food hygiene* isn’t assigned to anyone.'],
  [{ assigned: 1, missing: missing.slice(1) }, '⏳ 1 of 1 person hasn’t taken *Food hygiene* yet.'],
])('%o reads “%s”', (facts, text) => {
  expect(drawn(missingPage({ ...nobody, ...facts })).text).toBe(text);
});

test('a long list says how to narrow it, and fits', () => {
  const { blocks } = drawn(
    missingPage({
      ...nobody,
      assigned: 500,
      missing: Array.from({ length: 400 }, () => ({ name: 'x'.repeat(300), progress: 'begun' as const })),
    }),
  );
  expect(JSON.stringify(blocks)).toContain('…and 300 more.');
  expect(blocks.length).toBeLessThanOrEqual(50);
});
