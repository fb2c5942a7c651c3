import { outcomeOf } from '../../../src/domain/submission-outcome.ts';
import {
  isSubmitted,
  type Question,
  type QuestionOption,
  type QuizResponse,
  type SubmittedResponse,
} from '../../../src/quiz-api/responses.ts';

/** A submitted response as the API client returns it; its outcome follows from the marks. */
export function quizResponse(overrides: Partial<Omit<QuizResponse, 'outcome'>> = {}): QuizResponse {
  const response: Omit<QuizResponse, 'outcome'> = {
    response_id: 'r-1',
    quiz_id: 'q-1',
    quiz_name: 'Fire safety',
    first_name: 'Rosa',
    last_name: 'Almeida',
    email_address: 'rosa@quiz.example',
    user_id: 'u-1',
    user_name: 'rosa@quiz.example',
    date_submitted: new Date('2018-11-02T00:05:47Z'),
    points: 9,
    available_points: 10,
    percentage_score: 90,
    grade: 'A',
    pass: true,
    duration: 245,
    attempt: 2,
    ip_address: '203.0.113.7',
    status: 'submitted',
    publish_type: 'assigned_user',
    access_code: 'ACCESS-1',
    certificate_url: 'https://quiz.example/certificate',
    response_report_url: null,
    registration_fields: [],
    ...overrides,
  };
  const { points, available_points: availablePoints, grade, pass: passed } = response;
  return {
    ...response,
    outcome: response.status === 'submitted' ? outcomeOf({ points, availablePoints, grade, passed }) : null,
  };
}

/** The same, for what takes submitted responses only. */
export function submittedResponse(
  overrides: Partial<Omit<QuizResponse, 'outcome' | 'status'>> = {},
): SubmittedResponse {
  const response = quizResponse(overrides);
  if (!isSubmitted(response)) throw new Error('the response is not submitted');
  return response;
}

/** A correctly answered single-choice question as the API client returns it. */
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
  return {
    option_id: 'option-1',
    version: 1,
    text: 'Wait',
    correct: false,
    answer: '',
    selected: false,
    option_points_available: 0,
    ...overrides,
  };
}
