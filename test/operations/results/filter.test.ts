import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitsFilter, formatFilter, parseFilter, type ResultsFilter } from '../../../src/operations/results/filter.ts';
import { quizResponse } from '../../support/builders/responses.ts';

describe('a filter as it is typed', () => {
  test.each<[string, ResultsFilter]>([
    ['', {}],
    ['passed', { outcome: 'passed' }],
    ['FAILED', { outcome: 'failed' }],
    ['since 2026-11-01', { since: '2026-11-01' }],
    ['rosa almeida', { person: 'rosa almeida' }],
    ['rosa failed since 2026-11-01', { outcome: 'failed', since: '2026-11-01', person: 'rosa' }],
    ['since 2026-11-01 “passed”', { since: '2026-11-01', person: 'passed' }],
    ['"Since Almeida" passed', { outcome: 'passed', person: 'Since Almeida' }],
  ])('“%s” means %j', (typed, filter) => {
    expect(parseFilter(typed)).toEqual(filter);
  });

  test.each([
    ['since', 'After “since” comes a day'],
    ['since yesterday', 'After “since” comes a day'],
    ['since 2026-02-30', 'After “since” comes a day'],
    ['since 2026-13-01', 'After “since” comes a day'],
    ['passed failed', 'both passed and failed'],
  ])('“%s” is refused with what to type', (typed, message) => {
    expect(() => parseFilter(typed)).toThrow(message);
  });

  test('is written so that it reads the same, whatever the person is called', () => {
    const word = fc.oneof(fc.constantFrom('passed', 'Failed', 'since', 'since 2026-01-01'), fc.stringMatching(/^[^\s"“”„«»]+$/u));
    const filters = fc.record(
      {
        outcome: fc.constantFrom('passed' as const, 'failed' as const),
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

describe('an attempt', () => {
  const passed = quizResponse({ pass: true, date_submitted: new Date('2026-11-01T23:30:00Z') });

  test('fits by outcome only when it is submitted', () => {
    expect(fitsFilter({ outcome: 'passed' }, 'UTC')(passed)).toBe(true);
    expect(fitsFilter({ outcome: 'failed' }, 'UTC')(passed)).toBe(false);
    const begun = quizResponse({ status: 'not_submitted', pass: false, date_submitted: null });
    expect(fitsFilter({ outcome: 'failed' }, 'UTC')(begun)).toBe(false);
    expect(fitsFilter({ since: '2000-01-01' }, 'UTC')(begun)).toBe(false);
    expect(fitsFilter({}, 'UTC')(begun)).toBe(true);
  });

  test('fits since the day on which it was submitted, as the configured zone counts days', () => {
    expect(fitsFilter({ since: '2026-11-01' }, 'UTC')(passed)).toBe(true);
    expect(fitsFilter({ since: '2026-11-02' }, 'UTC')(passed)).toBe(false);
    expect(fitsFilter({ since: '2026-11-02' }, 'Asia/Tokyo')(passed)).toBe(true);
    const onTheDot = quizResponse({ date_submitted: new Date('2026-11-01T00:00:00Z') });
    expect(fitsFilter({ since: '2026-11-01' }, 'UTC')(onTheDot)).toBe(true);
  });

  test('fits by words of the name in any order, case and accents', () => {
    const response = quizResponse({ first_name: 'Björn', last_name: 'Ólafsson' });
    expect(fitsFilter({ person: 'olafs BJORN' }, 'UTC')(response)).toBe(true);
    expect(fitsFilter({ person: 'björn rosa' }, 'UTC')(response)).toBe(false);
  });
});
