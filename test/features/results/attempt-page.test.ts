import { describe, expect, test } from 'vitest';
import type { Question, QuizResponse } from '../../../src/quiz-api/responses.ts';
import { withoutPersonalData } from '../../../src/features/results/personal-data.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { attemptPage } from '../../../src/features/results/attempt-page.ts';
import { drawn } from '../../support/draw.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../support/builders/responses.ts';

const quiz = {
  quiz_id: 'q-1',
  name: 'Fire safety',
  status: 'open',
  date_created: new Date('2026-01-01T00:00:00Z'),
} as const;

function shown(response: QuizResponse, questions: Question[] = [], offered?: ReadonlySet<string>): string {
  return JSON.stringify(drawn(attemptPage({ quiz, response, questions, page: 1 }), offered).blocks);
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
      [],
      new Set(),
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
    expect(shown(quizResponse())).toContain('form:delete-response');
    expect(shown(quizResponse(), [], new Set(['send-files']))).not.toContain('delete-response');
  });

  test('shows as many of a hundred long questions as Slack accepts and counts the rest', () => {
    const questions = Array.from({ length: 100 }, () =>
      answeredQuestion({
        text: '&'.repeat(1_000),
        points_scored: 0,
        options: [answeredOption({ text: '<'.repeat(9_000), correct: true, selected: true })],
      }),
    );
    const { blocks } = drawn(attemptPage({ quiz, response: quizResponse(), questions, page: 1 }));
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(inEnglish(JSON.stringify(blocks))).toMatch(/…and \d+ more/);
  });

  test('goes on with more questions on the next page', () => {
    const questions = Array.from({ length: 100 }, (_, n) => answeredQuestion({ text: `Question ${n + 1}?` }));
    const pages = [1, 2, 3].map((page) =>
      inEnglish(JSON.stringify(drawn(attemptPage({ quiz, response: quizResponse(), questions, page })).blocks)),
    );
    expect(pages.map((page) => page.match(/Question \d+\?/g)?.length)).toEqual([40, 40, 20]);
    expect(pages.map((page) => page.match(/← Previous|Next →/g))).toEqual([
      ['Next →'],
      ['← Previous', 'Next →'],
      ['← Previous'],
    ]);
  });
});
