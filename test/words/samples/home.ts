import type { OutcomeCounts } from '../../../src/domain/submission-outcome.ts';
import type { Right } from '../../../src/operations/context.ts';
import type { AssignedQuizResult } from '../../../src/features/quizzes/assigned-quizzes.ts';
import { catalog } from '../../../src/operations/catalog.ts';
import { commandsView, homeView, sorryView, type HomeFacts } from '../../../src/slack/views/home.ts';
import { serviceUp } from '../../support/builders/findings.ts';
import { alertsStatus } from '../../support/builders/alerts.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { actor } from '../../support/builders/users.ts';
import type { Sample } from '../sample.ts';

const nothing: HomeFacts = { openQuizzes: [], own: undefined, requests: [], status: undefined, messages: 'on' };

function home(user: Parameters<typeof actor>[0], rights: readonly Right[], facts: Partial<HomeFacts>, isOwner = false) {
  const standing = {
    actor: { ...actor(user), isOwner },
    operations: catalog,
    rights: new Set(rights),
    refusal: () => undefined,
  };
  return homeView(standing, { ...nothing, ...facts }, 'UTC');
}

const openQuiz = (
  name: string,
  counts: Partial<OutcomeCounts> | undefined,
  assigned = 0,
): HomeFacts['openQuizzes'][number] => ({
  quiz: { quiz_id: name, name, status: 'open', date_created: null },
  counts: counts && { submitted: 0, passed: 0, failed: 0, unmarked: 0, ...counts },
  assigned,
});

const own = (overrides: Partial<AssignedQuizResult>): AssignedQuizResult => ({
  quiz_id: 'q-1',
  name: 'Food hygiene',
  date_assigned: '2026-11-03 09:00:00',
  response_id: null,
  date_submitted: null,
  points: null,
  available_points: null,
  percentage_score: null,
  grade: '',
  pass: null,
  duration: null,
  attempt: null,
  status: null,
  outcome: null,
  isDue: true,
  takeUrl: 'https://quiz.example/take/q-1',
  earlier: [],
  ...overrides,
});
const taken = own({
  name: 'Fire safety',
  isDue: false,
  takeUrl: undefined,
  response_id: 'r-1',
  date_submitted: '2026-11-10 10:00:00',
  points: 9,
  available_points: 10,
  percentage_score: 90,
  pass: true,
  attempt: 1,
  status: 'submitted',
  outcome: 'passed',
});

const status = {
  health: serviceUp,
  unreadable: [],
  requestsLeft: [
    { windowMs: 60_000, left: 58, limit: 60 },
    { windowMs: 3_600_000, left: 1_990, limit: 2_000 },
  ],
  alerts: alertsStatus(),
  undelivered: { count: 0, lastAt: undefined },
};

export const samples: readonly Sample[] = [
  {
    when: 'A respondent with quizzes to take and results',
    shown: home({}, ['known'], {
      own: {
        quizzes: [own({}), own({ name: 'Essay', status: 'not_submitted' }), taken],
        leftOut: 2,
        isStillReading: true,
      },
    }),
  },
  {
    when: 'A respondent with nothing to take, who stopped the messages',
    shown: home({}, ['known'], { own: { quizzes: [taken], leftOut: 0, isStillReading: false }, messages: 'off' }),
  },
  {
    when: 'A respondent with more quizzes to take than fit',
    shown: home({}, ['known'], {
      own: {
        quizzes: Array.from({ length: 12 }, () => own({ takeUrl: undefined })),
        leftOut: 0,
        isStillReading: false,
      },
    }),
  },
  {
    when: 'A trainer with work to do',
    shown: home(
      { user_type: 'trainer', first_name: 'Erin', last_name: 'Castellanos' },
      ['known', 'staff', 'edit_quizzes'],
      {
        openQuizzes: [
          openQuiz('Food hygiene', { submitted: 12, passed: 9, failed: 3 }),
          openQuiz('Essay', { submitted: 12, passed: 6, failed: 2, unmarked: 4 }),
          openQuiz('Short essay', { submitted: 1, unmarked: 1 }),
          openQuiz('Team survey', { submitted: 1 }),
          openQuiz('Fire drill', {}, 12),
          openQuiz('Ladders', {}, 1),
          openQuiz('Forklifts', {}),
          openQuiz('First aid', undefined),
        ],
        requests: [approvalRequest({ expiresAt: Date.UTC(2026, 10, 22, 9) })],
      },
    ),
  },
  {
    when: 'A trainer with more open quizzes and requests than fit',
    shown: home({ user_type: 'trainer' }, ['known', 'staff'], {
      openQuizzes: Array.from({ length: 14 }, (_, index) => openQuiz(`Quiz ${index + 1}`, undefined)),
      requests: Array.from({ length: 6 }, () => approvalRequest({ expiresAt: Date.UTC(2026, 10, 22, 9) })),
    }),
  },
  {
    when: 'An administrator',
    shown: home(
      { user_type: 'administrator', first_name: 'Ada', last_name: 'Okafor' },
      ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'],
      { status },
    ),
  },
  {
    when: 'An owner without a quiz user',
    shown: home(
      undefined,
      ['known', 'staff', 'edit_quizzes', 'manage_users', 'manage_groups', 'administrator'],
      { messages: undefined },
      true,
    ),
  },
  { when: 'A person without access', shown: sorryView('Guests of this workspace can’t use the quiz account.') },
  { when: 'The commands behind the button', shown: commandsView([]) },
];
