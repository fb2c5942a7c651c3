/** The languages that the bot speaks, by their code, with their names as their speakers write them. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  nl: 'Nederlands',
  pl: 'Polski',
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as readonly Language[];

/** How people are addressed where a language has a formal and a familiar form: German `Sie` or `du`. */
export const formalities = ['formal', 'informal'] as const;
export type Formality = (typeof formalities)[number];

/** The language of a locale such as `de-DE` or `es_LA`; undefined for one that the bot doesn’t speak. */
export function languageOf(locale: string | undefined): Language | undefined {
  const [code = ''] = (locale ?? '').toLowerCase().split(/[-_]/);
  return languageCodes.find((language) => language === code);
}

/** How dates and numbers are written: in English as in Britain, with the day before the month. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de',
  fr: 'fr',
  es: 'es',
  nl: 'nl',
  pl: 'pl',
};
