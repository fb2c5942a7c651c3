import { shownName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import {
  ordinal,
  percent,
  resultWords,
  outcomeIcons,
  outcomeLabels,
  outcomeStates,
  passedWords,
} from '../../../operations/wording/result-words.ts';
import type { KnownBlock } from '@slack/types';
import type { AnnouncedSubmission, Posting, ThreadCounts } from '../../../domain/announcement.ts';
import { isGraded, type SubmissionOutcome } from '../../../domain/submission-outcome.ts';
import type { Submission } from '../../../domain/queue-entry.ts';
import type { EarlierResult } from '../../../domain/known-submission.ts';
import { knownResult, type Result } from '../../../domain/result.ts';
import { showAttempt } from '../../../features/results/show-attempt.ts';
import { dateInWords, moment } from '../../../time/date-words.ts';
import { countOf, say, joinSaid } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { quizHeading } from '../quizzes/quiz-summary.ts';

/** One submission in one line, with a **View attempt** button. Shows a name (or initials) and the result, and no other personal data. */
export function submissionMessage({
  submission,
  showsNames,
  timeZone,
  postedAt,
}: AnnouncedSubmission & Posting): Message {
  const line = submissionLine(submission, showsNames, (name) => say`*${name}*`);
  const late = submission.corrects ? [say`(corrected)`] : submission.isBackfilled ? [say`(late)`] : [];
  return {
    text: joinSaid([submissionLine(submission, showsNames, (name) => say`${name}`), ...late], ' '),
    blocks: [
      { ...section(line), ...viewAttempt(submission, showsNames) },
      ...(submission.corrects ? [context(say`✏️ ${correctionWords(submission, submission.corrects)}`)] : []),
      ...submittedLine(submission, timeZone, postedAt),
    ],
  };
}

/** Such as `✅ *Rosa Almeida* passed *Fire safety* with 87.5% (7 of 8 points), grade B, 2nd attempt`. */
export function submissionLine(
  submission: Submission,
  showsNames: boolean,
  emphasize: (name: string) => string,
): string {
  const { outcome } = submission;
  const person = emphasize(shownName(submission.name, showsNames));
  const quiz = emphasize(shownQuizName(submission.quizName));
  const { score, attempt } = figuresOf(submission);
  const figures = [...score, ...attempt].join(', ');
  const sentence =
    score.length > 0
      ? withFigures(outcome, person, quiz, figures)
      : joinSaid([withoutFigures(outcome, person, quiz), ...attempt.map((words) => say`${words}`)], ', ');
  const ungraded = isGraded(outcome) ? '' : `. ${outcomeLabels[outcome]}.`;
  return say`${outcomeIcons[outcome]} ${sentence}${ungraded}`;
}

function withFigures(outcome: SubmissionOutcome, person: string, quiz: string, figures: string): string {
  switch (outcome) {
    case 'passed':
      return say`${person} passed ${quiz} with ${figures}`;
    case 'failed':
      return say`${person} failed ${quiz} with ${figures}`;
    case 'unmarked':
    case 'not graded':
      return say`${person} submitted ${quiz} with ${figures}`;
  }
}

function withoutFigures(outcome: SubmissionOutcome, person: string, quiz: string): string {
  switch (outcome) {
    case 'passed':
      return say`${person} passed ${quiz}`;
    case 'failed':
      return say`${person} failed ${quiz}`;
    case 'unmarked':
    case 'not graded':
      return say`${person} submitted ${quiz}`;
  }
}

/** The same figures as a list: `87.5% (7 of 8 points), grade B, 2nd attempt`; the outcome where there are none. */
export function resultLine(result: Result, longestGrade: number): string {
  const { score, attempt } = figuresOf(result, longestGrade);
  const outcome = isGraded(result.outcome) && score.length > 0 ? [] : [outcomeStates[result.outcome]];
  return [...outcome, ...score, ...attempt].join(', ');
}

/** Such as `Corrected. Before: failed, 60% (6 of 10 points), grade D`. */
function correctionWords(submission: Submission, before: EarlierResult): string {
  const was = earlierWords(before);
  return was === earlierWords(submission)
    ? say`Submitted again, with the same result.`
    : say`Corrected. Before: ${was}`;
}

/** The outcome and the figures of a result that was corrected. */
export function earlierWords(result: EarlierResult): string {
  const { score } = figuresOf({ ...result, attempt: null, durationSeconds: null }, longestEarlierGrade);
  return [outcomeStates[result.outcome], ...score].join(', ');
}

const longestEarlierGrade = 20;

/** Grades that only repeat the outcome. */
const redundantGrades: Partial<Record<SubmissionOutcome, RegExp>> = {
  passed: /^pass(?:ed)?$/i,
  failed: /^fail(?:ed)?$/i,
};

/** The figures in words: only what the service says, and a first attempt goes without saying. */
export function figuresOf(result: Result, longestGrade?: number): { score: string[]; attempt: string[] } {
  const { attempt, points, availablePoints } = knownResult(result);
  const words = resultWords(result, longestGrade);
  const pointsWords =
    words.points && ((availablePoints ?? points) === 1 ? say`${words.points} point` : say`${words.points} points`);
  const { percentage, grade } = words;
  const isRedundant = grade === undefined || redundantGrades[result.outcome]?.test(grade) === true;
  return {
    score: [
      ...(percentage
        ? [pointsWords ? `${percentage} (${pointsWords})` : percentage]
        : pointsWords
          ? [pointsWords]
          : []),
      ...(isRedundant ? [] : [/^grade\b/i.test(grade) ? grade : say`grade ${grade}`]),
    ],
    attempt: attempt !== null && attempt > 1 ? [say`${ordinal(attempt)} attempt`] : [],
  };
}

/** Opens the attempt for readers who may see it. Nothing where the ids are too long for a button. */
function viewAttempt({ quizId, responseId, name }: Submission, showsNames: boolean) {
  const [button] = operationButton('attempt', {
    text: say`View attempt`,
    doing: 'modal',
    operation: showAttempt,
    raw: { quiz: [quizId], response: [responseId] },
  });
  return (
    button && {
      accessory: {
        ...button,
        accessibility_label: say`View attempt of ${shownName(name, showsNames)}`,
      },
    }
  );
}

/** Submissions this close to the time of their message need no time of their own. */
const sameTimeMs = 5 * 60_000;

/** Whether readers would take the time of a message for the time of a submission, and be wrong. */
export function isOtherTime(submittedAt: number, postedAt: number): boolean {
  return Math.abs(postedAt - submittedAt) >= sameTimeMs;
}

function submittedLine({ submittedAt, isBackfilled }: Submission, timeZone: string, postedAt: number): KnownBlock[] {
  const submitted = submittedAt === null ? undefined : moment(submittedAt, timeZone);
  if (isBackfilled)
    return [
      context(
        submitted
          ? say`⏰ Late: submitted ${submitted}, but the quiz service’s webhook never arrived.`
          : say`⏰ Late: the quiz service’s webhook never arrived.`,
      ),
    ];
  return submitted && isOtherTime(submittedAt ?? 0, postedAt) ? [context(say`Submitted ${submitted}`)] : [];
}

/** The message whose thread holds the submissions of a quiz on a day. */
export function threadMessage(thread: ThreadCounts): Message {
  const { quizId, quizName, day, submitted, scored, percentagesTotal } = thread;
  const name = shownQuizName(quizName);
  const shownDay = dateInWords(new Date(`${day}T00:00:00Z`), 'weekday', 'UTC');
  const average = scored === 0 ? '' : say`average ${percent(percentagesTotal / scored)}`;
  const counts = [countOf(submitted, 'submission', 'submissions'), passedWords(thread), average].filter(
    (part) => part !== '',
  );
  return {
    text: say`🧵 ${name}, ${shownDay}: ${counts.join(', ')}`,
    blocks: [quizHeading({ quizId, quizName }, say`🧵 *${name}* · ${shownDay}\n${counts.join(' · ')}`)],
  };
}
