import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gradeFor,
  type Option,
  type Question,
  type QuestionType,
  questionTypes,
  scoreAnswer,
  totalScore,
} from '../../../../src/sandbox/quiz-service/taking/scoring.ts';

function option(option_id: string, correct: boolean, points: number): Option {
  return { option_id, version: 1, text: option_id, correct, points };
}

function question(type: QuestionType, details: Partial<Question> = {}): Question {
  return {
    question_id: 'q',
    type,
    version: 1,
    text: 'Which?',
    use_option_points: false,
    has_partial_credit: false,
    points_available: 3,
    options: [option('right', true, 3), option('also right', true, 1), option('wrong', false, -2)],
    categories: [],
    ...details,
  };
}

const choosing = (...selectedOptionIds: string[]) => ({ selectedOptionIds, text: '' });
const typing = (text: string) => ({ selectedOptionIds: [], text });

describe('checkbox questions', () => {
  test('score all points for exactly the right options, otherwise none', () => {
    expect(scoreAnswer(question('checkbox'), choosing('right', 'also right'))).toBe(3);
    expect(scoreAnswer(question('checkbox'), choosing('right'))).toBe(0);
    expect(scoreAnswer(question('checkbox'), choosing('right', 'also right', 'wrong'))).toBe(0);
  });

  test('with partial credit, score a share for each right option and deduct a share for each wrong one', () => {
    const partial = question('checkbox', { has_partial_credit: true });
    expect(scoreAnswer(partial, choosing('right'))).toBe(1.5);
    expect(scoreAnswer(partial, choosing('right', 'wrong'))).toBe(0);
    expect(scoreAnswer(partial, choosing('wrong'))).toBe(0);
  });
});

test('option points add up, but never below zero', () => {
  const byOption = question('radio_button', { use_option_points: true });
  expect(scoreAnswer(byOption, choosing('also right'))).toBe(1);
  expect(scoreAnswer(byOption, choosing('wrong'))).toBe(0);
});

test('a typed answer matches an accepted text regardless of case and spaces', () => {
  expect(scoreAnswer(question('free_text'), typing('  ALSO   right '))).toBe(3);
  expect(scoreAnswer(question('free_text'), typing('wrong'))).toBe(0);
  expect(scoreAnswer(question('free_text'), typing(''))).toBe(0);
});

test('no answer scores below zero or above the available points', () => {
  const anyQuestion = fc.record({
    type: fc.constantFrom(...questionTypes),
    use_option_points: fc.boolean(),
    has_partial_credit: fc.boolean(),
    points_available: fc.nat({ max: 20 }),
  });
  fc.assert(
    fc.property(
      anyQuestion,
      fc.subarray(['right', 'also right', 'wrong', 'of another question']),
      fc.string(),
      (details, selectedOptionIds, text) => {
        const points = scoreAnswer(question(details.type, details), { selectedOptionIds, text });
        expect(points).toBeGreaterThanOrEqual(0);
        expect(points).toBeLessThanOrEqual(details.points_available);
      },
    ),
  );
});

test('the percentage is rounded and determines grade and pass', () => {
  const grades = [
    { grade: 'F', from: 0 },
    { grade: 'A', from: 67 },
  ];
  const score = totalScore([{ points: 2, available: 3 }], grades, 67);
  expect(score).toEqual({ points: 2, available_points: 3, percentage_score: 67, grade: 'A', pass: true });
  expect(totalScore([{ points: 1.99, available: 3 }], grades, 67)).toMatchObject({
    percentage_score: 66,
    grade: 'F',
    pass: false,
  });
});

test('a quiz without points scores 0 percent', () => {
  expect(totalScore([], [], 50)).toEqual({
    points: 0,
    available_points: 0,
    percentage_score: 0,
    grade: '',
    pass: false,
  });
});

test('a percentage below every band has no grade', () => {
  expect(gradeFor(10, [{ grade: 'A', from: 50 }])).toBe('');
});
