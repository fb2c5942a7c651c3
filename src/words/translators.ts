import type { Catalogues } from './catalogues.ts';
import { toEnglish, type Translate } from './to-english.ts';
import type { Formality, Language } from './languages.ts';

/** Finds what puts sentences into a language. */
export type TranslateTo = (language: Language) => Promise<Translate>;

/** @param formality how a bot addresses people */
export function createTranslateTo(catalogues: Catalogues, formality: Formality): TranslateTo {
  const made = new Map<Language, Promise<Translate>>([['en', Promise.resolve(toEnglish)]]);

  async function make(language: Language): Promise<Translate> {
    const { createTranslate } = await import('./translate.ts');
    return createTranslate(language, { catalogue: catalogues.catalogueOf(language), formality });
  }

  return async (language) => {
    const translate = made.get(language) ?? make(language);
    made.set(language, translate);
    return translate;
  };
}
