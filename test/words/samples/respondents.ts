import type { Submission } from '../../../src/domain/queues.ts';
import type { MessageChoice } from '../../../src/operations/services/people.ts';
import { turnMessages } from '../../../src/features/administration/own-settings.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { assignedPage, ownResultPage } from '../../../src/features/alerts/pages/submissions.ts';
import { drawn } from '../../support/as-sent.ts';
import { submission } from '../../support/builders/alerts.ts';
import { messageAfter, type Samples } from '../collect.ts';

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

export const samples: Samples = {
  'Someone assigned a quiz to the reader': assigned,
  'The reader stopped the message of Monday': withoutWeeks,
  'The reader turned it on again': await afterTurning(withoutWeeks, 'monday-on'),
  'The account has no address to take quizzes': drawn(
    assignedPage({ kind: 'assigned', quizName: 'Food hygiene', by: 'U00000TOM', takeUrl: undefined }),
  ),
  'The reader passed': result({}, 'https://quiz.example/report/1'),
  'The reader passed with a grade': result({ grade: 'B' }),
  'The reader passed, and the service says no score': result({ percentage: null, points: null, availablePoints: null }),
  'The reader failed': result(
    { outcome: 'failed', points: 4, percentage: 50 },
    undefined,
    'https://quiz.example/take/q-1',
  ),
  'The reader passed at the second attempt, and the service says no score': result({
    percentage: null,
    points: null,
    availablePoints: null,
    attempt: 2,
  }),
  'The reader failed at the second attempt': result({
    outcome: 'failed',
    points: 4,
    percentage: 50,
    attempt: 2,
    grade: 'F',
  }),
  'The reader failed, and the service says no score': result({
    outcome: 'failed',
    percentage: null,
    points: null,
    availablePoints: null,
  }),
  'The result that the reader got is corrected': result({
    corrects: { outcome: 'failed', points: 4, availablePoints: 8, percentage: 50, grade: '' },
  }),
  'A trainer marked what the reader submitted': result({
    corrects: { outcome: 'unmarked', points: null, availablePoints: null, percentage: null, grade: '' },
  }),
  'The reader submitted an essay': result({ quizName: 'Essay', outcome: 'unmarked', points: 0, percentage: 0 }),
  'The reader submitted a survey': result({
    quizName: 'Team survey',
    outcome: 'not graded',
    points: 0,
    availablePoints: 0,
    percentage: 0,
  }),
  'The reader stopped the messages': stopped,
  'The reader turned the messages on again': await afterTurning(stopped, 'on'),
};
