import { mendsOf, type Mend } from './mend.ts';

/** Of time, the log, HTTP, typed lines and settings. */
export const ground: readonly Mend[] = [
  ...mendsOf('src/observability/log.ts', 'test/observability/redaction.test.ts', {
    'no secret is in the log': [
      'const patterns = [...patternOfSecrets(secrets), ...commonPatterns, ...morePatterns];',
      'const patterns = [...commonPatterns, ...morePatterns];',
    ],
  }),
  ...mendsOf('src/observability/log.ts', 'test/observability/redaction.test.ts', {
    'no address is in the log': [
      "return safe.includes('@') || safe.includes('%40') ? withoutAddresses(safe) : safe;",
      'return safe;',
    ],
  }),
  ...mendsOf('src/observability/log.ts', 'test/observability/log.test.ts', {
    'of two secrets the longer one goes first': [
      'forms.toSorted((a, b) => b.form.length - a.form.length)',
      'forms.toSorted((a, b) => a.form.length - b.form.length)',
    ],
  }),
  ...mendsOf('src/http/bodies.ts', 'test/http/unverified-bodies.test.ts', {
    'a sender with many unfinished bodies loses the oldest': ['if (others.size >= perSender) oldest?.();', ''],
  }),
  ...mendsOf('src/time/working-hours.ts', 'test/features/campaigns/schedule.test.ts', {
    'nobody is written to on a weekend': ['return weekday !== 0 && weekday !== 6 && ', 'return weekday !== 0 && '],
  }),
  ...mendsOf('src/time/working-hours.ts', 'test/time/holidays.test.ts', {
    'a holiday of a zone is one there alone': [
      'holidays.has(day) || holidays.has(`${written.get(timeZone)}${separator}${day}`)',
      'holidays.has(day)',
    ],
  }),
  ...mendsOf('src/time/working-hours.ts', 'test/features/campaigns/schedule.test.ts', {
    'a person gets one message of a campaign a day': [
      'const usual = nextDay <= plannedAt ? soonest :',
      'const usual = nextDay > 0 ? soonest :',
    ],
  }),
  ...mendsOf('src/time/working-hours.ts', 'test/time/holidays.test.ts', {
    'a zone that does not exist is told': [
      'else if (zone !== undefined && known === undefined) problems.push(',
      'else if (zone === "") problems.push(',
    ],
  }),
  ...mendsOf('src/time/timers.ts', 'test/time/backoff.test.ts', {
    'waits between attempts grow': ['firstMs * factor ** Math.max(0, failures - 1)', 'firstMs'],
  }),
  ...mendsOf('src/time/timers.ts', 'test/time/gathering.test.ts', {
    'items of one turn are acted on together': [
      'if (gathered.push({ item, resolve, reject }) === 1) setImmediate(actOnAll);',
      `gathered.push({ item, resolve, reject });
      actOnAll();`,
    ],
  }),
  ...mendsOf('src/time/wall-clock.ts', 'test/time/wall-clock.test.ts', {
    'a time that the clock skips is the end of the gap': [
      'return found.length === 0 ? endOfGap(time) : Math.min(...found);',
      'return found.length === 0 ? time : Math.min(...found);',
    ],
  }),
];
