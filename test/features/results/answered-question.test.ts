import { asSent } from '../../support/as-sent.ts';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../../src/quiz-api/responses.ts';
import { answeredQuestion } from '../../../src/features/results/attempt-page.ts';
import { answeredOption, answeredQuestion as question } from '../../support/builders/responses.ts';

describe('a question', () => {
  test.each<[string, Partial<Question>, string]>([
    [
      'answered in part',
      {
        points_scored: 1.5,
        points_available: 3,
        options: [
          answeredOption({ text: 'Shoes', correct: true, selected: true }),
          answeredOption({ text: 'Glasses', correct: true }),
        ],
      },
      '🟡 *1. What do you do first?* · 1.5 of 3\nSingle choice\n↳ Chose: Shoes\n↳ Right: Shoes; Glasses\n',
    ],
    [
      'left out',
      { points_scored: 0, options: [answeredOption({ text: 'Run', correct: true })] },
      '\n↳ No answer\n↳ Right: Run\n',
    ],
    [
      'with a typed answer, which stands in every option',
      {
        points_scored: 0,
        options: [
          answeredOption({ text: '112', correct: true, answer: '911' }),
          answeredOption({ text: '1 1 2', correct: true, answer: '911' }),
        ],
      },
      '\n↳ Answered: 911\n↳ Right: 112; 1 1 2\n',
    ],
    [
      'with a choice and a remark that stands in every option',
      {
        options: [
          answeredOption({ text: 'Warn people', correct: true, selected: true, answer: 'Twice' }),
          answeredOption({ text: 'Run', answer: 'Twice' }),
        ],
      },
      '\n↳ Chose: Warn people\n↳ Answered: Twice\n',
    ],
    [
      'with a typed answer that an accepted text matched',
      {
        options: [
          answeredOption({ text: 'Assembly point', correct: true, selected: true, answer: 'assembly  point' }),
          answeredOption({ text: 'Car park', correct: true, answer: 'assembly  point' }),
        ],
      },
      '\n↳ Answered: assembly  point\n',
    ],
    [
      'with an answer for each option',
      {
        options: [
          answeredOption({ text: 'Class A', answer: 'Wood' }),
          answeredOption({ text: 'Class B', answer: 'Petrol' }),
          answeredOption({ text: 'Class C' }),
        ],
      },
      '\n↳ Answered: Class A: Wood; Class B: Petrol\n',
    ],
    [
      'of a type and in categories',
      {
        type: 'multiple_choice_new',
        categories: [
          { category_id: 'c-1', name: 'Fire' },
          { category_id: 'c-2', name: 'First aid' },
        ],
      },
      '· 1 of 1\nMultiple choice new · Fire · First aid\n↳',
    ],
    ['without a type', { type: '' }, '· 1 of 1\n↳ Chose'],
    [
      'whose options have points of their own',
      {
        use_option_points: true,
        points_scored: 1,
        points_available: 3,
        options: [
          answeredOption({ text: 'Shoes', selected: true, option_points_available: 1 }),
          answeredOption({ text: 'Helmet', correct: true, option_points_available: 2.1 + 0.9 }),
        ],
      },
      '↳ Chose: Shoes (1 point)\n↳ Right: Helmet (3 points)\n',
    ],
  ])('%s', (_, overrides, text) => {
    expect(asSent(answeredQuestion(question(overrides), 1), 'markup')).toContain(text);
  });
});
