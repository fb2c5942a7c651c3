import { describe, expect, test } from 'vitest';
import { matchQuiz, searchQuizzes } from '../../src/directory/quiz-search.ts';
import type { Quiz } from '../../src/quiz-api/quizzes.ts';

const quizzes = ['Fire safety', 'Fire safety, advanced', 'Datenschutz für Führungskräfte', 'Première secours', 'Forklift'].map(
  (name, index): Quiz => ({ quiz_id: `id-${index}`, name, status: 'open', date_created: new Date(0) }),
);
const match = (text: string) => {
  const found = matchQuiz(quizzes, text);
  switch (found.kind) {
    case 'one':
      return found.quiz.name;
    case 'several':
      return found.quizzes.map(({ name }) => name);
    case 'none':
      return { nearest: found.nearest.map(({ name }) => name) };
  }
};

describe('a quiz is found', () => {
  test.each([
    ['id-4', 'Forklift'],
    ['Fire safety', 'Fire safety'],
    ['FIRE SAFETY', 'Fire safety'],
    [' fire   safety ', 'Fire safety'],
    ['advanced', 'Fire safety, advanced'],
    ['fuhrungskrafte', 'Datenschutz für Führungskräfte'],
    ['premiere', 'Première secours'],
    ['safety adv', 'Fire safety, advanced'],
  ])('by “%s”', (text, name) => {
    expect(match(text)).toBe(name);
  });

  test('not, where several fit', () => {
    expect(match('fire')).toEqual(['Fire safety', 'Fire safety, advanced']);
  });

  test('not, where none fits; the nearest are named', () => {
    expect(match('Fire saftey')).toEqual({ nearest: ['Fire safety', 'Fire safety, advanced'] });
    expect(match('Xyzzy')).toEqual({ nearest: [] });
  });
});

test('a search gives names that begin with the words first', () => {
  expect(searchQuizzes(quizzes, 'f').map(({ name }) => name)).toEqual([
    'Fire safety',
    'Fire safety, advanced',
    'Forklift',
    'Datenschutz für Führungskräfte',
  ]);
  expect(searchQuizzes(quizzes, '')).toHaveLength(5);
});
