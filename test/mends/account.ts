import { mendsOf, type Mend } from './mend.ts';

/** Of the quiz account: its requests, their budget, and who is who. */
export const account: readonly Mend[] = [
  ...mendsOf('src/quiz-api/budget/rate-windows.ts', 'test/quiz-api/budget/rate-windows.test.ts', {
    'a minute has 60 requests': ['{ limit: 60, windowMs: 60_000,', '{ limit: 61, windowMs: 60_000,'],
    'background work leaves requests to people': [
      'return Math.min(turnWith(inUse), inQuietAt);',
      'return turnWith(0);',
    ],
    'nothing is sent while the service refuses': [
      'return Math.max(refusedUntil, ...windows.map(turnIn));',
      'return Math.max(...windows.map(turnIn));',
    ],
  }),
  ...mendsOf('src/quiz-api/budget/request-budget.ts', 'test/quiz-api/budget/waiting-callers.test.ts', {
    'a permit that nobody waits for is given back': [
      'if (next === undefined) permit.cancel();',
      'if (next === undefined) continue;',
    ],
  }),
  ...mendsOf('src/quiz-api/budget/request-budget.ts', 'test/quiz-api/budget/request-budget.test.ts', {
    'some requests of a minute are kept for administrators': [
      "if (priority === 'person' && rank !== 'administrator') await waitForOthers(deadline, signal);",
      '',
    ],
    'a 429 of the service is waited out': ['await ledger.recordRefusal(retryAfterMs);', ''],
  }),
  ...mendsOf('src/quiz-api/budget/request-budget.ts', 'test/quiz-api/budget/request-budget.test.ts', {
    'a person uses at most half of an hour': ['const shareOfLongerWindow = 0.5;', 'const shareOfLongerWindow = 1;'],
  }),
  ...mendsOf('src/quiz-api/transport.ts', 'test/quiz-api/retries.test.ts', {
    'a 429 is tried again after its pause': ['await recordRefusal(retryAt);', ''],
    'a call fails after three tries': ['attempts.failures < mostFailures', 'attempts.failures < 3 * mostFailures'],
  }),
  ...mendsOf('src/quiz-api/budget/rate-windows.ts', 'test/quiz-api/budget/rate-windows.test.ts', {
    'an hour has 2,000 requests': ['{ limit: 2000, windowMs: 3_600_000,', '{ limit: 2200, windowMs: 3_600_000,'],
    'requests of another program stay for some windows': [
      'const windowsToRememberOthers = 4;',
      'const windowsToRememberOthers = 1;',
    ],
  }),
  ...mendsOf('src/quiz-api/error-mapping.ts', 'test/quiz-api/errors.test.ts', {
    'a redirect is another address': ['if (redirects.has(status)) return', 'if (redirects.has(-status)) return'],
  }),
];
