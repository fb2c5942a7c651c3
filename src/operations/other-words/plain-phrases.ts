import { plainName } from '../../directory/names.ts';
import type { OtherLanguage } from './other-words.ts';

const withoutUmlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' };

/** What is typed for the words and phrases of a list, in plain letters: `fällig` as “fallig”, and in German as “faellig” too. */
export function plainPhrases(list: string, language: OtherLanguage['language']): string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .flatMap((phrase) => plainForms(phrase, language));
}

/** A phrase in plain letters, in every way in which people type it. */
export function plainForms(phrase: string, language: OtherLanguage['language']): string[] {
  const forms = [phrase];
  if (language === 'de') forms.push(phrase.replaceAll(/[äöü]/giu, (letter) => withoutUmlauts[letter] ?? letter));
  return [...new Set(forms.map((form) => plainName(form)))];
}
