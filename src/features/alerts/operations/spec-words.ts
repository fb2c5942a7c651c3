import { outcomeFilters } from '../../../domain/submission-outcome.ts';
import { partsOf } from '../../../operations/typed-text.ts';

/** What people type for the words of a subscription; each is a pattern for whole words. */
const everydayWords: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^to (?=.)/i, ''],
  [/\b(?:digest )?(?:every|each|once an?|once per) (day|hour|week|month)(?: digest)?\b/gi, 'digest $1'],
  [/\b(?:an? )?(daily|hourly|weekly|monthly) digest\b/gi, 'digest $1'],
  [/(?<!\bdigest )\b(daily|hourly|weekly|monthly)\b/gi, 'digest $1'],
  [/\bdigest day\b/gi, 'digest daily'],
  [/\bdigest (hour|week|month)\b/gi, 'digest $1ly'],
  [/\b(?:one )?message per submission\b/gi, 'each'],
  [/\b(?:in )?(?:an? |one )?threads?(?: per quiz per day)?\b/gi, 'thread'],
  [/\b(?:under|less than)(?= \d)/gi, 'below'],
  [/\b(?:failures|fails?|failing|not passed)\b/gi, 'failed'],
  [/\b(?:not graded(?: or waiting to be marked)?|(?:waiting )?to be marked)\b/gi, 'ungraded'],
  [/\b(?:passes|passing)\b/gi, 'passed'],
  [new RegExp(`\\bonly (?=${[...outcomeFilters, 'below', 'grade'].join('|')})`, 'gi'), ''],
  [new RegExp(`\\b(${outcomeFilters.join('|')}|below \\d\\S*(?: %)?|grade \\S+) only\\b`, 'gi'), '$1'],
  [/^(?:everything|every quiz)\b/i, 'all'],
  [/\b(?:(?:no|without|hide)|initials instead of) names\b/gi, 'names off'],
];

/** The line with the words that subscriptions have; what is quoted or mentioned stays. Undefined where nothing changes. */
export function inWordsOfSpecs(line: string): string | undefined {
  const whole = partsOf(line).filter(({ kind }) => kind !== 'word');
  const ends = [0, ...whole.map(({ end }) => end)];
  const usual = ends
    .map((from, index) => {
      const kept = whole[index];
      const words = line.slice(from, kept?.start);
      const inOwn = everydayWords.reduce((text, [pattern, own]) => text.replace(pattern, own), words);
      return inOwn + (kept ? line.slice(kept.start, kept.end) : '');
    })
    .join('');
  return usual === line ? undefined : usual;
}
