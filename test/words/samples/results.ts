import { filterWords, type ResultsFilter } from '../../../src/features/results/filter.ts';
import { scoredPercentages, statisticsOf, overTimeOf } from '../../../src/features/results/statistics.ts';
import { isSubmitted, type Question, type QuizResponse } from '../../../src/quiz-api/responses.ts';
import { attemptPage } from '../../../src/features/results/attempt-page.ts';
import { allResultsPage, resultsPage } from '../../../src/features/results/pages.ts';
import type { KnownQuestion } from '../../../src/domain/queues.ts';
import { createTally } from '../../../src/features/questions/operations/analysis.ts';
import { questionsPage } from '../../../src/features/questions/operations/show-questions.ts';
import { drawn } from '../../support/as-sent.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';
import type { Sample } from '../sample.ts';

const zone = 'Europe/Berlin';
const nowMs = Date.parse('2026-11-21T12:00:00Z');
const submittedAt = new Date('2026-11-20T13:05:00Z');
const quiz = { quiz_id: 'q-1', name: 'Fire safety', status: 'open', date_created: new Date('2026-09-01T00:00:00Z') };
const people = [
  ['Rosa', 'Almeida'],
  ['Ravi', 'Banerjee'],
  ['Kofi', 'Brandt'],
  ['Hana', 'Suzuki'],
  ['Tom', 'Lindqvist'],
  ['Ines', 'Marques'],
] as const;

const rosa = quizResponse({ date_submitted: submittedAt });
const attempts = people.map(([first_name, last_name], n) =>
  quizResponse({
    response_id: `r-${n}`,
    first_name,
    last_name,
    date_submitted: submittedAt,
    attempt: 1,
    points: 4 + n,
    percentage_score: 40 + 10 * n,
    pass: n > 1,
    grade: n > 1 ? 'B' : 'F',
  }),
);
const begun = quizResponse({ response_id: 'r-begun', status: 'not_submitted', date_submitted: null });
const survey = quizResponse({
  response_id: 'r-survey',
  points: 0,
  available_points: 0,
  percentage_score: 0,
  grade: '',
  pass: false,
  date_submitted: submittedAt,
});
const essay = quizResponse({
  response_id: 'r-essay',
  points: 0,
  percentage_score: 0,
  grade: '',
  pass: false,
  attempt: null,
  duration: null,
  date_submitted: submittedAt,
});

function results(responses: readonly QuizResponse[], filter: ResultsFilter = {}) {
  return drawn(
    resultsPage(
      {
        quiz,
        filter,
        only: filterWords(filter, nowMs),
        statistics: statisticsOf(responses),
        percentages: scoredPercentages(responses),
        overTime: overTimeOf(responses, zone),
        submitted: responses.filter(isSubmitted),
      },
      zone,
    ),
  );
}

type AllResults = Parameters<typeof allResultsPage>[0];

const failed: AllResults = {
  filter: { outcome: 'failed', period: { since: '2026-11-16' } },
  only: filterWords({ outcome: 'failed', period: { since: '2026-11-16' } }, nowMs),
  found: [
    { quiz, count: 23, newest: attempts.slice(0, 2) },
    { quiz: { ...quiz, quiz_id: 'q-2', name: 'Food hygiene' }, count: 1, newest: attempts.slice(0, 1) },
  ],
  read: 9,
  left: 0,
  nextFrom: 10,
};
const ofAll = (more: Partial<AllResults> = {}) => drawn(allResultsPage({ ...failed, ...more }, zone));

const questions = [
  answeredQuestion({ text: 'You find a spill in a walkway. What do you do first?' }),
  answeredQuestion({
    text: 'Who may use an extinguisher?',
    points_scored: 0,
    options: [
      answeredOption({ text: 'Everyone', selected: true }),
      answeredOption({ text: 'Trained staff', correct: true }),
    ],
    categories: [{ category_id: 'c', name: 'Equipment' }],
  }),
  answeredQuestion({
    text: 'Describe your last drill.',
    type: 'essay',
    points_available: 0,
    points_scored: 0,
    options: [answeredOption({ answer: 'We left through the kitchen.' })],
  }),
  answeredQuestion({
    text: 'Upload your certificate.',
    type: 'file_upload',
    points_available: 0,
    points_scored: 0,
    options: [],
    files: [{ file_id: 'f', name: 'certificate.pdf' }],
  }),
  answeredQuestion({
    text: 'How do you warn people?',
    options: [
      answeredOption({ text: 'With the button', correct: true, selected: true }),
      answeredOption({ text: 'Other', answer: 'By phone' }),
    ],
  }),
  answeredQuestion({
    text: '',
    type: 'checkbox',
    options: [answeredOption({ text: 'Other', selected: true, answer: 'The porter' }), answeredOption({ text: '' })],
  }),
  answeredQuestion({
    text: 'Anything else?',
    type: 'free_text',
    points_available: 2,
    points_scored: 1,
    use_option_points: true,
    options: [],
  }),
];
const known: KnownQuestion[] = [
  ['What do you do first when oil burns?', 'Water on burning oil', 'The lid on the pan', 'Kitchen'],
  ['Who may use an extinguisher?', 'Everyone', 'Trained staff', 'Kitchen'],
  ['Where do you meet after an alarm?', 'In the car park', 'At the gate', 'Building'],
  ['How do you warn people?', 'By phone', 'With the button', 'Building'],
  ['Describe your last drill.', '', '', ''],
].map(([text = '', wrong = '', right = '', category = ''], n) => ({
  id: `question-${n}`,
  version: 1,
  text,
  categories: [category],
  options: [
    { id: 'wrong', text: wrong, isRight: false },
    { id: 'right', text: right, isRight: true },
  ],
}));

/** Those who know the rest get the first two questions wrong, and the third says nothing of it. */
const answered = ['-0 + + + a', '-0 + -0 + n', '+ -0 + + a', '+ -0 -0 + a', '+ + + + a', '+ + -0 + n'];

function ofQuestions(more: Partial<Parameters<typeof questionsPage>[0]> = {}, repeated = 5) {
  const tally = createTally(known);
  for (let times = 0; times < repeated; times += 1) for (const one of answered) tally.add(one);
  const read = repeated * answered.length;
  return drawn(
    questionsPage({
      quiz,
      filter: {},
      only: '',
      analysis: tally.analysis(),
      read,
      attempts: read,
      unread: 0,
      showsRight: true,
      page: 1,
      ...more,
    }),
  );
}

const attempt = (
  response: QuizResponse,
  {
    questions: asked = [],
    offered = trainers,
  }: { questions?: Question[]; offered?: ReadonlySet<string> | undefined } = {},
) => drawn(attemptPage({ quiz, response, questions: asked, page: 1 }), offered);
const trainers: ReadonlySet<string> = new Set(['send-files']);

export const samples: readonly Sample[] = [
  { when: 'A trainer looks at the results of a quiz', shown: results([...attempts, begun]) },
  { when: 'A quiz has two attempts', shown: results(attempts.slice(1, 3)) },
  { when: 'A quiz has one attempt', shown: results([rosa]) },
  { when: 'Some attempts are not graded or not marked', shown: results([...attempts.slice(0, 2), survey, essay]) },
  {
    when: 'A quiz over two months, with first and second attempts',
    shown: results(
      attempts.flatMap((first, n) => [
        { ...first, date_submitted: new Date('2026-09-14T10:00:00Z') },
        { ...attempts[n < 2 ? 5 : n]!, response_id: `r-again-${n}`, attempt: 2 },
      ]),
    ),
  },
  { when: 'A survey', shown: results([survey]) },
  {
    when: 'Nobody has submitted the quiz, and two people have started',
    shown: results([begun, { ...begun, response_id: 'r-2' }]),
  },
  { when: 'Nobody has started the quiz', shown: results([]) },
  { when: 'Who failed, over all quizzes', shown: ofAll() },
  {
    when: 'Who failed, over more quizzes than are looked at in one go',
    shown: ofAll({ read: 30, left: 112, nextFrom: 31 }),
  },
  { when: 'Who failed, where only one quiz has some', shown: ofAll({ found: failed.found.slice(1) }) },
  { when: 'Nobody failed, over all quizzes', shown: ofAll({ found: [] }) },
  {
    when: 'Results with every filter',
    shown: results([rosa], {
      outcome: 'passed',
      period: { since: '2026-11-15' },
      person: 'rosa',
      user: quizUser(),
      group: { group_id: 'g-1', group_name: 'Kitchen' },
    }),
  },
  {
    when: 'Results of ungraded attempts of a person',
    shown: results([essay], { outcome: 'ungraded', user: quizUser() }),
  },
  { when: 'No attempt fits the filter', shown: results([], { outcome: 'failed' }) },
  {
    when: 'A quiz has more attempts than a table holds',
    shown: results(Array.from({ length: 250 }, (_, n) => ({ ...rosa, response_id: `${'r'.repeat(150)}${n}` }))),
  },
  {
    when: 'An administrator looks at an attempt',
    shown: attempt(
      {
        ...rosa,
        certificate_url: 'https://quiz.example/certificate',
        response_report_url: 'https://quiz.example/report',
        registration_fields: [
          { name: 'Department', value: 'Kitchen' },
          { name: 'Shift', value: '' },
        ],
      },
      { questions, offered: new Set([...trainers, 'delete-response']) },
    ),
  },
  {
    when: 'A trainer looks at a failed attempt',
    shown: attempt({
      ...attempts[0]!,
      email_address: '',
      user_name: null,
      ip_address: '',
      access_code: '',
      certificate_url: null,
    }),
  },
  {
    when: 'A trainer looks at an attempt that is not submitted',
    shown: attempt({
      ...begun,
      email_address: '',
      user_name: null,
      ip_address: '',
      access_code: '',
      certificate_url: null,
    }),
  },
  {
    when: 'A trainer looks at an attempt that is not started',
    shown: attempt(
      quizResponse({
        status: 'not_started',
        date_submitted: null,
        email_address: '',
        user_name: null,
        ip_address: '',
        access_code: '',
        certificate_url: null,
      }),
    ),
  },
  { when: 'A trainer looks at the questions of a quiz', shown: ofQuestions() },
  {
    when: 'A trainer looks at the questions of a quiz while its attempts are read',
    shown: ofQuestions({ attempts: 212, unread: 187, only: filterWords({ outcome: 'failed' }, nowMs) }),
  },
  {
    when: 'The first attempts at a quiz are read for its questions',
    shown: ofQuestions({ attempts: 7, unread: 7 }, 0),
  },
  { when: 'A quiz has too few attempts for numbers of its questions', shown: ofQuestions({ attempts: 4, read: 4 }, 0) },
  { when: 'Each question of a quiz is in few attempts', shown: ofQuestions({ attempts: 9, read: 9 }, 0) },
];
