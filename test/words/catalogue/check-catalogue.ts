import { readEntries } from '../../../src/words/catalogues.ts';
import { languages, type Language } from '../../../src/words/languages.ts';
import { problemsOf } from './check-translation.ts';
import type { Sentence } from './collect-sentences.ts';

/** What a catalogue lacks, has wrong, or has too much. */
export function problemsIn(language: Language, sentences: ReadonlyMap<string, Sentence>): string[] {
  const catalogue = readEntries(language);
  return [
    ...[...sentences.values()].flatMap((sentence) =>
      problemsOf(language, sentence, catalogue.get(sentence.key) ?? '').map(
        (problem) => `${language}: “${sentence.key}” ${problem} (${sentence.file})`,
      ),
    ),
    ...[...catalogue.keys()]
      .filter((key) => !sentences.has(key))
      .map((key) => `${language}: “${key}” is no sentence of the bot in ${languages.en} any more`),
  ];
}
