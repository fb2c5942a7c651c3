import type { Language } from '../../src/words/languages.ts';
import type { Area } from './collect.ts';
import { areasIn, renderFor } from './in-language.ts';
import { readable } from './readable.ts';

const englishNames = new Intl.DisplayNames('en', { type: 'language' });

/** Everything the bot says in a language, to be read in a row. */
export async function sentencesPage(areas: readonly Area[], language: Language): Promise<string> {
  const parts = areasIn(areas, await renderFor(language)).map(({ name, samples }) =>
    [
      `## ${name}`,
      ...samples.map((sample) => `### ${sample.when}\n\n\`\`\`text\n${readable(sample).join('\n')}\n\`\`\``),
    ].join('\n\n'),
  );
  return `# What the bot says${language === 'en' ? '' : ` in ${englishNames.of(language)}`}

Generated from the samples in \`test/words/samples\`. ${
    language === 'en'
      ? 'After a change: `npx vitest run test/words --update`, and read the difference aloud.'
      : `\`npm run words -- --page ${language}\` prints it.`
  }

${parts.join('\n\n')}
`;
}
