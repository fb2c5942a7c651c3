import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { inEnglish } from '../../src/domain/said.ts';
import { readFilter, parseSubscription } from '../../src/features/alerts/operations/spec.ts';
import { filterWords } from '../../src/operations/fields/subscription.ts';
import { createCatalogues } from '../../src/words/catalogues.ts';
import { languageCodes } from '../../src/words/languages.ts';
import { sentIn } from '../support/as-sent.ts';
import { openLineReader } from './typed-line.ts';
import { plainName } from '../../src/directory/names.ts';
import type { Field } from '../../src/operations/fields/fields.ts';
import { englishFor, meaningsAt, otherLanguages } from '../../src/operations/other-words/meanings.ts';
import { typedWords, type OtherLanguage, type TypedWord } from '../../src/operations/other-words/other-words.ts';
import { tokenize } from '../../src/operations/typed-text.ts';

const tables = globSync('test/typed-lines/lines/*.txt').toSorted();

/** Lines with what they mean. */
function rowsOf(file: string): [line: string, meaning: string][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('#'))
    .map((row) => {
      const [line = '', meaning = '', ...others] = row.split(' => ');
      if (meaning === '' || others.length > 0) throw new Error(`no line with its meaning: ${row}`);
      return [line, meaning];
    });
}

/** What the account of a table has besides, as its head says: `# users: Mi Ja | Maja Lis`. */
function namesIn(file: string, what: 'quizzes' | 'users'): string[] {
  return new RegExp(`^# ${what}: (.*)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]?.split(' | ') ?? [];
}

test('the tables have 300 different lines or more', () => {
  const lines = tables.flatMap((file) => rowsOf(file).map(([line]) => line));
  expect(lines.length).toBeGreaterThanOrEqual(300);
  expect(new Set(lines).size).toBe(lines.length);
});

test.each(tables)('each line of %s means what it says', async (file) => {
  const reader = openLineReader({ quizNames: namesIn(file, 'quizzes'), userNames: namesIn(file, 'users') });
  const wrong: string[] = [];
  for (const [line, meaning] of rowsOf(file)) {
    const read = inEnglish(await reader.read(line));
    const isSo = meaning.startsWith('says: ') ? read.startsWith(meaning) : read === meaning;
    if (!isSo) wrong.push(`${line} => ${read}, not ${meaning}`);
  }
  expect(wrong).toEqual([]);
});

const { catalogueOf } = createCatalogues();

/** A line with `{}` for a word that is typed, and the option of a field that it names. */
interface Place {
  line: string;
  operation: string;
  field: string;
  /** What is typed in English for a value where it is not the value itself; an empty one is not typed. */
  typed?: Readonly<Record<string, string>>;
  /** What the bot says for a value besides the label of its option. */
  said?: Readonly<Record<string, readonly string[]>>;
}

const outcomes = {
  passed: ['passed', 'passed only', 'Passed only'],
  failed: ['failed', 'failed only', 'Failed only', 'not passed', 'Not passed'],
  ungraded: ['not graded', 'Not graded', 'ungraded only', 'to be marked', 'Waiting to be marked'],
};
const roles = {
  respondent: ['respondent'],
  trainer: ['trainer'],
  administrator: ['administrator'],
};

const places: readonly Place[] = [
  {
    line: '/quiz list {}',
    operation: 'list-quizzes',
    field: 'status',
    typed: { in_design: 'in design' },
    said: { open: ['open'], closed: ['closed'], in_design: ['in design'] },
  },
  ...['/quiz results food {}', '/quiz results food {} since monday', '/quiz all-results {}'].map((line) => ({
    line,
    operation: 'show-results',
    field: 'outcome',
    typed: { all: '' },
    said: outcomes,
  })),
  { line: '/quiz-user list {}', operation: 'list-users', field: 'user_type', said: roles },
  { line: '/quiz-user list {} in Kitchen', operation: 'list-users', field: 'user_type', said: roles },
  {
    line: '/quiz-user create Ana Silva ana@example.org as {}',
    operation: 'create-user',
    field: 'user_type',
    said: roles,
  },
  { line: '/quiz-user list {}', operation: 'list-users', field: 'state' },
  {
    line: '/quiz-alerts subscribe food {}',
    operation: 'subscribe-channel',
    field: 'filter',
    typed: { all: '', below: '', grade: '' },
    said: outcomes,
  },
  {
    line: '/quiz-alerts subscribe food {}',
    operation: 'subscribe-channel',
    field: 'delivery',
    typed: { hourly: 'digest hourly', daily: 'digest daily' },
    said: {
      each: ['one message per submission'],
      hourly: ['an hourly digest', 'Hourly digest'],
      daily: ['Daily digest'],
    },
  },
  {
    line: '/quiz-alerts subscribe food {}',
    operation: 'subscribe-channel',
    field: 'names',
    typed: { off: 'names off' },
    said: { off: ['initials instead of names'] },
  },
  {
    line: '/quiz-campaign start fire for kitchen due friday complete when {}',
    operation: 'start-campaign',
    field: 'complete',
    said: { passed: ['passed'], submitted: ['submitted'] },
  },
  {
    line: '/quiz-campaign change workplace counts {}',
    operation: 'change-campaign',
    field: 'counts',
    typed: { good: 'for good' },
    said: { good: ['for good'] },
  },
  {
    line: '/quiz-alerts language {}',
    operation: 'set-channel-language',
    field: 'language',
    typed: { en: '', de: '', fr: '', es: '', nl: '', pl: '' },
  },
];

/** Words that begin a clause, and labels that say the same. */
const clauses: readonly { line: string; english: string; labels: readonly string[] }[] = [
  { line: '/quiz-campaign start fire for kitchen {} 15.12.', english: 'due', labels: ['Due'] },
  {
    line: '/quiz-campaign start fire for kitchen due 15.12. {} 1d',
    english: 'overdue',
    labels: ['Overdue', 'overdue'],
  },
  { line: '/quiz-campaign start fire for kitchen {} rosa due 15.12.', english: 'except', labels: ['Except'] },
  { line: '/quiz-campaign start fire for kitchen due 15.12. remind {}', english: 'none', labels: ['none', 'None'] },
  { line: '/quiz-campaign start fire for kitchen due 15.12. escalate {}', english: 'none', labels: ['none', 'None'] },
];

const optionsOf = (operation: string, name: string) => {
  const field = catalog.find((known) => known.name === operation)?.fields[name];
  return field?.kind === 'choice' || field?.kind === 'flags' ? field.options : [];
};

describe.each(languageCodes)('in %s', (language) => {
  const words = language === 'en' ? undefined : catalogueOf(language);
  const wordsOf = (sentence: string) => (words ? (words.get(sentence) ?? `nothing for ${sentence}`) : sentence);

  test.each(places)(
    'what the bot says for $field of $operation means the same when it is typed: $line',
    async (place) => {
      const { line, operation, field, typed = {}, said = {} } = place;
      const reader = openLineReader();
      const options = optionsOf(operation, field).filter(({ value }) => typed[value] !== '');
      expect(options.length).toBeGreaterThan(0);
      const wrong: string[] = [];
      for (const { value, label } of options) {
        const english = await reader.read(line.replace('{}', typed[value] ?? value));
        for (const text of [label, ...(said[value] ?? [])].map(wordsOf)) {
          const meaning = await reader.read(line.replace('{}', text));
          if (meaning !== english) wrong.push(`${text} => ${meaning}, not ${english}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  const render = sentIn(language, catalogueOf);

  test.each([
    { kind: 'below', percentage: 60 },
    { kind: 'below', percentage: 72.5 },
    { kind: 'grade', grade: 'B' },
  ] as const)('what the bot says for a subscription means the same when it is typed: %o', (filter) => {
    const said = filterWords(filter)
      .map((one) => render(one))
      .join(', ')
      .replaceAll(/[\u2066-\u2069]/g, '');
    const { quiz, filter: kind = [], limit = [] } = parseSubscription(`food ${said}`).at(-1) ?? {};
    expect(quiz).toEqual(['food']);
    expect(readFilter(kind[0], limit[0])).toEqual(filter);
  });

  test('the example of each clause of a campaign means the same as the English one', async () => {
    const reader = openLineReader();
    const { fields } = catalog.find(({ name }) => name === 'start-campaign')!;
    const wrong: string[] = [];
    for (const { clause } of Object.values(fields)) {
      if (
        clause === undefined ||
        clause.after !== undefined ||
        ['for', 'say'].some((word) => clause.words.includes(word))
      )
        continue;
      const lineOf = (example: string) =>
        `/quiz-campaign start fire for kitchen ${example}`
          .replace('@rosa', '<@UROSA|rosa>')
          .replace('@lead', '<@UERIN|erin>')
          .replace('#training', '<#C1|training>');
      const [english, own] = [lineOf(inEnglish(clause.example)), lineOf(render(clause.example))];
      const meanings = [await reader.read(english), await reader.read(own)];
      // A duration may be written in another unit.
      if (meanings[0] !== meanings[1]) wrong.push(`${own} => ${meanings[1]}, not ${meanings[0]}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(clauses)('the label of a field begins its clause: $line', async ({ line, english, labels }) => {
    const reader = openLineReader();
    const meaning = await reader.read(line.replace('{}', english));
    expect(meaning).toMatch(/^(?:start|change)-campaign: /);
    const meanings: [string, string][] = [];
    for (const text of labels.map(wordsOf)) meanings.push([text, await reader.read(line.replace('{}', text))]);
    expect(meanings).toEqual(labels.map((label) => [wordsOf(label), meaning]));
  });
});

const words = Object.values(typedWords).flat() as readonly TypedWord[];
const isWord = (text: string): text is TypedWord => (words as readonly string[]).includes(text);
const phrasesOf = ({ typed }: OtherLanguage, word: TypedWord) => typed[word].split(', ');

describe.each(otherLanguages)('in $name', (language) => {
  test.each(words)('“%s” has words, each of which is understood with accents and without', (word) => {
    const phrases = phrasesOf(language, word);
    expect(new Set(phrases).size).toBe(phrases.length);
    for (const phrase of phrases.flatMap((own) => [own, own.toUpperCase(), plainName(own)])) {
      expect(phrase).not.toBe('');
      expect(englishFor(phrase)).toContain(word);
      expect(meaningsAt(tokenize(phrase), 0)).toContainEqual({ english: word, length: phrase.split(' ').length });
    }
  });

  test('nothing that is quoted is understood', () => {
    expect(words.flatMap((word) => meaningsAt(tokenize(`"${phrasesOf(language, word)[0] ?? ''}"`), 0))).toEqual([]);
  });
});

test('umlauts are understood as two letters', () => {
  expect(englishFor('faellig')).toContain('due');
  expect(englishFor('fuer')).toContain('for');
});

const fields = catalog.flatMap((operation): [string, Field][] =>
  Object.entries(operation.fields).map(([name, field]) => [`${name} of ${operation.name}`, field]),
);

test('the usual word of each clause is understood in other languages', () => {
  const usual = fields.flatMap(([, { clause }]) => clause?.words.slice(0, 1) ?? []).filter((word) => word !== 'names');
  expect(usual.length).toBeGreaterThan(20);
  expect([...new Set(usual)].filter((word) => !isWord(word))).toEqual([]);
});

test('each option of a choice that is typed in a clause, and each role, is understood in other languages', () => {
  const typed = fields.flatMap(([name, field]) =>
    (field.kind === 'choice' || field.kind === 'flags') &&
    (field.clause !== undefined || name.startsWith('user_type of create-user'))
      ? field.options.map(({ value, label, also = [] }) => ({ name, texts: [value, label, ...also] }))
      : [],
  );
  expect(typed.length).toBeGreaterThan(8);
  const unknown = typed.filter(
    ({ name, texts }) => !name.startsWith('names of') && !texts.some((text) => isWord(text.toLowerCase())),
  );
  expect(unknown).toEqual([]);
});
