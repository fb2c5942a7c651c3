import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { plainName } from '../../../src/directory/names.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import type { Field } from '../../../src/operations/fields/fields.ts';
import { englishFor, meaningsAt, otherLanguages } from '../../../src/operations/other-words/meanings.ts';
import { typedWords, type OtherLanguage, type TypedWord } from '../../../src/operations/other-words/other-words.ts';
import { tokenize } from '../../../src/operations/typed-text.ts';

const words = Object.values(typedWords).flat() as readonly TypedWord[];
const isWord = (text: string): text is TypedWord => (words as readonly string[]).includes(text);
const phrasesOf = ({ typed }: OtherLanguage, word: TypedWord) => typed[word].split(', ');

describe.each(otherLanguages)('in $name', (language) => {
  test.each(words)('“%s” has words, each of which is understood with accents and without', (word) => {
    const phrases = phrasesOf(language, word);
    expect(new Set(phrases).size).toBe(phrases.length);
    for (const phrase of phrases.flatMap((own) => [own, own.toUpperCase(), plainName(own)])) {
      expect(phrase).not.toBe('');
      expect(englishFor(phrase)).toContain(word);
      expect(meaningsAt(tokenize(phrase), 0)).toContainEqual({ english: word, length: phrase.split(' ').length });
    }
  });

  test('25 lines or more are tried', () => {
    const lines = readFileSync(`test/typed-lines/lines/${language.name.toLowerCase()}.txt`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('/'));
    expect(lines.length).toBeGreaterThanOrEqual(25);
  });

  test('nothing that is quoted is understood', () => {
    expect(words.flatMap((word) => meaningsAt(tokenize(`"${phrasesOf(language, word)[0] ?? ''}"`), 0))).toEqual([]);
  });
});

test('umlauts are understood as two letters', () => {
  expect(englishFor('faellig')).toContain('due');
  expect(englishFor('fuer')).toContain('for');
});

const fields = catalog.flatMap((operation): [string, Field][] =>
  Object.entries(operation.fields).map(([name, field]) => [`${name} of ${operation.name}`, field]),
);

test('the usual word of each clause is understood in other languages', () => {
  const usual = fields.flatMap(([, { clause }]) => clause?.words.slice(0, 1) ?? []).filter((word) => word !== 'names');
  expect(usual.length).toBeGreaterThan(20);
  expect([...new Set(usual)].filter((word) => !isWord(word))).toEqual([]);
});

test('each option of a choice that is typed in a clause, and each role, is understood in other languages', () => {
  const typed = fields.flatMap(([name, field]) =>
    (field.kind === 'choice' || field.kind === 'flags') &&
    (field.clause !== undefined || name.startsWith('user_type of create-user'))
      ? field.options.map(({ value, label, also = [] }) => ({ name, texts: [value, label, ...also] }))
      : [],
  );
  expect(typed.length).toBeGreaterThan(8);
  const unknown = typed.filter(
    ({ name, texts }) => !name.startsWith('names of') && !texts.some((text) => isWord(text.toLowerCase())),
  );
  expect(unknown).toEqual([]);
});
