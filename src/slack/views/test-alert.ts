import type { Subscription } from '../../storage/subscription.ts';
import type { Message } from './message.ts';
import { context, md, section } from './mrkdwn.ts';
import { submissionMessage } from './submission.ts';

/** What an alert of the subscription looks like, with nobody's result in it. */
export function testAlertMessage({ quiz, which, how, timeZone, showsNames }: Pick<Subscription, 'quiz' | 'which' | 'how' | 'timeZone' | 'showsNames'>): Message {
  const passed = which.kind !== 'failed' && which.kind !== 'below';
  const percentage = which.kind === 'below' ? Math.max(0, Math.min(40, which.percentage - 1)) : passed ? 90 : 40;
  const sample = submissionMessage(
    {
      quizId: '',
      quizName: quiz?.name ?? 'Sample quiz',
      responseId: '',
      name: 'Sam Sample',
      points: percentage / 10,
      availablePoints: 10,
      percentage,
      grade: which.kind === 'grade' ? which.grade : passed ? 'A' : 'F',
      passed,
      attempt: 1,
      durationSeconds: 245,
      submittedAt: null,
      isLate: false,
    },
    { timeZone, showsNames },
  );
  return {
    text: `🧪 Test: ${sample.text}`,
    blocks: [
      section(md`🧪 *This is a test.* Nobody submitted anything; an alert looks like this:`),
      ...sample.blocks,
      context(md`🧪 Test. Here, submissions come ${howWords(how, timeZone)}.`),
    ],
  };
}

function howWords(how: Subscription['how'], timeZone: string): string {
  if (how.kind === 'each') return 'in a message each, or in one where many come at once';
  if (how.kind === 'thread') return 'in a thread a quiz and day';
  return how.every === 'hour' ? 'summed up at every full hour' : `summed up daily at ${how.at} (${timeZone})`;
}
