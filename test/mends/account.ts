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
];
