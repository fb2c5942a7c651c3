import type { KnownBlock } from '@slack/types';
import type { AnnouncedSubmission } from '../../domain/announcement.ts';
import { countOutcomes, isGraded, type OutcomeCounts } from '../../domain/outcome.ts';
import { countOf } from './amounts.ts';
import { resultWords } from './facts.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, joinMrkdwn, md, notification, section, sectionTexts, shortText, type Mrkdwn } from './mrkdwn.ts';
import { outcomeIcons, outcomeLabels, passedWords } from './outcome-words.ts';
import { firstQuizzes, quizHeading } from './quiz-summary.ts';
import { listedName, shownQuizName } from './shown-name.ts';

interface QuizSubmissions extends OutcomeCounts {
  quizId: string;
  quizName: string;
  items: AnnouncedSubmission[];
}

const gradeLimit = 20;
const minuteMs = 60_000;

/** Submissions that waited, as one message: the quiz with most of them first, and in each quiz the earliest first. */
export function submissionsMessage(items: readonly AnnouncedSubmission[], timeZone: string): Message {
  const quizzes = quizzesOf(items);
  const isSingle = quizzes.length === 1;
  const total = md`📬 *${countOf(items.length, 'submission', 'submissions')}* to ${countOf(quizzes.length, 'quiz', 'quizzes')}, ${passedWords(countsOf(items))}`;
  return {
    text: notification(notificationOf(items, quizzes)),
    blocks: [
      ...(isSingle ? [] : [section(total)]),
      ...quizzes.flatMap((quiz): KnownBlock[] => {
        const heading = isSingle ? md`📬 ${countsLine(quiz)}` : countsLine(quiz);
        const [first, ...others] = sectionTexts([heading, ...quiz.items.map(knownPersonLine)]);
        return [quizHeading(quiz, first!), ...others.map(section)];
      }),
      ...footer(items, timeZone),
    ],
  };
}

/** The quiz with most submissions first. */
function quizzesOf(items: readonly AnnouncedSubmission[]): QuizSubmissions[] {
  const quizzes = Map.groupBy(items, ({ submission }) => submission.quizId);
  return [...quizzes]
    .map(([quizId, own]) => ({ quizId, quizName: own.at(-1)?.submission.quizName ?? '', items: own.toSorted((a, b) => submittedMs(a) - submittedMs(b)), ...countsOf(own) }))
    .toSorted((a, b) => b.items.length - a.items.length);
}

function submittedMs({ submission }: AnnouncedSubmission): number {
  return submission.submittedAt ?? Number.MAX_SAFE_INTEGER;
}

function countsLine(quiz: QuizSubmissions): Mrkdwn {
  return md`*${shownQuizName(quiz.quizName)}*: ${quiz.submitted.toLocaleString('en')} submitted, ${passedWords(quiz)}`;
}

function countsOf(items: readonly AnnouncedSubmission[]): OutcomeCounts {
  return countOutcomes(items.map(({ submission }) => submission.outcome));
}

/** Lines by item: whether items fit into a message is tried with several numbers of them. */
const personLines = new WeakMap<AnnouncedSubmission, Mrkdwn>();

function knownPersonLine(item: AnnouncedSubmission): Mrkdwn {
  const line = personLines.get(item) ?? personLine(item);
  personLines.set(item, line);
  return line;
}

function personLine({ submission, showsNames }: AnnouncedSubmission): Mrkdwn {
  const { outcome, isBackfilled } = submission;
  const { percentage, grade } = resultWords(submission);
  const parts = [
    `${outcomeIcons[outcome]} ${listedName(submission.name, showsNames)}`,
    ...(isGraded(outcome) ? [] : [outcomeLabels[outcome].toLowerCase()]),
    percentage,
    grade && shortText(grade, gradeLimit),
    isBackfilled ? '⏰ late' : undefined,
  ];
  return md`${parts.filter((part) => part !== undefined).join(' · ')}`;
}

function footer(items: readonly AnnouncedSubmission[], timeZone: string): KnownBlock[] {
  const times = items.flatMap(({ submission }) => submission.submittedAt ?? []);
  const first = times.reduce((a, b) => Math.min(a, b), Infinity);
  const last = times.reduce((a, b) => Math.max(a, b), 0);
  const isBackfilled = items.some(({ submission }) => submission.isBackfilled);
  const parts = [
    ...(times.length > 0 ? [submittedWords(first, last, timeZone)] : []),
    ...(isBackfilled ? [md`⏰ Late: the quiz service’s webhook never came.`] : []),
  ];
  return parts.length > 0 ? [context(joinMrkdwn(parts, ' '))] : [];
}

/** In minutes, as readers see them. */
function submittedWords(first: number, last: number, timeZone: string): Mrkdwn {
  const isOneMinute = Math.floor(first / minuteMs) === Math.floor(last / minuteMs);
  const from = moment(new Date(first), timeZone);
  return isOneMinute ? md`Submitted ${from}.` : md`Submitted from ${from} to ${moment(new Date(last), timeZone)}.`;
}

function notificationOf(items: readonly AnnouncedSubmission[], quizzes: readonly QuizSubmissions[]): Mrkdwn {
  const total = countOf(items.length, 'submission', 'submissions');
  const passed = passedWords(countsOf(items));
  const [only, ...others] = quizzes;
  if (only && others.length === 0) return md`📬 ${shownQuizName(only.quizName)}: ${total}, ${passed}`;
  return md`📬 ${total} to ${countOf(quizzes.length, 'quiz', 'quizzes')}, ${passed}: ${firstQuizzes(quizzes)}`;
}
