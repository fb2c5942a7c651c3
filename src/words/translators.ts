import type { OwnNames } from '../domain/own-names.ts';
import type { Catalogues } from './catalogues.ts';
import { createRender, type Render } from './render.ts';
import type { Formality, Language } from './languages.ts';

/** Finds what writes texts for readers of a language. */
export type RenderIn = (language: Language) => Promise<Render>;

/** @param formality how a bot addresses people */
export function createRenderIn(catalogues: Catalogues, formality: Formality, names: OwnNames): RenderIn {
  const made = new Map<Language, Promise<Render>>([['en', Promise.resolve(createRender(names))]]);

  async function make(language: Language): Promise<Render> {
    const { createPhrases } = await import('./translate.ts');
    return createRender(names, createPhrases(language, { catalogue: catalogues.catalogueOf(language), formality }));
  }

  return async (language) => {
    const render = made.get(language) ?? make(language);
    made.set(language, render);
    return render;
  };
}
