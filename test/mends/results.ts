import { mendsOf, type Mend } from './mend.ts';

/** Of results, and of evidence for others. */
export const results: readonly Mend[] = [
  ...mendsOf('src/domain/submission-outcome.ts', 'test/domain/result.test.ts', {
    'an essay that waits to be marked is no failure': ["if (isWithoutGrade && points === 0) return 'unmarked';", ''],
    'a survey is not graded': ["if (isWithoutGrade && availablePoints === 0) return 'not graded';", ''],
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
    'only what is graded counts in averages': [
      '(isGraded(outcome) ? (percentage_score ?? []) : [])',
      '(percentage_score ?? [])',
    ],
  }),
  ...mendsOf('src/features/results/show-results.ts', 'test/features/results/respondents.test.ts', {
    'a quiz that is deleted meanwhile stops nothing': ["if (failedFor(error, 'gone')) continue;", ''],
    'most quizzes are read in the background': [
      "index < readAtOnce ? call : { ...call, priority: 'background' as const }",
      'call',
    ],
    'open quizzes come first': [
      "const states = ['open', 'closed', 'in_design'];",
      "const states = ['closed', 'open', 'in_design'];",
    ],
  }),
  ...mendsOf('src/domain/address.ts', 'test/domain/names.test.ts', {
    'a letter that only looks like K is another one': [
      'address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())',
      'address.toLowerCase()',
    ],
    'a masked address keeps its first letter alone': ["'$1…'", "'$1$1…'"],
    'what is kept for good holds no address': [
      "text.includes('@') ? text.replaceAll(/\\S+/g, maskWord) : text",
      'value',
    ],
  }),
  ...mendsOf('src/features/evidence/signing-keys.ts', 'test/features/evidence/verify.test.ts', {
    'of two instances one makes the key': [
      `if (known !== undefined) return known;
`,
      '',
    ],
    'earlier keys stay known': ['...earlier.map((key) => ({ ...key, until: key.until ?? at })),', ''],
  }),
  ...mendsOf('src/features/evidence/pack.ts', 'test/features/evidence/verify.test.ts', {
    'a pack names the hash of each of its files': ["sha256: file.hash.digest('hex') }", "sha256: '' }"],
  }),
];
