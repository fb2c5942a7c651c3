import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterWords } from '../../../src/features/results/filter-fields.ts';
import { scoredPercentages, statisticsOf } from '../../../src/features/results/statistics.ts';
import { isSubmitted } from '../../../src/quiz-api/responses.ts';
import { attemptPage } from '../../../src/features/results/attempt-page.ts';
import { resultsPage } from '../../../src/features/results/pages.ts';
import { drawn } from '../../support/draw.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { problemsOfMessage, problemsOfSaid } from '../../support/slack-limits.ts';

/** External texts: short, 10,000 characters long, right-to-left, emoji, markup, line breaks, direction marks. */
const outside = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    '&'.repeat(10_000),
    '<!channel> & <https://x|y>',
    'اختبار السلامة',
    '👩‍🚒'.repeat(1_500),
    '\u202Egnp.exe',
    '`*_~`\n> x',
    '\u0000',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const ids = fc.uuid();
const score = fc.double({ min: -10, max: 1e6, noNaN: true });

const responses = fc
  .record({
    response_id: ids,
    quiz_name: outside,
    first_name: outside,
    last_name: outside,
    email_address: outside,
    ip_address: outside,
    access_code: outside,
    user_name: fc.option(outside),
    grade: outside,
    points: score,
    percentage_score: fc.integer({ min: 0, max: 100 }),
    duration: fc.double({ min: 0, max: 1e9, noNaN: true }),
    attempt: fc.nat(),
    pass: fc.boolean(),
    status: fc.constantFrom('not_started' as const, 'not_submitted' as const, 'submitted' as const),
    certificate_url: fc.constantFrom(null, 'https://quiz.example/c', `https://quiz.example/${'c'.repeat(4_000)}`),
    registration_fields: fc.array(fc.record({ name: outside, value: outside }), { maxLength: 40 }),
  })
  .map(quizResponse);

const questions = fc
  .record({
    text: outside,
    points_scored: score,
    points_available: score,
    options: fc.array(
      fc.record({ text: outside, correct: fc.boolean(), selected: fc.boolean(), answer: outside }).map(answeredOption),
      { maxLength: 6 },
    ),
    files: fc.array(fc.record({ file_id: ids, name: outside }), { maxLength: 3 }),
  })
  .map(answeredQuestion);

const quizzes = fc.record({
  quiz_id: ids,
  name: outside,
  status: fc.constant('open' as const),
  date_created: fc.constant(new Date(0)),
});

/** Modals support neither charts nor tables. */
const problemsOf = (message: Message) => [
  ...problemsOfMessage(message),
  ...problemsOfSaid({ surface: 'modal', blocks: message.plain ?? message.blocks }),
];

test('Slack accepts the results of any quiz in a message, a modal and an older workspace, without mentions and links', () => {
  const filters = fc.record(
    {
      outcome: fc.constantFrom('passed' as const, 'failed' as const),
      person: outside.map((person) => person.slice(0, 250)),
    },
    { requiredKeys: [] },
  );
  const many = fc.oneof(
    fc.array(responses, { maxLength: 8 }),
    fc
      .tuple(responses, fc.integer({ min: 95, max: 130 }))
      .map(([one, count]) => Array.from({ length: count }, (_, n) => ({ ...one, response_id: `r-${n}` }))),
  );
  fc.assert(
    fc.property(quizzes, many, filters, (quiz, all, filter) => {
      const message = drawn(
        resultsPage(
          {
            quiz,
            only: filterWords({ filter }, 0),
            filter,
            statistics: statisticsOf(all),
            percentages: scoredPercentages(all),
            submitted: all.filter(isSubmitted),
          },
          'UTC',
        ),
      );
      expect(problemsOf(message)).toEqual([]);
    }),
  );
});

test('Slack accepts any attempt in a message and a modal, without mentions and links', () => {
  fc.assert(
    fc.property(
      quizzes,
      responses,
      fc.array(questions, { maxLength: 60, size: 'max' }),
      fc.integer({ min: 1, max: 3 }),
      (quiz, response, asked, page) => {
        expect(problemsOf(drawn(attemptPage({ quiz, response, questions: asked, page })))).toEqual([]);
      },
    ),
  );
});
