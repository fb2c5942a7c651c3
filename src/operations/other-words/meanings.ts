import { plainName } from '../../directory/names.ts';
import { once } from '../../domain/said.ts';
import { type Token, splitPeople, tokenize } from '../typed-text.ts';
import { type TypedWord, plainPhrases, type OtherLanguage } from './other-words.ts';
import { german } from './de.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';

/** What words stand for that people type in another language. */
export interface Meaning {
  english: TypedWord;
  /** How many words they are. */
  length: number;
}

interface Phrases {
  /** The English for each phrase, in plain letters. A phrase can mean several things, in one language or in two. */
  englishOf: ReadonlyMap<string, readonly TypedWord[]>;
  /** The words with which one of them begins. */
  beginnings: ReadonlySet<string>;
  wordsAtMost: number;
}

const phrases = once((): Phrases => {
  const englishOf = collect();
  const all = [...englishOf.keys()];
  return {
    englishOf,
    beginnings: new Set(all.map((phrase) => phrase.split(' ', 1).join())),
    wordsAtMost: Math.max(...all.map((phrase) => phrase.split(' ').length)),
  };
});

function collect(): Map<string, TypedWord[]> {
  const found = otherLanguages.flatMap(({ language, typed }) =>
    (Object.entries(typed) as [TypedWord, string][]).flatMap(([english, list]) =>
      plainPhrases(list, language).map((phrase) => [phrase, english] as const),
    ),
  );
  const englishOf = new Map<string, TypedWord[]>();
  for (const [phrase, english] of found) {
    const known = englishOf.get(phrase) ?? [];
    if (!known.includes(english)) englishOf.set(phrase, [...known, english]);
  }
  return englishOf;
}

/** What the words from a token on mean in other languages, the most words first. Nothing for what is quoted, and for a mention. */
export function meaningsAt(tokens: readonly Token[], at: number): Meaning[] {
  const first = plainWord(tokens[at]);
  if (first === undefined) return [];
  const { englishOf, beginnings, wordsAtMost } = phrases();
  if (!beginnings.has(first)) return [];
  const meanings: Meaning[] = [];
  let phrase = '';
  for (let length = 1; length <= wordsAtMost; length += 1) {
    const word = plainWord(tokens[at + length - 1]);
    if (word === undefined) break;
    phrase = length === 1 ? word : `${phrase} ${word}`;
    meanings.unshift(...(englishOf.get(phrase) ?? []).map((english) => ({ english, length })));
  }
  return meanings;
}

/** The longest words from a token on that mean one of these in another language. */
export function meaningAmong(tokens: readonly Token[], at: number, wanted: readonly string[]): Meaning | undefined {
  return meaningsAt(tokens, at).find(({ english }) => wanted.includes(english));
}

/** Whether the longest words with these meanings mean one of those that are wanted, and nothing else. */
export function meansOnly([longest, ...others]: readonly Meaning[], wanted: readonly string[]): boolean {
  return (
    longest !== undefined && wanted.includes(longest.english) && others.every(({ length }) => length < longest.length)
  );
}

/** What a whole text means in other languages. */
export function englishFor(text: string): readonly TypedWord[] {
  return phrases().englishOf.get(bare(plainName(text))) ?? [];
}

/** Whether a whole text means one of these in another language. */
export function meansOneOf(text: string, wanted: readonly string[]): boolean {
  return englishFor(text).some((english) => wanted.includes(english));
}

function plainWord(token: Token | undefined): string | undefined {
  return token?.kind === 'word' ? bare(plainName(token.text)) : undefined;
}

/** Without the colon or the dot of an abbreviation behind it. */
function bare(word: string): string {
  return word.replace(/(?<=.)[.:]$/, '');
}

/** The languages besides English in which lines are understood. */
export const otherLanguages: readonly OtherLanguage[] = [german, french, spanish, dutch, polish];

/** The parts of a text between words such as “und”, “et” or “i”: once no name has such a word. */
export function partsAtAnd(text: string): string[] {
  const tokens = tokenize(text);
  const ands = tokens.filter((_, at) => at > 0 && meaningAmong(tokens, at, ['and'])?.length === 1);
  const ends = [0, ...ands.map(({ end }) => end)];
  return ends.map((from, index) => text.slice(from, ands[index]?.start).trim()).filter((part) => part !== '');
}

/** Several people, as `splitPeople` has them, also in other languages. */
export function splitPeopleAtAnd(text: string): string[] {
  return partsAtAnd(text).flatMap((part) => splitPeople(part));
}
