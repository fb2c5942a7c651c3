import { sentTexts } from '../../support/slack-limits.ts';
import { describe, expect, test } from 'vitest';
import { inEnglish, lengthInEnglish } from '../../../src/domain/said.ts';
import { filterWords, type ResultsFilter } from '../../../src/features/results/filter.ts';
import { overTimeOf, scoredPercentages, statisticsOf } from '../../../src/features/results/statistics.ts';
import { isSubmitted, type QuizResponse } from '../../../src/quiz-api/responses.ts';
import { resultsPage, type Results } from '../../../src/features/results/pages.ts';
import { drawn } from '../../support/draw.ts';
import { quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';

const quiz = {
  quiz_id: 'q-1',
  name: 'Fire safety',
  status: 'open',
  date_created: new Date('2026-01-01T00:00:00Z'),
} as const;

const nowMs = Date.parse('2026-11-21T12:00:00Z');

function results(responses: readonly QuizResponse[], filter: ResultsFilter = {}): Results {
  return {
    quiz,
    filter,
    only: filterWords(filter, nowMs),
    statistics: statisticsOf(responses),
    percentages: scoredPercentages(responses),
    overTime: overTimeOf(responses, 'UTC'),
    submitted: responses.filter(isSubmitted),
  };
}

const resultsMessage = (shown: Results) => drawn(resultsPage(shown, 'UTC'));

const rosa = quizResponse({ response_id: 'r-rosa' });
const ravi = quizResponse({
  response_id: 'r-ravi',
  first_name: 'Ravi',
  last_name: 'Banerjee',
  percentage_score: 40,
  points: 4,
  pass: false,
  grade: 'F',
});
const begun = quizResponse({ status: 'not_submitted', date_submitted: null });

interface AnyBlock {
  type: string;
  block_id?: string;
  text?: { text: string };
  fields?: { text: string }[];
  elements?: {
    action_id: string;
    text?: { text: string };
    value?: string;
    options?: { value: string; text: { text: string } }[];
  }[];
  rows?: { text: string; value?: number }[][];
  chart?: { series: { data: { label: string; value: number }[] }[] };
}

const blocksOf = (message: { blocks: unknown }) => message.blocks as AnyBlock[];
const ofType = (message: { blocks: unknown }, type: string) => blocksOf(message).find((block) => block.type === type);
const buttons = (message: { blocks: unknown }) =>
  new Map(ofType(message, 'actions')?.elements?.map((element) => [element.action_id, element]));

describe('the results of a quiz', () => {
  const message = resultsMessage(results([rosa, ravi, begun]));

  test('show submitted, passed and unfinished attempts, with average, median and range', () => {
    expect(blocksOf(message)[1]?.fields?.map(({ text }) => text)).toEqual([
      '*Submitted*\n2 attempts',
      '*Passed*\n1 (50%)',
      '*Average*\n65%',
      '*Median*\n65%',
      '*Range*\n40% – 90%',
      '*Started, not submitted*\n1',
    ]);
  });

  test('claim no more than few attempts show', () => {
    const figures = (count: number) =>
      blocksOf(
        resultsMessage(
          results(
            Array.from({ length: count }, (_, n) =>
              quizResponse({ response_id: `r-${n}`, percentage_score: 40 + 10 * n }),
            ),
          ),
        ),
      )[1]
        ?.fields?.map(({ text }) => text)
        .slice(2);
    expect(figures(1)).toEqual(['*Average*\n40%']);
    expect(figures(4)?.at(-1)).toBe('*Range*\n40% – 70%');
    expect(figures(5)?.at(-1)).toBe('*Range*\n40% – 80%, standard deviation 14.1');
  });

  test('have a one-sentence summary for screen readers', () => {
    expect(message.text).toBe('📊 *Fire safety*: results. 2 submitted, 50% passed, average 65%.');
  });

  test('have a chart of the scores', () => {
    const data = ofType(message, 'data_visualization')?.chart?.series[0]?.data;
    expect(data).toHaveLength(10);
    expect(data?.filter(({ value }) => value > 0)).toEqual([
      { label: '40–49', value: 1 },
      { label: '90–100', value: 1 },
    ]);
  });

  test('list the attempts in a table that sorts numbers and times by value', () => {
    const [header, first] = ofType(message, 'data_table')?.rows ?? [];
    expect(header?.map(({ text }) => text)).toEqual([
      'Name',
      'Percentage',
      'Points',
      'Grade',
      'Result',
      'Attempt',
      'Time taken',
      'Submitted',
    ]);
    expect(first?.map(({ text }) => text)).toEqual([
      'Rosa Almeida',
      '90%',
      '9 of 10',
      'A',
      '✅ Passed',
      '2',
      '4 min 5 s',
      '2 Nov 2018, 00:05',
    ]);
    expect(first?.map(({ value }) => value)).toEqual([
      undefined,
      90,
      9,
      undefined,
      undefined,
      2,
      245,
      Date.parse('2018-11-02T00:05:47Z'),
    ]);
  });

  test('have plain sections for workspaces without charts and tables', () => {
    const plain = JSON.stringify(message.plain);
    expect(plain).not.toMatch(/data_table|data_visualization/);
    for (const fact of [
      'Submitted*\\n2 attempts',
      '` 40–49` ████████████████████ 1',
      '` 50–59` 0',
      '✅ *Rosa Almeida* · 90% · 9 of 10 points · grade A · attempt 2 · 4 min 5 s · 2 Nov 2018, 00:05',
      '❌ *Ravi Banerjee* · 40%',
    ]) {
      expect(plain).toContain(fact);
    }
  });

  test('give the controls another block ID when they change, so that Slack keeps no earlier choice', () => {
    const idOf = (responses: readonly QuizResponse[]) =>
      ofType(resultsMessage(results(responses)), 'actions')?.block_id;
    expect(idOf([rosa])).toBe(idOf([rosa]));
    expect(idOf([rosa])).not.toBe(idOf([rosa, ravi]));
  });

  test('have controls for each attempt, the filter and the file, which contain only ids', () => {
    const offered = buttons(message);
    expect(
      offered.get('menu:pick')?.options?.map(({ value, text }) => [JSON.parse(value), inEnglish(text.text)]),
    ).toEqual([
      [['modal', 'show-attempt', { quiz: ['q-1'], response: ['r-rosa'] }], 'Rosa Almeida · 90%'],
      [['modal', 'show-attempt', { quiz: ['q-1'], response: ['r-ravi'] }], 'Ravi Banerjee · 40%'],
    ]);
    expect([...offered.keys()]).toEqual([
      'menu:pick',
      'form:show-results',
      'choose:show-questions',
      'ask:export-results',
    ]);
    expect(JSON.parse(offered.get('form:show-results')?.value ?? '')).toEqual({
      operation: 'show-results',
      raw: { quiz: ['q-1'] },
    });
    expect(JSON.parse(offered.get('ask:export-results')?.value ?? '')).toEqual({
      operation: 'export-results',
      raw: { quiz: ['q-1'] },
    });
  });

  test('contain no address and no access code', () => {
    for (const personal of ['rosa@quiz.example', '203.0.113.7', 'ACCESS-1'])
      expect(JSON.stringify(message)).not.toContain(personal);
  });
});

test('a filter is shown, and kept in every button', () => {
  const chosen = { user: quizUser(), group: { group_id: 'g-1', group_name: 'Kitchen' } };
  const message = resultsMessage(
    results([rosa], { outcome: 'passed', person: 'rosa', period: { since: '2026-11-01' }, ...chosen }),
  );
  expect(message.text).toBe(
    '📊 *Fire safety*: results, only passed, since Sun 1 Nov, *rosa*, *Rosa Almeida*, in *Kitchen*. 1 submitted, average 90%.',
  );
  expect(JSON.stringify(message)).not.toContain('*Passed*');
  const offered = buttons(message);
  expect([...offered.keys()]).toEqual([
    'menu:pick',
    'form:show-results',
    'choose:show-questions',
    'ask:export-results',
  ]);
  for (const button of ['form:show-results', 'ask:export-results']) {
    expect(JSON.parse(offered.get(button)?.value ?? '')).toMatchObject({
      raw: {
        quiz: ['q-1'],
        outcome: ['passed'],
        period: ['since 2026-11-01'],
        user: ['u-rosa'],
        person: ['rosa'],
        group: ['g-1'],
      },
    });
  }
});

const survey = quizResponse({
  response_id: 'r-survey',
  points: 0,
  available_points: 0,
  percentage_score: 0,
  grade: '',
  pass: false,
});
const essay = quizResponse({
  response_id: 'r-essay',
  first_name: 'Kofi',
  last_name: 'Brandt',
  points: 0,
  percentage_score: 0,
  grade: '',
  pass: false,
  attempt: null,
  duration: null,
});

describe('results of which some are not graded', () => {
  const message = resultsMessage(results([rosa, ravi, survey, essay]));

  test('count graded attempts in pass rate, average and chart, and the others by themselves', () => {
    expect(blocksOf(message)[1]?.fields?.map(({ text }) => text)).toEqual([
      '*Submitted*\n4 attempts',
      '*Passed*\n1 (50% of 2 graded)',
      '*Not graded*\n1',
      '*Waiting to be marked*\n1',
      '*Average*\n65%',
      '*Median*\n65%',
      '*Range*\n40% – 90%',
    ]);
    expect(message.text).toBe(
      '📊 *Fire safety*: results. 4 submitted, 1 passed (50% of 2 graded), 1 not graded, 1 waiting to be marked, average 65%.',
    );
    expect(
      ofType(message, 'data_visualization')?.chart?.series[0]?.data.reduce((sum, { value }) => sum + value, 0),
    ).toBe(2);
  });

  test('show what the service says of them, in table, lines and picker', () => {
    expect(
      ofType(message, 'data_table')
        ?.rows?.at(-1)
        ?.map(({ text }) => text),
    ).toEqual(['Kofi Brandt', '–', '–', '–', '🖊️ Waiting to be marked', '–', '–', '2 Nov 2018, 00:05']);
    expect(JSON.stringify(message.plain)).toContain(
      '📋 *Rosa Almeida* · not graded · attempt 2 · 4 min 5 s · 2 Nov 2018, 00:05\\n🖊️ *Kofi Brandt* · waiting to be marked · 2 Nov 2018, 00:05"',
    );
    expect(buttons(message).get('menu:pick')?.options?.slice(2)).toMatchObject([
      { text: { text: 'Rosa Almeida · not graded' }, description: { text: '2 Nov 2018, 00:05, attempt 2' } },
      { text: { text: 'Kofi Brandt · waiting to be marked' }, description: { text: '2 Nov 2018, 00:05' } },
    ]);
  });

  test('can be filtered', () => {
    const filtered = resultsMessage(results([survey, essay], { outcome: 'ungraded' }));
    expect(filtered.text).toBe(
      '📊 *Fire safety*: results, only not graded. 2 submitted, 1 not graded, 1 waiting to be marked.',
    );
    expect([...buttons(filtered).keys()]).toEqual([
      'menu:pick',
      'form:show-results',
      'choose:show-questions',
      'ask:export-results',
    ]);
  });
});

test('a survey has no pass rate, no average, no chart and no columns of scores', () => {
  const message = resultsMessage(results([survey]));
  expect(message.text).toBe('📊 *Fire safety*: results. 1 submitted, not graded.');
  expect(blocksOf(message).map(({ type }) => type)).toEqual(['section', 'section', 'data_table', 'actions']);
  expect(ofType(message, 'data_table')?.rows?.[0]?.map(({ text }) => text)).toEqual([
    'Name',
    'Result',
    'Attempt',
    'Time taken',
    'Submitted',
  ]);
  expect([...buttons(message).keys()]).toEqual([
    'menu:pick',
    'form:show-results',
    'choose:show-questions',
    'ask:export-results',
  ]);
  expect(JSON.stringify(message)).not.toMatch(/0%|passed|failed|Average|Median|none/i);
});

test('figures have no floating-point tails', () => {
  const odd = quizResponse({
    points: 0.30000000000000004,
    available_points: 0.8999999999999999,
    percentage_score: 33.333333333333336,
    grade: 'F',
    pass: false,
  });
  const message = resultsMessage(results([odd, rosa]));
  expect(JSON.stringify(message)).toContain('0.3 of 0.9');
  expect(JSON.stringify(message)).not.toMatch(/\d\.\d{3}/);
});

test('a quiz without submissions says so, without chart or table', () => {
  const message = resultsMessage(results([begun]));
  expect(JSON.stringify(message.blocks)).toContain(
    'Nobody has submitted it yet. 1 attempt is started and not submitted.',
  );
  expect(message.plain).toBeUndefined();
  expect(blocksOf(message).map(({ type }) => type)).toEqual(['section', 'section', 'actions']);
  expect(blocksOf(resultsMessage(results([]))).map(({ type }) => type)).toEqual(['section', 'section']);
});

test('a filter without matches says so and can be removed', () => {
  const message = resultsMessage(results([], { person: 'nobody' }));
  expect(JSON.stringify(message.blocks)).toContain('No submitted attempt fits.');
  expect([...buttons(message).keys()]).toEqual(['choose:show-results', 'form:show-results-1']);
});

test('shows the last 100 of 250 attempts and refers to the file for all', () => {
  const message = resultsMessage(
    results(Array.from({ length: 250 }, (_, n) => quizResponse({ response_id: `r-${n}` }))),
  );
  expect(ofType(message, 'data_table')?.rows).toHaveLength(101);
  expect(JSON.stringify(message.blocks)).toContain('…and 150 more. The Excel file has all of them.');
  const plain = sentTexts(message.plain).join();
  const lines = plain.match(/\*Rosa Almeida\*/g)?.length ?? 0;
  expect(lines).toBeGreaterThan(90);
  expect(plain).toContain(`…and ${250 - lines} more. The Excel file has all of them.`);
});

test('a table with too many characters for Slack is cut and says so', () => {
  const long = Array.from({ length: 100 }, () => quizResponse({ first_name: 'x'.repeat(200), grade: 'y'.repeat(200) }));
  const message = resultsMessage(results(long));
  const rows = ofType(message, 'data_table')?.rows ?? [];
  expect(rows.flat().reduce((sum, { text }) => sum + lengthInEnglish(text), 0)).toBeLessThanOrEqual(10_000);
  expect(JSON.stringify(message.blocks)).toContain(`…and ${100 - (rows.length - 1)} more`);
});

test('a single attempt is no chart', () => {
  expect(ofType(resultsMessage(results([rosa])), 'data_visualization')).toBeUndefined();
  expect(ofType(resultsMessage(results([rosa, ravi])), 'data_visualization')).toBeDefined();
});
