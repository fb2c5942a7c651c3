import { mendsOf, type Mend } from './mend.ts';

/** Of time, the log, HTTP, typed lines and settings; of requests to the quiz account and their budget; of results and evidence. */
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
      "if (priority === 'person' && rank !== 'administrator') await waitForOthers(place, deadline, signal);",
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
