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
  [/\b(?:in )?(?:an? )?threads?\b/gi, 'thread'],
  [/\b(?:under|less than)(?= \d)/gi, 'below'],
  [/\b(?:failures|fails?|failing)\b/gi, 'failed'],
  [/\b(?:passes|passing)\b/gi, 'passed'],
  [new RegExp(`\\bonly (?=${[...outcomeFilters, 'below', 'grade'].join('|')})`, 'gi'), ''],
  [/^(?:everything|every quiz)\b/i, 'all'],
  [/\b(?:no|without|hide) names\b/gi, 'names off'],
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
