import { listed, marked, say } from '../../domain/said.ts';
import { languageCodes, languages, type Language } from '../../words/languages.ts';
import type { ChoiceField } from './choice.ts';

/** What people type for a language besides its code and its own name. */
const otherNames: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  de: ['german'],
  fr: ['french', 'francais'],
  es: ['spanish', 'espanol', 'castellano'],
  nl: ['dutch'],
  pl: ['polish'],
};

/** The language of everything that the bot posts in a channel. */
export const languageField = {
  kind: 'choice',
  label: 'Language',
  options: [
    ...languageCodes.map((code) => ({
      value: code,
      // Its name is the same in every language.
      label: marked('part', languages[code]),
      also: [languages[code], ...otherNames[code]],
    })),
    { value: 'default', label: 'Default', hint: 'The language in the bot’s configuration' },
  ],
  unknown: (typed) =>
    say`I don’t speak “${typed}”. Choose ${listed([...Object.values(languages), 'default'], 'disjunction')}.`,
} as const satisfies ChoiceField;
