import type { KnownBlock } from '@slack/types';
import type { AnnouncedSubmission } from '../../domain/announcement.ts';
import { countOutcomes, isGraded, type OutcomeCounts } from '../../domain/outcome.ts';
import { countOf } from './amounts.ts';
import { resultWords } from './facts.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, joinMrkdwn, md, notification, section, sections, sectionTexts, shortText, type Mrkdwn } from './mrkdwn.ts';
import { outcomeIcons, outcomeLabels, passedWords } from './outcome-words.ts';
import { firstQuizzes, otherQuizzesLine, quizHeading } from './quiz-summary.ts';
import { listedName, shownQuizName } from './shown-name.ts';

interface QuizSubmissions extends OutcomeCounts {
  quizId: string;
  quizName: string;
  items: AnnouncedSubmission[];
}

/** Quizzes with the names of people: with their blocks, a message stays within Slack's 50. */
const quizzesInFull = 15;
/** Quizzes after those, with their counts alone. */
const quizzesInBrief = 20;
/** Characters in all blocks. Slack documents no limit, and refuses messages of some 13,000. */
const charactersAtMost = 12_000;
/** Reserved for a button and the number of people without a name, and for the footer. */
const charactersBesideHeading = 70;
const charactersAtEnd = 400;
const gradeLimit = 20;
const minuteMs = 60_000;

/**
 * Submissions that waited, as one message: the quiz with most of them first, and in each quiz the earliest first. People
 * without a place in the message are counted.
 */
export function submissionsMessage(items: readonly AnnouncedSubmission[], timeZone: string): Message {
  const quizzes = quizzesOf(items);
  const inFull = quizzes.slice(0, quizzesInFull);
  const inBrief = quizzes.slice(quizzesInFull, quizzesInFull + quizzesInBrief);
  const left = quizzes.slice(quizzesInFull + quizzesInBrief);
  const total = md`📬 *${countOf(items.length, 'submission', 'submissions')}* to ${countOf(quizzes.length, 'quiz', 'quizzes')}, ${passedWords(countsOf(items))}`;
  const isSingle = quizzes.length === 1;
  const headings = inFull.map((quiz) => (isSingle ? md`📬 ${countsLine(quiz)}` : countsLine(quiz)));
  const briefLines = inBrief.map(countsLine);
  const taken = [total, ...headings, ...briefLines].reduce((sum, { mrkdwn }) => sum + mrkdwn.length + charactersBesideHeading, charactersAtEnd);
  const named = fittingLines(inFull.map((quiz) => quiz.items.map(personLine)), charactersAtMost - taken);
  return {
    text: notification(notificationOf(items, quizzes)),
    blocks: [
      ...(isSingle ? [] : [section(total)]),
      ...inFull.flatMap((quiz, index): KnownBlock[] => {
        const lines = named[index] ?? [];
        const [first, ...others] = sectionTexts([headings[index]!, ...lines]);
        return [quizHeading(quiz, first!), ...others.map(section), ...more(quiz.items.length - lines.length)];
      }),
      ...sections(briefLines),
      ...(left.length > 0 ? [context(otherQuizzesLine(left))] : []),
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

/** The first lines of each list, within `charactersLeft` in all. Short lists stay whole before a long one is cut. */
function fittingLines(lists: readonly (readonly Mrkdwn[])[], charactersLeft: number): Mrkdwn[][] {
  const named: Mrkdwn[][] = lists.map(() => []);
  const shortestFirst = lists.map((lines, index) => ({ lines, index, length: lengthOf(lines) })).toSorted((a, b) => a.length - b.length);
  for (const [place, { lines, index }] of shortestFirst.entries()) {
    let share = charactersLeft / (lists.length - place);
    for (const line of lines) {
      share -= lengthOf([line]);
      if (share < 0) break;
      charactersLeft -= lengthOf([line]);
      named[index]?.push(line);
    }
  }
  return named;
}

/** Counts a line break after each line. */
function lengthOf(lines: readonly Mrkdwn[]): number {
  return lines.reduce((sum, { mrkdwn }) => sum + mrkdwn.length + 1, 0);
}

function more(left: number): KnownBlock[] {
  return left > 0 ? [context(md`…and ${left.toLocaleString('en')} more: *Results* names them.`)] : [];
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
