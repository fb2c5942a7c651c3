import { describe, expect, test } from 'vitest';
import { amount, countOf, isSaid, listed, say, writtenNumber, markedMoment, named } from '../../src/domain/said.ts';
import { languageOf, type Formality, type Language } from '../../src/words/languages.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import { createRender } from '../../src/words/render.ts';
import { createPhrases } from '../../src/words/translate.ts';
import { dateInWords } from '../../src/time/date-words.ts';

function translate(
  text: string,
  catalogue: Readonly<Record<string, string>>,
  language: Language = 'de',
  formality: Formality = 'formal',
): string {
  const phrases = createPhrases(language, { catalogue: new Map(Object.entries(catalogue)), formality });
  return createRender(standardNames, phrases)(text);
}

describe('a sentence', () => {
  test('has its parts where the language has them', () => {
    expect(
      translate(say`Closed ${named('Brand\u2019s')}, says ${'Rosa'}.`, {
        'Closed {0}, says {1}.': 'Laut {1}: {0} ist zu.',
      }),
    ).toBe('Laut Rosa: „Brand\u2019s“ ist zu.');
  });

  test('is put together from sentences', () => {
    const text = say`${say`Done.`} ${say`It took ${say`${3} s`}.`}`;
    expect(translate(text, { 'Done.': 'Fertig.', 'It took {0}.': 'Das hat {0} gedauert.', '{0} s': '{0} Sek.' })).toBe(
      'Fertig. Das hat 3 Sek. gedauert.',
    );
  });

  test('that the catalogue lacks stays whole in English', () => {
    const text = say`Closed ${countOf(2, 'quiz', 'quizzes')}.`;
    expect(translate(text, { '# quizzes': '{0} Quizze' })).toBe('Closed 2 quizzes.');
  });

  test('is found without the capital letter that it begins with', () => {
    expect(translate(say`Closed again`, { 'closed again': 'wieder geschlossen' })).toBe('Wieder geschlossen');
  });

  test.each([
    [1, '1 osoba nie zdała'],
    [2, '2 osoby nie zdały'],
    [5, '5 osób nie zdało'],
    [22, '22 osoby nie zdały'],
    [1_234, '1234 osoby nie zdały'],
  ])('chooses the form for %d', (count, expected) => {
    const text = say`${countOf(count, 'person', 'people')} ${count === 1 ? 'has' : 'have'} failed`;
    const polish =
      '{n0, plural, one {# osoba nie zdała} few {# osoby nie zdały} many {# osób nie zdało} other {# osoby nie zdało}}';
    expect(translate(text, { '{0} {1} failed': polish }, 'pl').replaceAll(/\s/g, ' ')).toBe(expected);
  });

  test('chooses by the English words of a part', () => {
    const catalogue = { 'asks you to {0} it': '{w0, select, pass {bitte bestehen} other {bitte machen}}' };
    expect(translate(say`asks you to ${'pass'} it`, catalogue)).toBe('bitte bestehen');
    expect(translate(say`asks you to ${'take'} it`, catalogue)).toBe('bitte machen');
  });

  test('addresses people as it is configured', () => {
    const catalogue = { 'You can go on.': '{formality, select, informal {Du kannst} other {Sie können}} fortfahren.' };
    expect(translate(say`You can go on.`, catalogue)).toBe('Sie können fortfahren.');
    expect(translate(say`You can go on.`, catalogue, 'de', 'informal')).toBe('Du kannst fortfahren.');
  });

  test('ends with one full stop, after an abbreviation too', () => {
    const date = dateInWords(Date.UTC(2030, 11, 8, 9), 'day', 'UTC');
    const catalogue = {
      'Nobody has it after {0}.': 'Plus personne ne l’a après {0}.',
      'After {0}, nobody.': 'Après {0}.',
    };
    expect(translate(say`Nobody has it after ${'déc.'}.`, catalogue, 'fr')).toBe('Plus personne ne l’a après déc.');
    expect(translate(say`After ${date}, nobody.`, catalogue, 'fr')).toBe('Après 8 déc. 2030.');
  });

  test('that was cut keeps no mark', () => {
    const text = say`Closed ${'Fire safety'} for ${3} people.`;
    for (let end = 0; end <= text.length; end += 1) expect(isSaid(translate(text.slice(0, end), {}))).toBe(false);
  });
});

describe('what is written otherwise in other languages', () => {
  test.each<[string, Language, string]>([
    [amount(12_345.5), 'de', '12.345,5'],
    [writtenNumber('71.4%'), 'fr', '71,4 %'],
    [writtenNumber('2nd'), 'nl', '2e'],
    [writtenNumber('1st'), 'fr', '1er'],
    [writtenNumber('2027'), 'de', '2027'],
    [listed(['Rosa', 'Kim', 'Tom']), 'es', 'Rosa, Kim y Tom'],
    [listed(['Rosa', 'Kim'], 'disjunction'), 'pl', 'Rosa lub Kim'],
    [dateInWords(Date.UTC(2026, 4, 3, 9), 'weekdayTime', 'UTC'), 'de', 'So., 3. Mai, 09:00'],
    [dateInWords(Date.UTC(2026, 4, 3, 9), 'day', 'Europe/Warsaw'), 'pl', '3 maj 2026'],
  ])('“%s” in %s', (text, language, expected) => {
    expect(translate(text, {}, language).replaceAll(/\s/g, ' ')).toBe(expected);
  });
});

test('a day that a client writes is its date', () => {
  const phrases = createPhrases('de', { catalogue: new Map([['Due on {0}', 'Fällig am {0}']]), formality: 'formal' });
  const render = createRender(standardNames, phrases);
  expect(render(say`Due on ${markedMoment(1_795_165_200_000, '20 Nov 2026')}`, 'markup')).toBe(
    'Fällig am <!date^1795165200^{date_short}, {time} Uhr|20 Nov 2026>',
  );
});

test.each([
  ['de-DE', 'de'],
  ['es_LA', 'es'],
  ['EN-gb', 'en'],
  ['ja-JP', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('the locale %s is the language %s', (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});
