import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { languageCodes, type Language } from '../../../src/words/languages.ts';
import { readEntries } from '../../../src/words/catalogues.ts';
import { collectSamples } from '../collect.ts';
import { sentencesPage } from '../readable.ts';
import { problemsIn } from './check-translation.ts';
import { everySentence } from './collect-sentences.ts';

/**
 * `npm run words` says what the catalogues lack; `npm run words -- --write` writes them anew: sentences in the order of the
 * sources, new ones without a translation, and none that the bot no longer says. `npm run words -- --page de` prints everything
 * the bot says in German.
 */
const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, list: { type: 'string' }, page: { type: 'string' } },
});
const sentences = everySentence();
const translated = languageCodes.filter((language) => language !== 'en');

if (values.list !== undefined) list(values.list);
else if (values.page !== undefined) await printPage(values.page);
else if (values.write) for (const language of translated) write(language);
else {
  const problems = translated.flatMap((language) => problemsIn(language, sentences));
  process.stdout.write(problems.map((problem) => `${problem}\n`).join(''));
  process.stdout.write(`${sentences.size} sentences in ${translated.length} languages: ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function printPage(code: string): Promise<void> {
  const language = languageCodes.find((known) => known === code);
  if (language === undefined) throw new Error(`The bot doesn’t speak “${code}”: ${languageCodes.join(', ')}`);
  process.stdout.write(await sentencesPage(await collectSamples(), language));
}

function write(language: Language): void {
  const catalogue = readEntries(language);
  const entries = [...sentences.keys()].map((key) => [key, catalogue.get(key) ?? '']);
  const file = new URL(`../../../src/words/${language}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/** What a translator wants to know: where a sentence stands, and what its parts are. @param folder a part of the path of its file */
function list(folder: string): void {
  for (const { key, file, parts } of sentences.values()) {
    if (!file.includes(folder)) continue;
    process.stdout.write(`${JSON.stringify(key)}\n`);
    for (const [index, { source, words }] of parts.entries())
      process.stdout.write(
        `    {${index}} ${words.length > 0 ? words.map((word) => JSON.stringify(word)).join(' or ') : source.replaceAll(/\s+/g, ' ').slice(0, 100)}\n`,
      );
    process.stdout.write(`    ${file}\n`);
  }
}
