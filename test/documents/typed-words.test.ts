import { expect, test } from 'vitest';
import { readTime } from '../../src/operations/dates/typed-time.ts';
import { otherLanguages } from '../../src/operations/other-words/meanings.ts';
import { typedWords, type OtherLanguage } from '../../src/operations/other-words/other-words.ts';

const dates: Readonly<Record<OtherLanguage['language'], readonly string[]>> = {
  de: [
    'nächsten Freitag',
    'heute um 15 Uhr',
    'übermorgen',
    'morgen früh',
    'in zwei Wochen',
    'bis 3. Mai',
    'Ende des Monats',
    'nächste Woche Freitag',
  ],
  fr: [
    'vendredi prochain',
    'aujourd’hui à 15 h',
    'après-demain',
    'demain matin',
    'dans deux semaines',
    'jusqu’au 3 mai',
    'fin du mois',
    'd’ici vendredi',
  ],
  es: [
    'el próximo viernes',
    'hoy a las 15',
    'pasado mañana',
    'mañana a las 9',
    'en dos semanas',
    'hasta el 3 de mayo',
    'fin de mes',
    'el viernes que viene',
  ],
  nl: [
    'volgende week vrijdag',
    'vandaag om 15 uur',
    'overmorgen',
    'morgen om 9 uur',
    'over twee weken',
    'tot 3 mei',
    'eind van de maand',
    'deze vrijdag',
  ],
  pl: [
    'w przyszły piątek',
    'dziś o 15',
    'pojutrze',
    'jutro o 9',
    'za dwa tygodnie',
    'do 3 maja',
    'do końca miesiąca',
    'w ten piątek',
  ],
};

/** Of all forms of a word, the page has the first. */
const formsShown = 3;
const inCode = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

function sectionOf({ language, name, typed }: OtherLanguage): string[] {
  const rows = Object.entries(typedWords).flatMap(([group, words]) =>
    words.map(
      (word, index) =>
        `| ${index === 0 ? group : ''} | ${word} | ${inCode(typed[word].split(', ').slice(0, formsShown))} |`,
    ),
  );
  return [
    `## ${name}`,
    '',
    `Dates and times: ${inCode(dates[language])}.`,
    '',
    `| | English | ${name} |`,
    '|---|---|---|',
    ...rows,
  ];
}

test('docs/reference/words.md has the words that the code has', async () => {
  const page = [
    '# Words',
    '',
    'For people who type in another language than English: [Languages](../commands.md#languages) says where these words are understood, with the usual forms of each. Generated from `src/operations/other-words`: `npx vitest run test/documents/typed-words.test.ts --update`.',
    ...otherLanguages.flatMap((language) => ['', ...sectionOf(language)]),
  ];
  await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('../../docs/reference/words.md');
});

test.each(otherLanguages)('the dates in $name are understood', ({ language }) => {
  const setting = { nowMs: Date.parse('2026-11-25T10:00:00Z'), timeZone: 'UTC', direction: 'future' } as const;
  expect(dates[language].length).toBeGreaterThan(5);
  expect(dates[language].filter((date) => readTime(date, setting)?.kind !== 'moment')).toEqual([]);
});
