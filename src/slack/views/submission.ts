import type { KnownBlock } from '@slack/types';
import type { ThreadCounts } from '../../domain/announcement.ts';
import type { Submission } from '../../domain/queue-entry.ts';
import { subscriptionWords } from '../../operations/subscription-words.ts';
import { percent } from './amounts.ts';
import { factSection, resultFacts, resultWords } from './facts.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, joinMrkdwn, md, section, shortText } from './mrkdwn.ts';
import { outcomeHeading, outcomeIcons, outcomeLabels, passedWords } from './outcome-words.ts';
import { quizHeading } from './quiz-summary.ts';
import { shownName, shownQuizName } from './shown-name.ts';

/** A submitted quiz: name (or initials) and result, without other personal data. */
export function submissionMessage(submission: Submission, { timeZone, showsNames }: { timeZone: string; showsNames: boolean }): Message {
  const { outcome, isBackfilled } = submission;
  const { percentage, grade } = resultWords(submission);
  const person = shownName(submission.name, showsNames);
  const quiz = shownQuizName(submission.quizName);
  const parts = [quiz, percentage, grade && `grade ${grade}`, isBackfilled ? 'late' : undefined, outcomeLabels[outcome].toLowerCase()];
  return {
    text: md`${outcomeIcons[outcome]} ${person}: ${parts.filter((part) => part !== undefined).join(', ')}`.mrkdwn,
    blocks: [
      section(outcomeHeading(outcome, person, quiz)),
      factSection(resultFacts(submission)),
      ...when(submission, timeZone),
    ],
  };
}

function when({ submittedAt, isBackfilled }: Submission, timeZone: string): KnownBlock[] {
  const parts = [
    ...(isBackfilled ? [md`⏰ Late: the quiz service’s webhook for it never came.`] : []),
    ...(submittedAt === null ? [] : [md`Submitted ${moment(new Date(submittedAt), timeZone)}`]),
  ];
  return parts.length === 0 ? [] : [context(joinMrkdwn(parts, ' '))];
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The message whose thread holds the submissions of a quiz on a day. */
export function threadMessage(thread: ThreadCounts, timeZone: string): Message {
  const { quizId, quizName, day, submitted, scored, percentagesTotal } = thread;
  const name = shownQuizName(quizName);
  const shownDay = dayFormat.format(new Date(`${day}T00:00:00Z`));
  const mean = scored === 0 ? '' : `mean ${percent(percentagesTotal / scored)}`;
  const counts = [`${submitted.toLocaleString('en')} submitted`, passedWords(thread), mean].filter((part) => part !== '').join(' · ');
  return {
    text: md`🧵 ${name}, ${shownDay}: ${counts}`.mrkdwn,
    blocks: [quizHeading({ quizId, quizName }, md`🧵 *${name}* · ${shownDay}\n${counts}`), context(md`The submissions of this day (${timeZone}) are in the thread.`)],
  };
}

const wordsLimit = 1_000;

/** A sample of the subscription's alerts, with the result of an invented person. */
export function testAlertMessage(subscription: Parameters<typeof subscriptionWords>[0]): Message {
  const { quiz, filter, timeZone, showsNames } = subscription;
  const outcome = filter.kind === 'ungraded' ? 'unmarked' : filter.kind === 'failed' || filter.kind === 'below' ? 'failed' : 'passed';
  const percentage = filter.kind === 'below' ? Math.max(0, Math.min(40, filter.percentage - 1)) : outcome === 'passed' ? 90 : 40;
  const sample = submissionMessage(
    {
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
