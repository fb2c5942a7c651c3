import { describe, expect, test } from 'vitest';
import { inEnglish, lengthInEnglish } from '../../../src/domain/said.ts';
import { attemptPage, answeredQuestion as questionText } from '../../../src/features/results/attempt-page.ts';
import { filterWords, type ResultsFilter } from '../../../src/features/results/filter.ts';
import { overTimeOf, scoredPercentages, statisticsOf } from '../../../src/features/results/statistics.ts';
import { missingPage, resultsPage } from '../../../src/features/results/pages.ts';
import { withoutPersonalData } from '../../../src/features/results/attempt.ts';
import { isSubmitted, type Question, type QuizResponse } from '../../../src/quiz-api/responses.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';
import { drawn, asSent } from '../../support/as-sent.ts';
import { sentTexts } from '../../support/slack-limits.ts';

// What each page says stands in test/words/sentences.md. These tests are about figures, values of controls, and what fits.

const quiz = {
  quiz_id: 'q-1',
  name: 'Fire safety',
  status: 'open',
  date_created: new Date('2026-01-01T00:00:00Z'),
} as const;

interface AnyBlock {
  type: string;
  block_id?: string;
  fields?: { text: string }[];
  elements?: { action_id: string; value?: string; options?: { value: string; text: { text: string } }[] }[];
  rows?: { text: string; value?: number }[][];
  chart?: { series: { data: { label: string; value: number }[] }[] };
}
const blocksOf = (message: { blocks: unknown }) => message.blocks as AnyBlock[];
const ofType = (message: { blocks: unknown }, type: string) => blocksOf(message).find((block) => block.type === type);
const controlsOf = (message: { blocks: unknown }) =>
  new Map(ofType(message, 'actions')?.elements?.map((element) => [element.action_id, element]));

describe('the results of a quiz', () => {
  const messageOf = (responses: readonly QuizResponse[], filter: ResultsFilter = {}) =>
    drawn(
      resultsPage(
        {
          quiz,
          filter,
          only: filterWords(filter, Date.parse('2026-11-21T12:00:00Z')),
          statistics: statisticsOf(responses),
          percentages: scoredPercentages(responses),
          overTime: overTimeOf(responses, 'UTC'),
          submitted: responses.filter(isSubmitted),
        },
        'UTC',
      ),
    );
  const rosa = quizResponse({ response_id: 'r-rosa' });
  const failed = { percentage_score: 40, points: 4, pass: false, grade: 'F' };
  const ravi = quizResponse({ response_id: 'r-ravi', first_name: 'Ravi', last_name: 'Banerjee', ...failed });
  const ungraded = { points: 0, percentage_score: 0, grade: '', pass: false };
  const survey = quizResponse({ response_id: 'r-survey', available_points: 0, ...ungraded });
  const essay = quizResponse({ response_id: 'r-essay', attempt: null, duration: null, ...ungraded });
  const both = messageOf([rosa, ravi]);
  const allControls = ['menu:pick', 'form:show-results', 'choose:show-questions', 'ask:export-results'];

  test('claim no more than few attempts show', () => {
    const figures = (count: number) =>
      blocksOf(
        messageOf(
          Array.from({ length: count }, (_, n) =>
            quizResponse({ response_id: `r-${n}`, percentage_score: 40 + 10 * n }),
          ),
        ),
      )[1]
        ?.fields?.map(({ text }) => text)
        .slice(2);
    expect(figures(1)).toEqual(['*Average*\n40%']);
    expect(figures(4)?.at(-1)).toBe('*Range*\n40% – 70%');
    expect(figures(5)?.at(-1)).toBe('*Range*\n40% – 80%, standard deviation 14.1');
  });

  test('have a chart of the scores of graded attempts, if there are several', () => {
    const data = ofType(messageOf([rosa, ravi, survey, essay]), 'data_visualization')?.chart?.series[0]?.data;
    expect(data).toHaveLength(10);
    expect(data?.filter(({ value }) => value > 0)).toEqual([
      { label: '40–49', value: 1 },
      { label: '90–100', value: 1 },
    ]);
    expect(ofType(messageOf([rosa]), 'data_visualization')).toBeUndefined();
  });

  test('list the attempts in a table that sorts numbers and times by value', () => {
    const [header, first] = ofType(both, 'data_table')?.rows ?? [];
    const columns = ['Name', 'Percentage', 'Points', 'Grade', 'Result', 'Attempt', 'Time taken', 'Submitted'];
    expect(header?.map(({ text }) => text)).toEqual(columns);
    expect(first?.map(({ text, value }) => value ?? text)).toEqual([
      'Rosa Almeida',
      90,
      9,
      'A',
      '✅ Passed',
      2,
      245,
      Date.parse('2018-11-02T00:05:47Z'),
    ]);
    const unmarked = ofType(messageOf([rosa, essay]), 'data_table')?.rows?.at(-1);
    expect(unmarked?.map(({ text }) => text).slice(1, 7)).toEqual(['–', '–', '–', '🖊️ Waiting to be marked', '–', '–']);
    const ofSurvey = ofType(messageOf([survey]), 'data_table')?.rows?.[0];
    expect(ofSurvey?.map(({ text }) => text)).toEqual(['Name', 'Result', 'Attempt', 'Time taken', 'Submitted']);
  });

  test('give the controls another block ID when they change, so that Slack keeps no earlier choice', () => {
    const idOf = (responses: readonly QuizResponse[]) => ofType(messageOf(responses), 'actions')?.block_id;
    expect(idOf([rosa])).toBe(idOf([rosa]));
    expect(idOf([rosa])).not.toBe(idOf([rosa, ravi]));
  });

  test('have controls that contain only ids, and keep the filter', () => {
    const offered = controlsOf(both);
    expect([...offered.keys()]).toEqual(allControls);
    expect(
      offered.get('menu:pick')?.options?.map(({ value, text }) => [JSON.parse(value), inEnglish(text.text)]),
    ).toEqual([
      [['modal', 'show-attempt', { quiz: ['q-1'], response: ['r-rosa'] }], 'Rosa Almeida · 90%'],
      [['modal', 'show-attempt', { quiz: ['q-1'], response: ['r-ravi'] }], 'Ravi Banerjee · 40%'],
    ]);
    for (const personal of ['rosa@quiz.example', '203.0.113.7', 'ACCESS-1'])
      expect(JSON.stringify(both)).not.toContain(personal);
    const group = { group_id: 'g-1', group_name: 'Kitchen' };
    const filter: ResultsFilter = {
      outcome: 'passed',
      person: 'rosa',
      period: { since: '2026-11-01' },
      user: quizUser(),
      group,
    };
    const filtered = controlsOf(messageOf([rosa], filter));
    const raw = {
      outcome: ['passed'],
      period: ['since 2026-11-01'],
      user: ['u-rosa'],
      person: ['rosa'],
      group: ['g-1'],
    };
    for (const operation of ['show-results', 'export-results']) {
      const valueIn = (controls: typeof offered) =>
        JSON.parse([...controls].find(([id]) => id.endsWith(`:${operation}`))![1].value!) as unknown;
      expect(valueIn(offered)).toEqual({ operation, raw: { quiz: ['q-1'] } });
      expect(valueIn(filtered)).toEqual({ operation, raw: { quiz: ['q-1'], ...raw } });
    }
    expect([...controlsOf(messageOf([], { person: 'nobody' })).keys()]).toEqual([
      'choose:show-results',
      'form:show-results-1',
    ]);
    expect([...controlsOf(messageOf([survey, essay], { outcome: 'ungraded' })).keys()]).toEqual(allControls);
  });

  test('show the last 100 of 250 attempts, fewer where they are long, and refer to the file for all', () => {
    const many = (count: number, more: Partial<QuizResponse> = {}) =>
      messageOf(Array.from({ length: count }, (_, n) => quizResponse({ response_id: `r-${n}`, ...more })));
    const message = many(250);
    expect(ofType(message, 'data_table')?.rows).toHaveLength(101);
    expect(JSON.stringify(message.blocks)).toContain('…and 150 more. The Excel file has all of them.');
    const plain = sentTexts(message.plain).join();
    const lines = plain.match(/\*Rosa Almeida\*/g)?.length ?? 0;
    expect(lines).toBeGreaterThan(90);
    expect(plain).toContain(`…and ${250 - lines} more. The Excel file has all of them.`);
    const long = many(100, { first_name: 'x'.repeat(200), grade: 'y'.repeat(200) });
    const rows = ofType(long, 'data_table')?.rows ?? [];
    expect(rows.flat().reduce((sum, { text }) => sum + lengthInEnglish(text), 0)).toBeLessThanOrEqual(10_000);
    expect(JSON.stringify(long.blocks)).toContain(`…and ${100 - (rows.length - 1)} more`);
  });
});

describe('an attempt', () => {
  const shown = (response: QuizResponse, questions: Question[] = [], page = 1) => {
    const { blocks } = drawn(attemptPage({ quiz, response, questions, page }));
    expect(blocks.length).toBeLessThanOrEqual(50);
    return inEnglish(JSON.stringify(blocks));
  };

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

  test('has a button for each uploaded file, which contains only ids', () => {
    const files = [{ file_id: 'f-1', name: 'signed.pdf' }];
    const text = shown(quizResponse(), [answeredQuestion({ type: 'file_upload', options: [], files })]);
    expect(text).toContain('📎 Get signed.pdf');
    const value = { operation: 'send-files', raw: { quiz: ['q-1'], response: ['r-1'], file: ['f-1'] } };
    expect(text).toContain(JSON.stringify(JSON.stringify(value)));
  });

  test('shows as many of a hundred questions as Slack accepts, and goes on with others on the next page', () => {
    const long = answeredQuestion({
      text: '&'.repeat(1_000),
      points_scored: 0,
      options: [answeredOption({ text: '<'.repeat(9_000), correct: true, selected: true })],
    });
    expect(shown(quizResponse(), Array(100).fill(long))).toMatch(/…and \d+ more/);
    const questions = Array.from({ length: 100 }, (_, n) => answeredQuestion({ text: `Question ${n + 1}?` }));
    const pages = [1, 2, 3].map((page) => shown(quizResponse(), questions, page));
    expect(pages.map((page) => page.match(/Question \d+\?/g)?.length)).toEqual([40, 40, 20]);
    expect(pages.map((page) => page.match(/← Previous|Next →/g))).toEqual([
      ['Next →'],
      ['← Previous', 'Next →'],
      ['← Previous'],
    ]);
  });
});

test('of 400 people who lack a quiz, a page names a hundred', () => {
  const missing = Array.from({ length: 400 }, () => ({ name: 'x'.repeat(300), progress: 'begun' as const }));
  const page = missingPage({ campaignId: undefined, quiz, group: undefined, suspended: 0, assigned: 500, missing });
  const { blocks } = drawn(page);
  expect(JSON.stringify(blocks)).toContain('…and 300 more.');
  expect(blocks.length).toBeLessThanOrEqual(50);
});

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
    expect(asSent(questionText(answeredQuestion(overrides), 1), 'markup')).toContain(text);
  });
});
