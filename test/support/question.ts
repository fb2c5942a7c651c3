import type { Question, QuestionOption } from '../../src/quiz-api/responses.ts';

/** A single choice that was answered rightly, as the client gives it. */
export function answeredQuestion(overrides: Partial<Question> = {}): Question {
  return {
    question_id: 'question-1',
    type: 'radio_button',
    version: 1,
    text: 'What do you do first?',
    use_option_points: false,
    points_scored: 1,
    points_available: 1,
    options: [answeredOption({ text: 'Warn people', correct: true, selected: true }), answeredOption({ text: 'Run' })],
    categories: [],
    files: [],
    ...overrides,
  };
}

export function answeredOption(overrides: Partial<QuestionOption> = {}): QuestionOption {
  return { option_id: 'option-1', version: 1, text: 'Wait', correct: false, answer: '', selected: false, option_points_available: 0, ...overrides };
}
