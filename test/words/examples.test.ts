import { describe, expect, test } from 'vitest';
import { parseSubscription, readDelivery, readFilter } from '../../src/features/alerts/operations/spec.ts';
import { typedFilter } from '../support/parse-line.ts';
import { parseAuditFilter } from '../../src/features/administration/show-audit.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { parseTime } from '../../src/operations/dates/time-expression.ts';
import { parseDuration, parseValidity } from '../../src/operations/fields/times.ts';
import type { Field } from '../../src/operations/fields/fields.ts';
import { isNoTime, withoutMore } from '../../src/operations/fields/text.ts';
import { createCatalogues } from '../../src/words/catalogues.ts';
import { languageCodes } from '../../src/words/languages.ts';

const setting = { nowMs: Date.parse('2026-11-25T10:00:00Z'), timeZone: 'Europe/Berlin' };

type Kind = 'time' | 'more time' | 'duration' | 'validity' | 'results' | 'audit' | 'time of day' | 'subscription';

/** What a text means where it is typed; undefined where it is not understood. */
type Read = (text: string) => unknown;

const reads: Readonly<Record<Kind, Read>> = {
  time: (text) => parseTime(text.split(' ')),
  'more time': (text) => parseTime(withoutMore(text).split(' ')),
  duration: (text) => (isNoTime(text) ? 'none' : parseDuration(text)),
  validity: parseValidity,
  results: (text) => {
    const { person, ...filter } = typedFilter(text, setting);
    return person === undefined ? filter : undefined;
  },
  audit: (text) => {
    const { words, ...filter } = parseAuditFilter(text, { ...setting, me: 'UADA' });
    return words.length === 0 ? filter : undefined;
  },
  'time of day': (text) => readDelivery('daily', text),
  subscription: (text) => {
    const { quiz, filter, limit, delivery, at } = parseSubscription(`food ${text}`).at(-1) ?? {};
    if (quiz?.[0] !== 'food' || (filter ?? delivery) === undefined) return undefined;
    return [readFilter(filter?.[0], limit?.[0]), readDelivery(delivery?.[0], at?.[0])];
  },
};

/** Sentences with examples of what to type. */
const sentences: readonly (readonly [sentence: string, read: Kind, ...examples: string[]])[] = [
  [
    '“{0}” isn’t a time I know. Type it like 15 dec 17:00, friday or in 2 weeks.',
    'time',
    '15 dec 17:00',
    'friday',
    'in 2 weeks',
  ],
  ['“{0}” isn’t a time I know. Type it like 2026-01-01, last month or 90d.', 'time', '2026-01-01', 'last month', '90d'],
  ['Enter a single time, for example 1d.', 'duration', '1d'],
  ['“{0}” isn’t a number of hours, days or weeks. Try {1}, or none.', 'duration', '1d', 'none'],
  [
    '“{0}” isn’t a time for which a pass can count. Type it like 12 months, or until 31 jan.',
    'validity',
    '12 months',
    'until 31 jan',
  ],
  [
    'After “since” comes a day or a time, such as since monday, since 15 nov or since 7d.',
    'results',
    'since monday',
    'since 15 nov',
    'since 7d',
  ],
  ['I don’t know “{0}”. Try since 7d, since monday or last week.', 'results', 'since 7d', 'since monday', 'last week'],
  [
    'The period would begin {0} and end {1}. Type it like since 2026-01-01 until 2026-06-30.',
    'results',
    'since 2026-01-01 until 2026-06-30',
  ],
  ['Any of: @person, a name, a quiz, close-quiz, since monday, csv. Or verify alone.', 'audit', 'since monday'],
  [
    'No entry of the audit trail matches. Filter by @person, a name, a quiz, an operation or since 7d.',
    'audit',
    'since 7d',
  ],
  [
    'Give people more time, or less: 20 dec 17:00, friday, 1 week more',
    'more time',
    '20 dec 17:00',
    'friday',
    '1 week more',
  ],
  ['That would be {0}, which is over already. Type it like friday, or in 1 week.', 'time', 'friday', 'in 1 week'],
  ['“{0}” isn’t a time of day. Try 8am or 08:30.', 'time of day', '08:30'],
  ['“below” needs a percentage up to 100, for example below 60.', 'subscription', 'below 60'],
  ['“grade” needs a grade, for example grade B.', 'subscription', 'grade B'],
  ['“digest” needs hourly, or daily and a time, for example digest daily 08:30.', 'subscription', 'digest daily 08:30'],
  ['“{0}” is only for a daily digest, for example digest daily 08:30.', 'subscription', 'digest daily 08:30'],
  ['“{0}” needs “below” or “grade” before it, for example below 60.', 'subscription', 'below 60'],
];

const fields = catalog.flatMap((operation): Field[] => Object.values(operation.fields));
const hints = [...new Map(fields.map((field) => [field.hint ?? '', field])).values()].filter(({ hint }) =>
  hint?.startsWith('For example '),
);

function readOf(field: Field): Read | undefined {
  if (field.kind === 'durations') return reads.duration;
  if (field.kind === 'validity') return reads.validity;
  return field.kind === 'text' && field.isTime ? reads.time : undefined;
}

const { catalogueOf } = createCatalogues();

describe.each(languageCodes.filter((code) => code !== 'en'))('in %s', (language) => {
  const words = catalogueOf(language);

  test.each(sentences.map(([sentence, read, ...examples]) => ({ sentence, read, examples })))(
    'the examples are understood: $sentence',
    ({ sentence, read, examples }) => {
      const meanings = meaningsIn(words.get(sentence) ?? '', reads[read]);
      for (const example of examples) expect(meanings).toContainEqual(reads[read](example));
    },
  );

  test.each(hints.filter((field) => readOf(field)).map((field) => [field.hint ?? '', field] as const))(
    'the examples of the hint are understood: %s',
    (hint, field) => {
      const read = readOf(field)!;
      const [examples = ''] = hint.replace('For example ', '').split(/[.:] |$/);
      const meant = examples.split(/,? or |, /).flatMap((text) => meaningsOf(text.split(' '), read).slice(0, 1));
      expect(meant.length).toBeGreaterThan(0);
      expect(meaningsIn(words.get(hint) ?? '', read)).toEqual(expect.arrayContaining(meant));
    },
  );
});

test.each(['8 Uhr', '8 h', 'a las 8', '8 uur', 'o 8'])('%s is a time of day', (text) => {
  expect(readDelivery('daily', text)).toMatchObject({ at: '08:00' });
});

/** In words. */
const longestExample = 5;

/** What some words of a sentence mean, wherever they stand. */
function meaningsIn(sentence: string, read: Read): unknown[] {
  const words = sentence.split(/\s+/);
  return words.flatMap((_, from) => meaningsOf(words.slice(from, from + longestExample), read));
}

/** What the first words mean, the most words first. */
function meaningsOf(words: readonly string[], read: Read): unknown[] {
  return words
    .map((_, index) => meaningOf(words.slice(0, words.length - index).join(' '), read))
    .filter((meaning) => meaning !== undefined);
}

function meaningOf(text: string, read: Read): unknown {
  try {
    return read(text.replace(/[.,:;]+$/, ''));
  } catch {
    return undefined;
  }
}
