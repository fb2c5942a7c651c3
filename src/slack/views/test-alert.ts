import { subscriptionWords } from '../../operations/subscription-words.ts';
import type { Message } from './message.ts';
import { context, md, section, shortText } from './mrkdwn.ts';
import { submissionMessage } from './submission.ts';

const wordsLimit = 1_000;

/** A sample of the subscription's alerts, with the result of an invented person. */
export function testAlertMessage(subscription: Parameters<typeof subscriptionWords>[0]): Message {
  const { quiz, filter, timeZone, showsNames } = subscription;
  const passed = filter.kind !== 'failed' && filter.kind !== 'below';
  const percentage = filter.kind === 'below' ? Math.max(0, Math.min(40, filter.percentage - 1)) : passed ? 90 : 40;
  const sample = submissionMessage(
    {
      quizId: '',
      quizName: quiz?.name ?? 'Sample quiz',
      responseId: '',
      name: 'Sam Sample',
      points: percentage / 10,
      availablePoints: 10,
      percentage,
      grade: filter.kind === 'grade' ? filter.grade : passed ? 'A' : 'F',
      passed,
      attempt: 1,
      durationSeconds: 245,
      submittedAt: null,
      isBackfilled: false,
    },
    { timeZone, showsNames },
  );
  return {
    text: `🧪 Test: ${sample.text}`,
    blocks: [
      section(md`🧪 *This is a test.* Nobody submitted anything; an alert looks like this:`),
      ...sample.blocks,
      context(md`🧪 Test. This channel hears: ${shortText(subscriptionWords(subscription), wordsLimit)}.`),
    ],
  };
}
