import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { filterWords, fitsFilter, parseResultsLine, type ResultsFilter } from '../../../src/features/results/filter.ts';
import { periodKind, readPeriod } from '../../../src/operations/fields/period.ts';
import { typedFilter } from '../../support/parse-line.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { createCatalogues } from '../../../src/words/catalogues.ts';
import { languageCodes } from '../../../src/words/languages.ts';
import { sentIn } from '../../support/as-sent.ts';
import { growthOf } from '../../support/measurements.ts';

const setting = { nowMs: Date.parse('2026-11-22T10:15:30Z'), timeZone: 'Europe/Berlin' };

describe('“since”', () => {
  test.each([
    ['2026-11-01', '2026-11-01', 'since Sun 1 Nov'],
    ['7d', '2026-11-15', 'since Sun 15 Nov'],
    ['yesterday', '2026-11-21', 'since Sat 21 Nov'],
    ['15 dec', '2025-12-15', 'since Mon 15 Dec 2025'],
    ['2h', '2026-11-22T09:15', 'since Sun 22 Nov, 09:15'],
    ['friday 8am', '2026-11-20T08:00', 'since Fri 20 Nov, 08:00'],
  ])('“%s” is %s, and reads “%s”', (typed, since, words) => {
    const period = readPeriod([`since ${typed}`], setting);
    expect(period).toEqual({ since });
    expect(readPeriod(periodKind.identify(period), setting)).toEqual(period);
    expect(filterWords({ period }, setting.nowMs)).toBe(words);
  });

  test('is the day alone that a form has', () => {
    expect(readPeriod(['2026-11-01'], setting)).toEqual({ since: '2026-11-01' });
  });

  test('with a time of day counts from that minute in the time zone', () => {
    const fits = fitsFilter({ period: { since: '2026-11-22T09:15' } }, 'Europe/Berlin');
    expect(fits(quizResponse({ date_submitted: new Date('2026-11-22T08:15:00Z') }))).toBe(true);
    expect(fits(quizResponse({ date_submitted: new Date('2026-11-22T08:14:59Z') }))).toBe(false);
  });
});

test.each<[string, ResultsFilter, readonly string[]]>([
  ['passed', { outcome: 'passed' }, ['passed']],
  ['failed', { outcome: 'failed' }, ['failed']],
  ['ungraded', { outcome: 'ungraded' }, ['survey', 'essay']],
])('only %s attempts', (_, filter, expected) => {
  const ungraded = { points: 0, percentage_score: 0, grade: '', pass: false };
  const attempts = [
    quizResponse({ response_id: 'passed' }),
    quizResponse({ response_id: 'failed', pass: false, grade: 'F' }),
    quizResponse({ response_id: 'survey', ...ungraded, available_points: 0 }),
    quizResponse({ response_id: 'essay', ...ungraded }),
    quizResponse({ response_id: 'begun', status: 'not_submitted' }),
  ];
  expect(attempts.filter(fitsFilter(filter, 'UTC')).map(({ response_id }) => response_id)).toEqual(expected);
});

test('attempts below a percentage are those with a score below it that count', () => {
  const scored = (percentage_score: number | null, more = {}) =>
    quizResponse({ response_id: String(percentage_score), percentage_score, ...more });
  const attempts = [
    scored(59.9, { pass: false }),
    scored(60),
    scored(null),
    scored(0, { points: 0, grade: '', pass: false }),
  ];
  const fitting = attempts.filter(fitsFilter({ below: '60%' }, 'UTC'));
  expect(fitting.map(({ response_id }) => response_id)).toEqual(['59.9']);
  expect(filterWords({ below: '60%' }, 0)).toBe('below 60%');
});

test('an attempt is found by a name in the registration form', () => {
  const guest = quizResponse({
    first_name: '',
    last_name: '',
    registration_fields: [{ name: 'Full name', value: 'Juno Kaya' }],
  });
  expect(fitsFilter({ person: 'kaya' }, 'UTC')(guest)).toBe(true);
});

describe('an attempt', () => {
  const passed = quizResponse({ pass: true, date_submitted: new Date('2026-11-01T23:30:00Z') });

  test('is of no period before its submission', () => {
    const begun = quizResponse({ status: 'not_submitted', date_submitted: null });
    expect(fitsFilter({ period: { since: '2000-01-01' } }, 'UTC')(begun)).toBe(false);
    expect(fitsFilter({}, 'UTC')(begun)).toBe(true);
  });

  test('matches “since” by the day of its submission in the configured time zone', () => {
    expect(fitsFilter({ period: { since: '2026-11-01' } }, 'UTC')(passed)).toBe(true);
    expect(fitsFilter({ period: { since: '2026-11-02' } }, 'UTC')(passed)).toBe(false);
    expect(fitsFilter({ period: { since: '2026-11-02' } }, 'Asia/Tokyo')(passed)).toBe(true);
    const onTheDot = quizResponse({ date_submitted: new Date('2026-11-01T00:00:00Z') });
    expect(fitsFilter({ period: { since: '2026-11-01' } }, 'UTC')(onTheDot)).toBe(true);
  });

  test('matches words of the name in any order, without case and accents', () => {
    const response = quizResponse({ first_name: 'Björn', last_name: 'Ólafsson' });
    expect(fitsFilter({ person: 'olafs BJORN' }, 'UTC')(response)).toBe(true);
    expect(fitsFilter({ person: 'björn rosa' }, 'UTC')(response)).toBe(false);
  });
});

const later = { nowMs: Date.parse('2026-11-25T10:00:00Z'), timeZone: 'Europe/Berlin' };
const { catalogueOf } = createCatalogues();
const isolates = /[\u2066-\u2069]/g;

describe.each(languageCodes)('a filter as the bot shows it in %s', (language) => {
  const render = sentIn(language, catalogueOf);

  test.each([
    'passed',
    'failed since 7d',
    'ungraded last week',
    'since today Rosa',
    'failed since 2026-11-23 08:00',
    'failed since 1 nov until 15 nov',
    'passed since 2025-03-01 until 2025-09-30 Rosa',
  ])('means the same when it is typed: %s', (typed) => {
    const { outcome, period, person } = typedFilter(typed, later);
    const shown = render(filterWords({ outcome, period, person }, later.nowMs)).replaceAll(isolates, '');
    expect(typedFilter(shown, later)).toEqual(typedFilter(typed, later));
  });
});

describe('a line of results', () => {
  test('any line has one to twenty readings, in little time', () => {
    const word = fc.oneof(
      fc.constantFrom('for', 'since', 'passed', '7d', '"', '“a b”', 'person:U1', ',', 'friday'),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
        (line) => {
          const readings = parseResultsLine(line);
          expect(readings.length).toBeGreaterThanOrEqual(1);
          expect(readings.length).toBeLessThanOrEqual(20);
        },
      ),
    );
    for (const piece of ['for ', 'since ', 'since friday ', 'a'])
      expect(growthOf((length) => void parseResultsLine(piece.repeat(length / piece.length)), 8_000)).toBeLessThan(20);
  });
});
