import { expect, test } from 'vitest';
import { readEntries } from '../../src/words/catalogues.ts';
import { languageCodes, type Language } from '../../src/words/languages.ts';
import { collectSamples, allSaid } from './collect.ts';
import { areasIn, renderFor } from './in-language.ts';

/** In English for everyone: the record, steps of workflows as the manifest describes them, and what is wrong with a record of the service. */
const inEnglish = /^(?:audit|trail): |^workflows: A person sets up the step|^status: Everything that can be wrong/;

/** What sentences say in a language between their parts, as far as it is long enough to belong to no other. */
function piecesOf(language: Language): Set<string> {
  const entries = readEntries(language === 'en' ? 'de' : language);
  const texts = language === 'en' ? [...entries.keys()] : [...entries.values()];
  return new Set(
    texts.flatMap((text) =>
      text
        .split(/\{[^{}]*\{|[{}]|`[^`]*`|:[a-z_]+:|\n| ¦ /)
        .map((piece) => piece.trim())
        .filter((piece) => piece.length >= 18 && piece.split(' ').length >= 3),
    ),
  );
}

const samples = await collectSamples();
const pieces = new Map(languageCodes.map((language) => [language, piecesOf(language)]));

test('pieces of sentences are known in every language', () => {
  expect([...pieces].filter(([, known]) => known.size < 1_000)).toEqual([]);
});

test.each(languageCodes)('the page of “%s” says nothing in another language', async (language) => {
  const said = allSaid(areasIn(samples, await renderFor(language))).filter(({ where }) => !inEnglish.test(where));
  const own = pieces.get(language) ?? new Set();
  const words = new Set(said.flatMap(({ text }) => text.split(' ')));
  /** Whether the words within a piece are said at all: most pieces of another language need no search. */
  const isLikely = (piece: string) =>
    piece
      .split(' ')
      .slice(1, -1)
      .every((word) => words.has(word));
  const found = languageCodes
    .filter((other) => other !== language)
    .flatMap((other) =>
      [...(pieces.get(other) ?? [])]
        .filter((piece) => !own.has(piece) && isLikely(piece))
        .flatMap((piece) => {
          const at = said.find(({ text }) => text.includes(piece));
          return at === undefined ? [] : [`${other}: “${piece}” in ${at.where}`];
        }),
    );
  expect(found).toEqual([]);
});
