import { filterWords, type ResultsFilter } from '../../../src/features/results/filter.ts';
import { scoredPercentages, statisticsOf, overTimeOf } from '../../../src/features/results/statistics.ts';
import { isSubmitted, type Question, type QuizResponse } from '../../../src/quiz-api/responses.ts';
import { attemptPage } from '../../../src/features/results/attempt-page.ts';
import { allResultsPage, resultsPage, missingPage } from '../../../src/features/results/pages.ts';
import type { KnownQuestion } from '../../../src/domain/queues.ts';
import { createTally } from '../../../src/features/questions/operations/analysis.ts';
import { questionsPage } from '../../../src/features/questions/operations/show-questions.ts';
import { drawn } from '../../support/as-sent.ts';
import { answeredOption, answeredQuestion, quizResponse } from '../../support/builders/responses.ts';
import { quizUser } from '../../support/builders/users.ts';
import type { Samples } from '../collect.ts';

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

const someMissing: Parameters<typeof missingPage>[0] = {
  campaignId: undefined,
  quiz: { quiz_id: 'q-1', name: 'Food hygiene', status: 'open', date_created: null },
  group: undefined,
  assigned: 14,
  suspended: 1,
  missing: [
    { name: 'Kim Doe', progress: 'begun' as const },
    { name: 'Rosa Almeida', progress: 'not taken' as const },
    { name: 'Ravi Banerjee', progress: 'failed' as const },
  ],
};

const missing: Samples = {
  'Who has not taken a quiz': drawn(missingPage(someMissing)),
  'Who has not taken it in a group': drawn(
    missingPage({
      ...someMissing,
      suspended: 0,
      group: { group_id: 'g-1', group_name: 'Kitchen' },
      assigned: 250,
      missing: Array.from({ length: 120 }, () => someMissing.missing[1]!),
    }),
  ),
  'Who has not taken a quiz for which a campaign runs': drawn(missingPage({ ...someMissing, campaignId: 'c-1' })),
  'Some took it, and didn’t pass': drawn(missingPage({ ...someMissing, missing: someMissing.missing.slice(2) })),
  'Everyone has taken it': drawn(missingPage({ ...someMissing, missing: [] })),
  'The only person has taken it': drawn(missingPage({ ...someMissing, assigned: 1, missing: [] })),
  'The quiz is assigned to nobody': drawn(missingPage({ ...someMissing, assigned: 0, missing: [] })),
};

export const samples: Samples = {
  'A trainer looks at the results of a quiz': results([...attempts, begun]),
  'A quiz has two attempts': results(attempts.slice(1, 3)),
  'A quiz has one attempt': results([rosa]),
  'Some attempts are not graded or not marked': results([...attempts.slice(0, 2), survey, essay]),
  'A quiz over two months, with first and second attempts': results(
    attempts.flatMap((first, n) => [
      { ...first, date_submitted: new Date('2026-09-14T10:00:00Z') },
      { ...attempts[n < 2 ? 5 : n]!, response_id: `r-again-${n}`, attempt: 2 },
    ]),
  ),
  'A survey': results([survey]),
  'Nobody has submitted the quiz, and two people have started': results([begun, { ...begun, response_id: 'r-2' }]),
  'Nobody has started the quiz': results([]),
  'Who failed, over all quizzes': ofAll(),
  'Who failed, over more quizzes than are looked at in one go': ofAll({ read: 30, left: 112, nextFrom: 31 }),
  'Who failed, where only one quiz has some': ofAll({ found: failed.found.slice(1) }),
  'Nobody failed, over all quizzes': ofAll({ found: [] }),
  'Results with every filter': results([rosa], {
    outcome: 'passed',
    period: { since: '2026-11-15' },
    person: 'rosa',
    user: quizUser(),
    group: { group_id: 'g-1', group_name: 'Kitchen' },
  }),
  'Results of ungraded attempts of a person': results([essay], { outcome: 'ungraded', user: quizUser() }),
  'No attempt fits the filter': results([], { outcome: 'failed' }),
  'A quiz has more attempts than a table holds': results(
    Array.from({ length: 250 }, (_, n) => ({ ...rosa, response_id: `${'r'.repeat(150)}${n}` })),
  ),
  'An administrator looks at an attempt': attempt(
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
  'A trainer looks at a failed attempt': attempt({
    ...attempts[0]!,
    email_address: '',
    user_name: null,
    ip_address: '',
    access_code: '',
    certificate_url: null,
  }),
  'A trainer looks at an attempt that is not submitted': attempt({
    ...begun,
    email_address: '',
    user_name: null,
    ip_address: '',
    access_code: '',
    certificate_url: null,
  }),
  'A trainer looks at an attempt that is not started': attempt(
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
  'A trainer looks at the questions of a quiz': ofQuestions(),
  'A trainer looks at the questions of a quiz while its attempts are read': ofQuestions({
    attempts: 212,
    unread: 187,
    only: filterWords({ outcome: 'failed' }, nowMs),
  }),
  'The first attempts at a quiz are read for its questions': ofQuestions({ attempts: 7, unread: 7 }, 0),
  'A quiz has too few attempts for numbers of its questions': ofQuestions({ attempts: 4, read: 4 }, 0),
  'Each question of a quiz is in few attempts': ofQuestions({ attempts: 9, read: 9 }, 0),
  ...missing,
};
