import { describe, expect, test } from 'vitest';
import { filterWords } from '../../../src/features/results/filter.ts';
import { createCatalogues } from '../../../src/words/catalogues.ts';
import { languageCodes } from '../../../src/words/languages.ts';
import { sentIn } from '../../support/as-sent.ts';
import { typedFilter } from '../../support/typed-filter.ts';

const setting = { nowMs: Date.parse('2026-11-25T10:00:00Z'), timeZone: 'Europe/Berlin' };
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
    const { outcome, period, person } = typedFilter(typed, setting);
    const shown = render(filterWords({ outcome, period, person }, setting.nowMs)).replaceAll(isolates, '');
    expect(typedFilter(shown, setting)).toEqual(typedFilter(typed, setting));
  });
});
