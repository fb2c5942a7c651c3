import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { say } from '../../../domain/said.ts';
import type { SubmissionOutcome } from '../../../domain/submission-outcome.ts';
import type { Submission } from '../../../domain/queue-entry.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { specText } from './alerts.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { submissionLine } from './submission.ts';

/** A sample of what a subscription announces, with the result of an invented person. */
export function testAlertMessage(
  subscription: Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>,
): Message {
  const sample = sampleSubmission(subscription);
  const { showsNames, quiz } = subscription;
  const spec = specText(subscription);
  return {
    text: say`🧪 Test: ${submissionLine(sample, showsNames, (name) => say`${name}`)}`,
    blocks: [
      section(say`🧪 *This is a test.* Nobody submitted anything. A submission looks like this:`),
      section(submissionLine(sample, showsNames, (name) => say`*${name}*`)),
      context(
        quiz === null
          ? say`🧪 This channel is subscribed to results of every quiz: ${spec}`
          : say`🧪 This channel is subscribed to results of *${shownQuizName(quiz.name)}*: ${spec}`,
      ),
    ],
  };
}

function sampleSubmission({ quiz, filter }: Pick<Subscription, 'quiz' | 'filter'>): Submission {
  const outcome: SubmissionOutcome =
    filter.kind === 'ungraded' ? 'unmarked' : filter.kind === 'failed' || filter.kind === 'below' ? 'failed' : 'passed';
  const percentage =
    filter.kind === 'below' ? Math.max(0, Math.min(40, filter.percentage - 1)) : outcome === 'passed' ? 90 : 40;
  return {
    quizId: '',
    quizName: quiz?.name ?? 'Sample quiz',
    responseId: '',
    name: 'Sam Sample',
    points: percentage / 10,
    availablePoints: 10,
    percentage,
    grade: filter.kind === 'grade' ? filter.grade : { passed: 'A', failed: 'F', unmarked: '' }[outcome],
    outcome,
    attempt: 1,
    durationSeconds: 245,
    submittedAt: null,
    isBackfilled: false,
  };
}
