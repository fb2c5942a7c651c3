import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { outcomeIcons, passedWords } from '../../../operations/wording/result-words.ts';
import { moment } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import type { AnnouncedSubmission, Posting } from '../../../domain/announcement.ts';
import { countOutcomes, type OutcomeCounts } from '../../../domain/submission-outcome.ts';
import { countOf, say, joinSaid } from '../../../domain/said.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sectionTexts } from '../blocks/mrkdwn.ts';
import { firstQuizzes, quizHeading } from '../quizzes/quiz-summary.ts';
import { earlierWords, isOtherTime, resultLine } from './submission.ts';

interface QuizSubmissions extends OutcomeCounts {
  quizId: string;
  quizName: string;
  items: AnnouncedSubmission[];
}

const gradeLimit = 20;
const minuteMs = 60_000;

/** Submissions that waited, as one message: the quiz with most of them first, and in each quiz the earliest first. */
export function submissionsMessage(items: readonly AnnouncedSubmission[], posting: Posting): Message {
  const quizzes = quizzesOf(items);
  const isSingle = quizzes.length === 1;
  const total = say`${iconOf(items)} *${counted(items)}* to ${countOf(quizzes.length, 'quiz', 'quizzes')} · ${passedWords(countsOf(items))}`;
  return {
    text: notificationOf(items, quizzes),
    blocks: [
      ...(isSingle ? [] : [section(total)]),
      ...quizzes.flatMap((quiz): KnownBlock[] => {
        const heading = isSingle ? say`${iconOf(items)} ${countsLine(quiz)}` : countsLine(quiz);
        const [first, ...others] = sectionTexts([heading, ...quiz.items.map(knownPersonLine)]);
        return [quizHeading(quiz, first!), ...others.map(section)];
      }),
      ...footer(items, posting),
    ],
  };
}

/** The quiz with most submissions first. */
function quizzesOf(items: readonly AnnouncedSubmission[]): QuizSubmissions[] {
  const quizzes = Map.groupBy(items, ({ submission }) => submission.quizId);
  return [...quizzes]
    .map(([quizId, own]) => ({
      quizId,
      quizName: own.at(-1)?.submission.quizName ?? '',
      items: own.toSorted((a, b) => submittedMs(a) - submittedMs(b)),
      ...countsOf(own),
    }))
    .toSorted((a, b) => b.items.length - a.items.length);
}

function submittedMs({ submission }: AnnouncedSubmission): number {
  return submission.submittedAt ?? Number.MAX_SAFE_INTEGER;
}

/** The line of a single submission tells its outcome. */
function countsLine(quiz: QuizSubmissions): string {
  const passed = quiz.submitted === 1 ? '' : ` · ${passedWords(quiz)}`;
  return say`*${shownQuizName(quiz.quizName)}* · ${counted(quiz.items)}${passed}`;
}

/** Corrections and first results are never in the same message. */
function areCorrections(items: readonly AnnouncedSubmission[]): boolean {
  return items.some(({ submission }) => submission.corrects !== undefined);
}

function iconOf(items: readonly AnnouncedSubmission[]): string {
  return areCorrections(items) ? '✏️' : '📬';
}

function counted(items: readonly AnnouncedSubmission[]): string {
  return areCorrections(items)
    ? countOf(items.length, 'corrected result', 'corrected results')
    : countOf(items.length, 'submission', 'submissions');
}

function countsOf(items: readonly AnnouncedSubmission[]): OutcomeCounts {
  return countOutcomes(items.map(({ submission }) => submission.outcome));
}

/** Lines by item: whether items fit into a message is tried with several numbers of them. */
const personLines = new WeakMap<AnnouncedSubmission, string>();

function knownPersonLine(item: AnnouncedSubmission): string {
  const line = personLines.get(item) ?? personLine(item);
  personLines.set(item, line);
  return line;
}

function personLine({ submission, showsNames }: AnnouncedSubmission): string {
  const { outcome, name, isBackfilled, corrects } = submission;
  const before = corrects ? ` · ${say`before: ${earlierWords(corrects)}`}` : '';
  return say`${outcomeIcons[outcome]} *${listedName(name, showsNames)}* · ${resultLine(submission, gradeLimit)}${before}${isBackfilled ? ` · ${say`⏰ late`}` : ''}`;
}

function footer(items: readonly AnnouncedSubmission[], { timeZone, postedAt }: Posting): KnownBlock[] {
  const times = items.flatMap(({ submission }) => submission.submittedAt ?? []);
  const first = times.reduce((a, b) => Math.min(a, b), Infinity);
  const last = times.reduce((a, b) => Math.max(a, b), 0);
  const isBackfilled = items.some(({ submission }) => submission.isBackfilled);
  const parts = [
    ...(times.some((time) => isOtherTime(time, postedAt)) ? [submittedWords(first, last, timeZone)] : []),
    ...(isBackfilled ? [say`⏰ Late: the quiz service’s webhook never arrived.`] : []),
  ];
  return parts.length > 0 ? [context(joinSaid(parts, ' '))] : [];
}

/** In minutes, as readers see them. */
function submittedWords(first: number, last: number, timeZone: string): string {
  const isOneMinute = Math.floor(first / minuteMs) === Math.floor(last / minuteMs);
  const from = moment(first, timeZone);
  return isOneMinute ? say`Submitted ${from}.` : say`Submitted from ${from} to ${moment(last, timeZone)}.`;
}

function notificationOf(items: readonly AnnouncedSubmission[], quizzes: readonly QuizSubmissions[]): string {
  const [icon, total] = [iconOf(items), counted(items)];
  const passed = passedWords(countsOf(items));
  const [only, ...others] = quizzes;
  if (only && others.length === 0) return say`${icon} ${shownQuizName(only.quizName)}: ${total}, ${passed}`;
  return say`${icon} ${total} to ${countOf(quizzes.length, 'quiz', 'quizzes')}, ${passed}: ${firstQuizzes(quizzes)}`;
}
