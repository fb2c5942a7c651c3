import { mendsOf, type Mend } from './mend.ts';

/** Of time, the log, HTTP, typed lines and settings. */
export const ground: readonly Mend[] = [
  ...mendsOf('src/observability/log.ts', 'test/observability/log.test.ts', {
    'no secret is in the log': [
      'const patterns = [...patternOfSecrets(secrets), ...commonPatterns, ...morePatterns];',
      'const patterns = [...commonPatterns, ...morePatterns];',
    ],
    'no address is in the log': [
      "return safe.includes('@') || safe.includes('%40') ? withoutAddresses(safe) : safe;",
      'return safe;',
    ],
    'of two secrets the longer one goes first': [
      'forms.toSorted((a, b) => b.form.length - a.form.length)',
      'forms.toSorted((a, b) => a.form.length - b.form.length)',
    ],
  }),
  ...mendsOf('src/http/bodies.ts', 'test/http/server.test.ts', {
    'a sender with many unfinished bodies loses the oldest': ['if (others.size >= perSender) oldest?.();', ''],
  }),
  ...mendsOf('src/time/working-hours.ts', 'test/features/campaigns/schedule.test.ts', {
    'nobody is written to on a weekend': ['return weekday !== 0 && weekday !== 6 && ', 'return weekday !== 0 && '],
    'a person gets one message of a campaign a day': [
      'const usual = nextDay <= plannedAt ? soonest :',
      'const usual = nextDay > 0 ? soonest :',
    ],
  }),
  ...mendsOf('src/time/working-hours.ts', 'test/time/clocks.test.ts', {
    'a holiday of a zone is one there alone': [
      'holidays.has(day) || holidays.has(`${written.get(timeZone)}${separator}${day}`)',
      'holidays.has(day)',
    ],
    'a zone that does not exist is told': [
      'else if (zone !== undefined && known === undefined) problems.push(',
      'else if (zone === "") problems.push(',
    ],
  }),
  ...mendsOf('src/time/timers.ts', 'test/time/timers.test.ts', {
    'waits between attempts grow': ['firstMs * factor ** Math.max(0, failures - 1)', 'firstMs'],
    'items of one turn are acted on together': [
      'if (gathered.push({ item, resolve, reject }) === 1) setImmediate(actOnAll);',
      `gathered.push({ item, resolve, reject });
      actOnAll();`,
    ],
  }),
  ...mendsOf('src/time/wall-clock.ts', 'test/time/clocks.test.ts', {
    'a time that the clock skips is the end of the gap': [
      'return found.length === 0 ? endOfGap(time) : Math.min(...found);',
      'return found.length === 0 ? time : Math.min(...found);',
    ],
  }),
];

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
    'an hour has 2,000 requests': ['{ limit: 2000, windowMs: 3_600_000,', '{ limit: 2200, windowMs: 3_600_000,'],
    'requests of another program stay for some windows': [
      'const windowsToRememberOthers = 4;',
      'const windowsToRememberOthers = 1;',
    ],
  }),
  ...mendsOf('src/quiz-api/budget/request-budget.ts', 'test/quiz-api/budget/request-budget.test.ts', {
    'a permit that nobody waits for is given back': [
      'if (next === undefined) permit.cancel();',
      'if (next === undefined) continue;',
    ],
    'some requests of a minute are kept for administrators': [
      "if (priority === 'person' && rank !== 'administrator') await waitForOthers(deadline, signal);",
      '',
    ],
    'a 429 of the service is waited out': ['await ledger.recordRefusal(retryAfterMs);', ''],
    'a person uses at most half of an hour': ['const shareOfLongerWindow = 0.5;', 'const shareOfLongerWindow = 1;'],
  }),
  ...mendsOf('src/quiz-api/transport.ts', 'test/quiz-api/retries.test.ts', {
    'a 429 is tried again after its pause': ['await recordRefusal(retryAt);', ''],
    'a call fails after three tries': ['failures < mostFailures', 'failures < 3 * mostFailures'],
  }),
  ...mendsOf('src/quiz-api/answers.ts', 'test/quiz-api/errors.test.ts', {
    'a redirect is another address': ['if (redirects.has(status)) return', 'if (redirects.has(-status)) return'],
  }),
];
