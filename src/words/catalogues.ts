import { readFileSync, readdirSync } from 'node:fs';
import type { Language } from './languages.ts';

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
