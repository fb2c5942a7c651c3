import { mendsOf, type Mend } from './mend.ts';

/** Of time, the log, HTTP, typed lines and settings. */
export const ground: readonly Mend[] = [
  ...mendsOf('src/observability/log.ts', 'test/observability/redaction.test.ts', {
    'no secret is in the log': [
      'const patterns = [...patternOfSecrets(secrets), ...commonPatterns, ...morePatterns];',
      'const patterns = [...commonPatterns, ...morePatterns];',
    ],
  }),
];
