import { describe, expect, test } from 'vitest';
import { languageCodes } from '../../src/words/languages.ts';
import { problemsIn, problemsOf } from './catalogue/check-translation.ts';
import { everySentence, sentencesIn, type Sentence } from './catalogue/collect-sentences.ts';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const sentences = everySentence();

test.each(languageCodes.filter((code) => code !== 'en'))(
  'the catalogue of “%s” has every sentence, whole',
  (language) => {
    expect(problemsIn(language, sentences)).toEqual([]);
  },
);

const source = `
  const one = say\`Closed \${named(quiz)} for \${countOf(people, 'person', 'people')}.\`;
  const two = say\`*\${name}* \${count === 1 ? 'has' : 'have'} passed\`;
  const three = { label: 'Open', value: 'not said', hint: isLong ? 'For long' : 'For short' };
  const none = say\`\${one} · \${two}\`;
`;

test('sentences are what is tagged, counted, or describes a field', () => {
  expect(sentencesIn('file.ts', source).map(({ key }) => key)).toEqual([
    'Closed {0} for {1}.',
    '# person ¦ # people',
    '*{0}* {1} passed',
    'Open',
    'For long',
    'For short',
  ]);
});

describe('a translation', () => {
  const [closed, , passed] = sentencesIn('file.ts', source) as [Sentence, Sentence, Sentence];
  const problems = (translation: string, sentence = closed) => problemsOf('pl', sentence, translation);

  test.each([
    ['', 'has no translation'],
    ['Zamknięto {0}.', 'leaves out {1}'],
    ['Zamknięto {0} dla {1}, {2}.', 'names {2}, which the sentence does not have'],
    ['Zamknięto {0} dla {n1, plural, one {# osoby} other {# osób}}.', '{n1} has no form “few”'],
    ['Zamknięto *{0}* dla {1}.', 'has other words in bold'],
    ['Zamknięto {0} dla {1} `x`.', 'adds `x`'],
    ['Zamknięto "{0}" dla {1}.', 'has a straight quotation mark or apostrophe'],
    ['Zamknięto {0} dla {1}. ', 'begins or ends with other spaces than the sentence'],
    ['{formality, select, polite {Zamknięto} other {Zamknięto}} {0} dla {1}.', '{formality} is never “polite”'],
  ])('“%s” %s', (translation, problem) => {
    expect(problems(translation)).toContain(problem);
  });

  test('shows no English words that the sentence chose', () => {
    expect(problems('*{0}* {1} zaliczone', passed)).toEqual([
      'shows the English words of {1}: choose by {w1, select, …}',
    ]);
  });

  test('has nothing wrong otherwise', () => {
    expect(problems('Zamknięto {0} dla {1}.')).toEqual([]);
    expect(problems('*{0}*: zaliczone', passed)).toEqual([]);
  });
});

const importing = /^import (?:type )?\{([^}]*)\} from '(\.[^']*)';/gm;

/** The names that the samples, and what they import from tests, views and pages, import from views and pages. */
function importedNames(): Set<string> {
  const [names, seen] = [new Set<string>(), new Set<string>()];
  const waiting = globSync('test/words/samples/*.ts');
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const [, imported = '', from = ''] of readFileSync(path, 'utf8').matchAll(importing)) {
      const module = join(dirname(path), from);
      if (!/^test\/|^src\/(?:slack\/views|features)\//.test(module)) continue;
      for (const name of imported.split(',')) names.add(name.trim());
      if (!/^src\/features\/(?!.*\bpages\b)/.test(module)) waiting.push(module);
    }
  }
  return names;
}

/** The functions of a module that return a message, a view or a page. */
const viewsIn = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^export (?:async )?function (\w+)\((?:[^()]|\([^()]*\))*\): (?:Message|ModalView|HomeView|Page)\b/gm,
    ),
  ].map(([, name]) => `${basename(path, '.ts')}: ${name}`);

test('every view is in a sample', () => {
  const imported = importedNames();
  const views = globSync('src/{slack/views,features}/**/*.ts').toSorted().flatMap(viewsIn);
  expect(views.length).toBeGreaterThan(30);
  expect(views.filter((view) => !imported.has(view.split(': ')[1] ?? view))).toEqual([]);
});
