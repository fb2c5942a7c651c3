import { describe, expect, test } from 'vitest';
import type { Question, QuizResponse } from '../../../../src/quiz-api/responses.ts';
import { withoutPersonalData } from '../../../../src/features/results/personal-data.ts';
import { attemptMessage } from '../../../../src/slack/views/results/attempt.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../../support/builders/responses.ts';

const quiz = {
  quiz_id: 'q-1',
  name: 'Fire safety',
  status: 'open',
  date_created: new Date('2026-01-01T00:00:00Z'),
} as const;

function shown(response: QuizResponse, questions: Question[] = [], canDelete = false): string {
  return JSON.stringify(attemptMessage({ kind: 'attempt', quiz, response, questions, canDelete }, 'UTC').blocks);
}

describe('an attempt', () => {
  test('shows the result and registration fields', () => {
    const text = shown(
      quizResponse({
        registration_fields: [
          { name: 'Department', value: 'Kitchen' },
          { name: 'Number', value: '' },
        ],
      }),
    );
    for (const fact of [
      '✅ *Rosa Almeida* passed *Fire safety*',
      '*Score*\\n9 of 10 points',
      '*Department*\\nKitchen',
      '*Number*\\nLeft empty',
    ])
      expect(text).toContain(fact);
    expect(text).not.toContain('r-1');
  });

  test('shows contact details and IP address only to people with the right', () => {
    const response = quizResponse({
      certificate_url: 'https://quiz.example/certificate',
      response_report_url: 'https://quiz.example/report',
      registration_fields: [
        { name: 'Department', value: 'Kitchen' },
        { name: 'Call me at', value: '+49 30 123456' },
      ],
    });
    const personal = ['rosa@quiz.example', '203.0.113.7', 'ACCESS-1', '/certificate', '/report', '123456'];
    for (const fact of personal) expect(shown(response)).toContain(fact);
    for (const fact of personal) expect(shown(withoutPersonalData(response))).not.toContain(fact);
    expect(shown(withoutPersonalData(response))).toContain('Kitchen');
  });

  test('has no score before its submission', () => {
    const text = shown(quizResponse({ status: 'not_submitted', date_submitted: null }));
    expect(text).toContain('⏳ *Rosa Almeida* has started *Fire safety* but not submitted it');
    expect(text).not.toContain('Percentage');
  });

  test('links to certificate and report if they exist', () => {
    expect(
      shown(quizResponse({ certificate_url: 'https://quiz.example/c', response_report_url: 'https://quiz.example/r' })),
    ).toMatch(/"text":"Certificate".*"url":"https:\/\/quiz.example\/c".*"text":"Report"/);
    expect(shown(quizResponse({ certificate_url: null }))).not.toMatch(/Certificate|Report/);
  });

  test('has a button for each uploaded file, which contains only ids', () => {
    const text = shown(quizResponse(), [
      answeredQuestion({ type: 'file_upload', options: [], files: [{ file_id: 'f-1', name: 'signed.pdf' }] }),
    ]);
    expect(text).toContain('📎 Get signed.pdf');
    expect(text).toContain(
      JSON.stringify(
        JSON.stringify({ operation: 'send-files', raw: { quiz: ['q-1'], response: ['r-1'], file: ['f-1'] } }),
      ),
    );
  });

  test('has a delete button for people with the right', () => {
    expect(shown(quizResponse(), [], true)).toContain('form:delete');
    expect(shown(quizResponse(), [], false)).not.toContain('form:delete');
  });

  test('shows as many of a hundred long questions as Slack accepts and counts the rest', () => {
    const questions = Array.from({ length: 100 }, () =>
      answeredQuestion({
        text: '&'.repeat(1_000),
        points_scored: 0,
        options: [answeredOption({ text: '<'.repeat(9_000), correct: true, selected: true })],
      }),
    );
    const { blocks } = attemptMessage(
      { kind: 'attempt', quiz, response: quizResponse(), questions, canDelete: true },
      'UTC',
    );
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(blocks)).toMatch(/…and \d+ more questions\./);
  });
});

describe('a question', () => {
  test.each<[string, Partial<Question>, string]>([
    ['answered rightly', {}, '✅ *1. What do you do first?* · 1 of 1\\nSingle choice\\n↳ Chose: Warn people\\n"'],
    [
      'answered wrongly',
      {
        points_scored: 0,
        options: [
          answeredOption({ text: 'Warn people', correct: true }),
          answeredOption({ text: 'Run', selected: true }),
        ],
      },
      '❌ *1. What do you do first?* · 0 of 1\\nSingle choice\\n↳ Chose: Run\\n↳ Right: Warn people\\n"',
    ],
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
      '🟡 *1. What do you do first?* · 1.5 of 3\\nSingle choice\\n↳ Chose: Shoes\\n↳ Right: Shoes; Glasses\\n"',
    ],
    [
      'left out',
      { points_scored: 0, options: [answeredOption({ text: 'Run', correct: true })] },
      '\\n↳ No answer\\n↳ Right: Run\\n"',
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
      '\\n↳ Answered: 911\\n↳ Right: 112; 1 1 2\\n"',
    ],
    [
      'that scores nothing',
      { points_available: 0, points_scored: 0, options: [answeredOption({ text: '', answer: 'I tell my manager.' })] },
      '📝 *1. What do you do first?*\\nSingle choice\\n↳ Answered: I tell my manager.\\n"',
    ],
    [
      'with an upload',
      { points_available: 0, points_scored: 0, options: [], files: [{ file_id: 'f-1', name: 'signed.pdf' }] },
      '📝 *1. What do you do first?*\\nSingle choice\\n↳ 📎 signed.pdf\\n"',
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
      '· 1 of 1\\nMultiple choice new · Fire · First aid\\n↳',
    ],
    ['without a type', { type: '' }, '· 1 of 1\\n↳ Chose'],
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
      '↳ Chose: Shoes (1 point)\\n↳ Right: Helmet (3 points)\\n"',
    ],
  ])('%s', (_, overrides, text) => {
    expect(shown(quizResponse(), [answeredQuestion(overrides)])).toContain(text);
  });
});
