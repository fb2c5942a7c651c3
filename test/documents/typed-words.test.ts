import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readTime } from '../../src/operations/dates/typed-time.ts';
import { otherLanguages } from '../../src/operations/other-words/meanings.ts';
import { typedWords, type OtherLanguage } from '../../src/operations/other-words/other-words.ts';

const page = readFileSync('docs/languages.md', 'utf8');
/** Of all forms of a word, the page has the first. */
const formsShown = 3;

/** The part of the page below the heading of a language. */
function sectionOf({ name }: OtherLanguage): string {
  const [, section = ''] = page.split(`\n### ${name}\n`);
  return section.split(/\n##/, 1).join();
}

function rowsOf({ typed }: OtherLanguage): string[] {
  return Object.entries(typedWords).flatMap(([group, words]) =>
    words.map((word, index) => {
      const forms = typed[word].split(', ').slice(0, formsShown);
      return `| ${index === 0 ? group : ''} | ${word} | ${forms.map((form) => `\`${form}\``).join(', ')} |`;
    }),
  );
}

describe.each(otherLanguages)('the page of languages for $name', (language) => {
  test('has the words that the code has', () => {
    const rows = sectionOf(language)
      .split('\n')
      .filter((row) => row.startsWith('| '))
      .slice(1)
      .map((row) => row.replaceAll(/ {2,}/g, ' '));
    expect(rows).toEqual(rowsOf(language).map((row) => row.replaceAll(/ {2,}/g, ' ')));
  });

  test('has dates that are understood', () => {
    const [, line = ''] = /^Dates and times: (.+)$/m.exec(sectionOf(language)) ?? [];
    const dates = [...line.matchAll(/`([^`]+)`/g)].map(([, date = '']) => date);
    expect(dates.length).toBeGreaterThan(5);
    const setting = { nowMs: Date.parse('2026-11-25T10:00:00Z'), timeZone: 'UTC', direction: 'future' } as const;
    expect(dates.filter((date) => readTime(date, setting)?.kind !== 'moment')).toEqual([]);
  });
});
