import type { Submission } from '../../../src/domain/queues.ts';
import type { MessageChoice } from '../../../src/operations/services/people.ts';
import { turnMessages } from '../../../src/features/administration/own-settings.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { assignedPage, ownResultPage } from '../../../src/features/alerts/pages/submissions.ts';
import { drawn } from '../../support/as-sent.ts';
import { submission } from '../../support/builders/alerts.ts';
import { messageAfter, type Sample } from '../sample.ts';

const result = (overrides: Partial<Submission>, reportUrl?: string, takeUrl?: string) =>
  drawn(
    ownResultPage({
      kind: 'own-result',
      takeUrl,
      submission: submission({
        quizName: 'Food hygiene',
        grade: '',
        points: 7,
        availablePoints: 8,
        percentage: 87.5,
        ...overrides,
      }),
      reportUrl,
    }),
  );

const assigned = drawn(
  assignedPage({
    kind: 'assigned',
    quizName: 'Food hygiene',
    by: 'U00000TOM',
    takeUrl: 'https://quiz.example/take/q-1',
  }),
);

const afterTurning = async (message: Message, to: MessageChoice) =>
  messageAfter(
    message,
    { operation: turnMessages, input: { to: [to] }, opens: 'button' },
    { ownSettings: { turnMessages: async () => {}, chooseLanguage: async () => {} } },
  );
const stopped = await afterTurning(assigned, 'off');
const withoutWeeks = await afterTurning(assigned, 'monday-off');

export const samples: readonly Sample[] = [
  { when: 'Someone assigned a quiz to the reader', shown: assigned },
  { when: 'The reader stopped the message of Monday', shown: withoutWeeks },
  { when: 'The reader turned it on again', shown: await afterTurning(withoutWeeks, 'monday-on') },
  {
    when: 'The account has no address to take quizzes',
    shown: drawn(assignedPage({ kind: 'assigned', quizName: 'Food hygiene', by: 'U00000TOM', takeUrl: undefined })),
  },
  { when: 'The reader passed', shown: result({}, 'https://quiz.example/report/1') },
  { when: 'The reader passed with a grade', shown: result({ grade: 'B' }) },
  {
    when: 'The reader passed, and the service says no score',
    shown: result({ percentage: null, points: null, availablePoints: null }),
  },
  {
    when: 'The reader failed',
    shown: result({ outcome: 'failed', points: 4, percentage: 50 }, undefined, 'https://quiz.example/take/q-1'),
  },
  {
    when: 'The reader passed at the second attempt, and the service says no score',
    shown: result({ percentage: null, points: null, availablePoints: null, attempt: 2 }),
  },
  {
    when: 'The reader failed at the second attempt',
    shown: result({ outcome: 'failed', points: 4, percentage: 50, attempt: 2, grade: 'F' }),
  },
  {
    when: 'The reader failed, and the service says no score',
    shown: result({ outcome: 'failed', percentage: null, points: null, availablePoints: null }),
  },
  {
    when: 'The result that the reader got is corrected',
    shown: result({
      corrects: { outcome: 'failed', points: 4, availablePoints: 8, percentage: 50, grade: '' },
    }),
  },
  {
    when: 'A trainer marked what the reader submitted',
    shown: result({
      corrects: { outcome: 'unmarked', points: null, availablePoints: null, percentage: null, grade: '' },
    }),
  },
  {
    when: 'The reader submitted an essay',
    shown: result({ quizName: 'Essay', outcome: 'unmarked', points: 0, percentage: 0 }),
  },
  {
    when: 'The reader submitted a survey',
    shown: result({ quizName: 'Team survey', outcome: 'not graded', points: 0, availablePoints: 0, percentage: 0 }),
  },
  { when: 'The reader stopped the messages', shown: stopped },
  { when: 'The reader turned the messages on again', shown: await afterTurning(stopped, 'on') },
];
