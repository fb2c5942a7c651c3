import { say } from '../../domain/said.ts';
import { type Language, languageCodes } from '../../words/languages.ts';

/** A phrase of its own for each, since languages bend the names of languages. */
const inLanguages: Readonly<Record<LanguageChoice, string>> = {
  en: say`in English`,
  de: say`in German`,
  fr: say`in French`,
  es: say`in Spanish`,
  nl: say`in Dutch`,
  pl: say`in Polish`,
  default: say`in the default language`,
};

/** Such as “in German”. */
export function inLanguage(language: LanguageChoice): string {
  return inLanguages[language];
}

/** Likewise, with the language that is the default. */
export function inChosenLanguage(language: LanguageChoice, usual: Language): string {
  return language === 'default' ? say`${inLanguage(usual)}, the default language` : inLanguage(language);
}

/** A channel whose language is chosen. */
interface ChannelInLanguage {
  /** In words, such as #training. */
  channel: string;
  /** It is the channel that the person is in. */
  isHere: boolean;
  /** Such as “in German”. */
  language: string;
}

/** In a request, for the people who decide on it. */
export function languageWouldBe({ channel, language }: Pick<ChannelInLanguage, 'channel' | 'language'>): string {
  return say`Everything the bot posts in ${channel} would be ${language}.`;
}

export function languageChanged({ channel, isHere, language }: ChannelInLanguage): string {
  return isHere
    ? say`Changed the language. This channel’s messages will be ${language}.`
    : say`Changed the language. Messages in ${channel} will be ${language}.`;
}

export function languageWasSo({ channel, isHere, language }: ChannelInLanguage): string {
  return isHere
    ? say`This channel’s messages were ${language} already. Nothing changed.`
    : say`Messages in ${channel} were ${language} already. Nothing changed.`;
}

/** Asks whether to take a language back where somebody has chosen another one since. */
export function languageChosenSince({ channel, language }: Pick<ChannelInLanguage, 'channel' | 'language'>): string {
  return say`Since then, someone switched ${channel} to messages ${language}. Change it back all the same?`;
}

/** A language that a person chose, or `default`: the one that the configuration of the bot says. */
export type LanguageChoice = Language | 'default';

/** The choice that a text stands for; undefined for every other text. */
export function languageChoice(value: string | undefined): LanguageChoice | undefined {
  return value === 'default' ? value : languageCodes.find((code) => code === value);
}
