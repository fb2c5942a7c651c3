import { languageCodes, type Language } from '../words/languages.ts';

/** A language that a person chose, or `default`: the one that the configuration of the bot says. */
export type LanguageChoice = Language | 'default';

/** The choice that a text stands for; undefined for every other text. */
export function languageChoice(value: string | undefined): LanguageChoice | undefined {
  return value === 'default' ? value : languageCodes.find((code) => code === value);
}
