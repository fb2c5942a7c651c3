import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inEnglish } from '../../src/domain/said.ts';
import { openLineReader } from './typed-line.ts';

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

test('the tables have 300 different lines or more', () => {
  const lines = tables.flatMap((file) => rowsOf(file).map(([line]) => line));
  expect(lines.length).toBeGreaterThanOrEqual(300);
  expect(new Set(lines).size).toBe(lines.length);
});

test.each(tables)('each line of %s means what it says', async (file) => {
  const reader = openLineReader();
  const wrong: string[] = [];
  for (const [line, meaning] of rowsOf(file)) {
    const read = inEnglish(await reader.read(line));
    const isSo = meaning.startsWith('says: ') ? read.startsWith(meaning) : read === meaning;
    if (!isSo) wrong.push(`${line} => ${read}, not ${meaning}`);
  }
  expect(wrong).toEqual([]);
});

const quizNames = [
  'Montag',
  'Nicht bestanden und nun',
  'Fit bis Freitag',
  'Formation pour débutants',
  'Curso para el lunes',
  'Salsa para principiantes',
  'Driving a forklift',
  'Alles over vrijdag',
  'Praca od poniedziałku do piątku',
  'Point hebdomadaire',
];
const userNames = ['Mi Ja', 'José Ortega', 'Bo Larsen', 'Maja Lis'];

test.each([
  // A quiz whose name has words that are clauses elsewhere.
  ['/quiz show Montag', 'show-quiz: quiz = Montag'],
  ['/quiz results Montag', 'show-results: quiz = Montag'],
  ['/quiz results "Nicht bestanden und nun"', 'show-results: quiz = Nicht bestanden und nun'],
  [
    '/quiz results "Nicht bestanden und nun" nicht bestanden',
    'show-results: quiz = Nicht bestanden und nun; outcome = Failed',
  ],
  ['/quiz-campaign start Montag for kitchen', 'start-campaign: quiz = Montag; to = Kitchen'],
  [
    '/quiz-campaign start Montag für kitchen fällig Montag',
    'start-campaign: quiz = Montag; to = Kitchen; due = 2026-11-30 17:00',
  ],
  ['/quiz-campaign start "Fit bis Freitag" for kitchen', 'start-campaign: quiz = Fit bis Freitag; to = Kitchen'],
  [
    '/quiz-campaign start Fit bis Freitag for kitchen due monday',
    'start-campaign: quiz = Fit bis Freitag; to = Kitchen; due = 2026-11-30 17:00',
  ],
  [
    '/quiz-campaign start Formation pour débutants for kitchen',
    'start-campaign: quiz = Formation pour débutants; to = Kitchen',
  ],
  [
    '/quiz-campaign start Formation pour débutants pour kitchen',
    'start-campaign: quiz = Formation pour débutants; to = Kitchen',
  ],
  [
    '/quiz-campaign start Salsa para principiantes kitchen friday',
    'start-campaign: quiz = Salsa para principiantes; to = Kitchen; due = 2026-11-27 17:00',
  ],
  ['/quiz-alerts subscribe Curso para el lunes', 'subscribe-channel: quiz = Curso para el lunes'],
  ['/quiz-alerts subscribe Point hebdomadaire', 'subscribe-channel: quiz = Point hebdomadaire'],
  [
    '/quiz-alerts subscribe "Curso para el lunes" solo suspendidos',
    'subscribe-channel: quiz = Curso para el lunes; filter = Failed only',
  ],
  ['/quiz assign Driving a forklift rosa', 'assign-quiz: quiz = Driving a forklift; to = Rosa Almeida'],
  ['/quiz assign Alles over vrijdag aan rosa', 'assign-quiz: quiz = Alles over vrijdag; to = Rosa Almeida'],
  ['/quiz copy Driving a forklift', 'copy-quiz: quiz = Driving a forklift'],
  ['/quiz show Praca od poniedziałku do piątku', 'show-quiz: quiz = Praca od poniedziałku do piątku'],
  // A person whose name is “me” or “because” elsewhere.
  ['/quiz assign Montag to Mi', 'which user “Mi”: Mi Ja | Samuel Adeyemi'],
  ['/quiz assign Montag to Ja', 'which user “Ja”: Jamal Washington | Mi Ja | Maja Lis'],
  ['/quiz assign Montag to José Ortega', 'assign-quiz: quiz = Montag; to = José Ortega'],
  ['/quiz assign Montag to Maja', 'assign-quiz: quiz = Montag; to = Maja Lis'],
  ['/quiz-campaign start Montag Maja', 'start-campaign: quiz = Montag; to = Maja Lis'],
  [
    '/quiz-campaign excuse Bo from workplace, on leave',
    'excuse-campaign: campaign = Workplace safety basics; people = Bo Larsen; because = on leave',
  ],
  [
    '/quiz-campaign excuse Bo from workplace because on leave',
    'excuse-campaign: campaign = Workplace safety basics; people = Bo Larsen; because = on leave',
  ],
])('“%s” keeps the name', async (line, meaning) => {
  const reader = openLineReader({ quizNames, userNames });
  expect(await reader.read(line)).toBe(meaning);
});

test.each([
  [
    '/quiz-campaign remind workplace',
    'which meaning “workplace”: Remind everyone who hasn’t completed “Workplace safety basics” | Remind “Workplace Meyer” of everything they have to take',
  ],
  [
    '/quiz-campaign remind Work',
    'which meaning “Work”: Remind everyone who hasn’t completed “Workplace safety basics” | Users and groups',
  ],
  ['/quiz-campaign remind Worker Adams', 'remind-campaign: people = Worker Adams'],
  ['/quiz-campaign remind basics', 'remind-campaign: campaign = Workplace safety basics'],
  [
    '/quiz-campaign excuse workplace because ill',
    'form excuse-campaign: campaign = Workplace safety basics; because = ill',
  ],
  ['/quiz-campaign excuse Worker Adams because ill', 'excuse-campaign: people = Worker Adams; because = ill'],
])('“%s” asks where a campaign and people are called so', async (line, meaning) => {
  const reader = openLineReader({ userNames: ['Workplace Meyer', 'Worker Adams'] });
  expect(await reader.read(line)).toBe(meaning);
});
