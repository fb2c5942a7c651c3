import { mendsOf, type Judge, type Mend } from './mend.ts';

const rule = 'src/obligations/obligation.ts';
const validity = 'src/obligations/validity.ts';

/** The rule against the one that is written from its page, on the days of random lives. */
const lives: Judge = { script: 'obligations', words: ['50000'], finding: /^life / };

/** Of what is due when, and until when it is valid. */
export const obligations: readonly Mend[] = [
  ...mendsOf(rule, lives, {
    'an early retake never shortens what is valid': ['Math.max(latest, endOf(at))', 'endOf(at)'],
    'who leaves has nothing to do any more': ['({ to = Infinity }) => now < to', '({ from }) => from > 0'],
    'who returns has it due counted from then': [
      'Math.max(stay.from, rule.startsAt)',
      'Math.max(stays[0]!.from, rule.startsAt)',
    ],
    'after an excuse, the due time is counted from its end': [
      'excuseEnd > begin ? [excuseEnd]',
      'excuseEnd < 0 ? [excuseEnd]',
    ],
    'an excuse without an end does not carry into the next year': [
      "excuse.until !== null || rule.kind === 'round'",
      'excuse.at > 0',
    ],
    'a round asks who has a valid pass at its due time': ["rule.kind === 'round' ? (rule.dueAt ?? now) : now", 'now'],
    'a pass that was valid when the person came in is renewed by its end at the earliest': [
      'validEnd > begin ? validEnd : 0',
      '0',
    ],
    'what expired before the person came in is no expiry': ["validEnd > begin ? 'expired'", "validEnd > 0 ? 'expired'"],
    'who is asked to renew is so before the end': ['rule.renewDays * dayMs', '0'],
    'what waits to be marked for years is to be taken again': [
      "last?.outcome === 'unmarked' && counts(endOf(last.at))",
      "last?.outcome === 'unmarked'",
    ],
    'the latest attempt decides whether something is to be marked': [
      'latest.at > attempt.at',
      'latest.at < attempt.at',
    ],
  }),
  ...mendsOf(validity, lives, {
    'a pass is valid until the end of its last day': [
      'clock.firstMomentOf((last + 1) * dayMs)',
      'clock.firstMomentOf(last * dayMs)',
    ],
    'days are those of the lead’s clock': [
      'const day = Math.floor(clock.shownAt(passedAt) / dayMs);',
      'const day = Math.floor(passedAt / dayMs);',
    ],
    'where the month has no such day, it is the last one': ['Math.min(day, last)', 'day'],
    'a pass within the renewal time before a date for all counts until the next year': [
      'date - renewDays > day',
      'date > day',
    ],
    'nothing is due before the next working day': ['Math.max(endOfWork(last, timeZone), ', '('],
  }),
];
