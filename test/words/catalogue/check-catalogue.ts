import { existsSync } from 'node:fs';
import { readEntries } from '../../../src/words/catalogues.ts';
import { languages, type Language } from '../../../src/words/languages.ts';
import type { Area } from './areas.ts';
import { problemsOf } from './check-translation.ts';

/** What a catalogue lacks, has wrong, or has too much. */
export function problemsIn(language: Language, areas: ReadonlyMap<string, Area>): string[] {
  const folder = new URL(`../../../src/words/${language}/`, import.meta.url);
  const catalogue = existsSync(folder) ? readEntries(folder) : new Map<string, string>();
  const known = new Set([...areas.values()].flatMap((area) => [...area.keys()]));
  return [
    ...[...areas].flatMap(([name, area]) =>
      [...area.values()].flatMap((sentence) =>
        problemsOf(language, sentence, catalogue.get(sentence.key) ?? '').map(
          (problem) => `${language}/${name}: “${sentence.key}” ${problem}`,
        ),
      ),
    ),
    ...[...catalogue.keys()]
      .filter((key) => !known.has(key))
      .map((key) => `${language}: “${key}” is no sentence of the bot in ${languages.en} any more`),
  ];
}
