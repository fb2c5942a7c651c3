import { readFileSync, readdirSync } from 'node:fs';
import type { OwnNames } from '../domain/own-names.ts';
import type { Language, Formality } from './languages.ts';
import { createRender, type Render } from './render.ts';

/**
 * Reads the catalogue of a language when a first text is put into it: a bot whose readers all read English reads none.
 *
 * @param folder with a folder for each language
 */
export function createCatalogues(folder = new URL('.', import.meta.url)) {
  const read = new Map<Language, ReadonlyMap<string, string>>();
  return {
    catalogueOf(language: Language): ReadonlyMap<string, string> {
      const catalogue = read.get(language) ?? readCatalogue(new URL(`${language}/`, folder));
      read.set(language, catalogue);
      return catalogue;
    },
  };
}

export type Catalogues = ReturnType<typeof createCatalogues>;

/** Stands between the forms of something counted, `# quiz ¦ # quizzes`, which have one translation. */
export const betweenForms = ' ¦ ';

function readCatalogue(folder: URL): ReadonlyMap<string, string> {
  return new Map(
    [...readEntries(folder)].flatMap(([key, translation]) =>
      key.split(betweenForms).map((form): [string, string] => [form, translation]),
    ),
  );
}

/** The entries of all files of a language’s folder: translations by their English sentences. */
export function readEntries(folder: URL): Map<string, string> {
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => Object.entries<string>(JSON.parse(readFileSync(new URL(name, folder), 'utf8')))),
  );
}

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
