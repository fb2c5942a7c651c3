import { readFileSync } from 'node:fs';
import type { OwnNames } from '../domain/own-names.ts';
import type { Language, Formality } from './languages.ts';
import { createRender, type Render } from './render.ts';

/** Reads the catalogue of a language when a first text is put into it: a bot whose readers all read English reads none. */
export function createCatalogues() {
  const read = new Map<Language, ReadonlyMap<string, string>>();
  return {
    catalogueOf(language: Language): ReadonlyMap<string, string> {
      const catalogue = read.get(language) ?? readCatalogue(language);
      read.set(language, catalogue);
      return catalogue;
    },
  };
}

export type Catalogues = ReturnType<typeof createCatalogues>;

/** Stands between the forms of something counted, `# quiz ¦ # quizzes`, which have one translation. */
export const betweenForms = ' ¦ ';

function readCatalogue(language: Language): ReadonlyMap<string, string> {
  return new Map(
    [...readEntries(language)].flatMap(([key, translation]) =>
      key.split(betweenForms).map((form): [string, string] => [form, translation]),
    ),
  );
}

/** The entries of a catalogue: translations by their English sentences. */
export function readEntries(language: Language): Map<string, string> {
  const text = readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8');
  return new Map(Object.entries<string>(JSON.parse(text)));
}

/** Finds what writes texts for readers of a language. */
export type RenderIn = (language: Language) => Promise<Render>;

/** How a bot writes texts for its readers. */
interface Writing {
  /** How it addresses people. */
  formality: Formality;
  names: OwnNames;
  /** Of moments where the client of the reader shows no zone of its own. */
  timeZone: string;
}

export function createRenderIn(catalogues: Catalogues, { formality, names, timeZone }: Writing): RenderIn {
  const made = new Map<Language, Promise<Render>>([['en', Promise.resolve(createRender(names, undefined, timeZone))]]);

  async function make(language: Language): Promise<Render> {
    const { createPhrases } = await import('./translate.ts');
    const phrases = createPhrases(language, { catalogue: catalogues.catalogueOf(language), formality });
    return createRender(names, phrases, timeZone);
  }

  return async (language) => {
    const render = made.get(language) ?? make(language);
    made.set(language, render);
    return render;
  };
}
