import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitsFilter, formatFilter, parseFilter, type ResultsFilter } from '../../../src/operations/results/filter.ts';
import { quizResponse } from '../../support/builders/responses.ts';

describe('a typed filter', () => {
  test.each<[string, ResultsFilter]>([
    ['', {}],
    ['passed', { outcome: 'passed' }],
    ['FAILED', { outcome: 'failed' }],
    ['ungraded rosa', { outcome: 'ungraded', person: 'rosa' }],
    ['“ungraded”', { person: 'ungraded' }],
    ['since 2026-11-01', { since: '2026-11-01' }],
    ['rosa almeida', { person: 'rosa almeida' }],
    ['rosa failed since 2026-11-01', { outcome: 'failed', since: '2026-11-01', person: 'rosa' }],
    ['since 2026-11-01 “passed”', { since: '2026-11-01', person: 'passed' }],
    ['"Since Almeida" passed', { outcome: 'passed', person: 'Since Almeida' }],
    ["»Rosa« 'passed' O’Brien", { person: 'Rosa passed O’Brien' }],
  ])('parses “%s” as %j', (typed, filter) => {
    expect(parseFilter(typed)).toEqual(filter);
  });

  test.each([
    ['since', 'After “since” comes a day'],
    ['since yesterday', 'After “since” comes a day'],
    ['since 2026-02-30', 'After “since” comes a day'],
    ['since 2026-13-01', 'After “since” comes a day'],
    ['passed failed', 'both passed and failed'],
    ['ungraded passed', 'both ungraded and passed'],
  ])('refuses “%s” with a hint', (typed, message) => {
    expect(() => parseFilter(typed)).toThrow(message);
  });

  test('is parsed back to the same filter after formatting, whatever the name of the person', () => {
    const word = fc.oneof(fc.constantFrom('passed', 'Failed', 'Ungraded', 'since', 'since 2026-01-01'), fc.stringMatching(/^\S+$/u), fc.constantFrom('"', '“a', 'b”', "'c'", '«d»', ',', 'e,', 'person:U1'));
    const filters = fc.record(
      {
        outcome: fc.constantFrom('passed' as const, 'failed' as const, 'ungraded' as const),
        since: fc.constantFrom('2026-11-01', '2024-02-29'),
        person: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, (filter) => {
        expect(parseFilter(formatFilter(filter))).toEqual(filter);
      }),
    );
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

test('an attempt is found by a name in the registration form', () => {
  const guest = quizResponse({ first_name: '', last_name: '', registration_fields: [{ name: 'Full name', value: 'Juno Kaya' }] });
  expect(fitsFilter({ person: 'kaya' }, 'UTC')(guest)).toBe(true);
});

describe('an attempt', () => {
  const passed = quizResponse({ pass: true, date_submitted: new Date('2026-11-01T23:30:00Z') });

  test('matches an outcome only after its submission', () => {
    expect(fitsFilter({ outcome: 'passed' }, 'UTC')(passed)).toBe(true);
    expect(fitsFilter({ outcome: 'failed' }, 'UTC')(passed)).toBe(false);
    const begun = quizResponse({ status: 'not_submitted', pass: false, date_submitted: null });
    expect(fitsFilter({ outcome: 'failed' }, 'UTC')(begun)).toBe(false);
    expect(fitsFilter({ since: '2000-01-01' }, 'UTC')(begun)).toBe(false);
    expect(fitsFilter({}, 'UTC')(begun)).toBe(true);
  });

  test('matches “since” by the day of its submission in the configured time zone', () => {
    expect(fitsFilter({ since: '2026-11-01' }, 'UTC')(passed)).toBe(true);
    expect(fitsFilter({ since: '2026-11-02' }, 'UTC')(passed)).toBe(false);
    expect(fitsFilter({ since: '2026-11-02' }, 'Asia/Tokyo')(passed)).toBe(true);
    const onTheDot = quizResponse({ date_submitted: new Date('2026-11-01T00:00:00Z') });
    expect(fitsFilter({ since: '2026-11-01' }, 'UTC')(onTheDot)).toBe(true);
  });

  test('matches words of the name in any order, without case and accents', () => {
    const response = quizResponse({ first_name: 'Björn', last_name: 'Ólafsson' });
    expect(fitsFilter({ person: 'olafs BJORN' }, 'UTC')(response)).toBe(true);
    expect(fitsFilter({ person: 'björn rosa' }, 'UTC')(response)).toBe(false);
  });
});
