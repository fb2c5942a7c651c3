import { mendsOf, type Mend } from './mend.ts';

/** Of results, and of evidence for others. */
export const results: readonly Mend[] = [
  ...mendsOf('src/domain/submission-outcome.ts', 'test/domain/submission-outcome.test.ts', {
    'an essay that waits to be marked is no failure': ["if (isWithoutGrade && points === 0) return 'unmarked';", ''],
  }),
  ...mendsOf('src/features/results/statistics.ts', 'test/features/results/statistics.test.ts', {
    'the median of an even number is between the two in the middle': [
      'Math.floor(sorted.length / 2) + 1)',
      'Math.ceil(sorted.length / 2))',
    ],
    'the deviation is that of these attempts': [
      'Math.sqrt(meanOf(sorted.map((percentage) => (percentage - mean) ** 2)))',
      'meanOf(sorted.map((percentage) => (percentage - mean) ** 2))',
    ],
  }),
];
