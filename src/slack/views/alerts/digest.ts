import type { KnownBlock } from '@slack/types';
import type { DigestItem } from '../../../domain/announcement.ts';
import { quizzesInBrief, quizzesInFull } from '../../../domain/digest-parts.ts';
import { addCounts, countOutcomes, gradedIn, type OutcomeCounts } from '../../../domain/submission-outcome.ts';
import type { Digest, DigestOfQuiz } from '../../../domain/queue-entry.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { filterWords } from '../../../operations/subscription-words.ts';
import { percent } from '../blocks/amounts.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { barChart, textChart } from '../blocks/chart.ts';
import type { Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { context, joinMrkdwn, md, type Mrkdwn, notification, section, sections, shortText } from '../blocks/mrkdwn.ts';
import { passedWords } from '../blocks/outcome-words.ts';
import { firstQuizzes, quizHeading } from '../quizzes/quiz-summary.ts';
import { histogramChart } from '../results/results.ts';
import { listedName, shownQuizName } from '../blocks/shown-name.ts';

/** A message takes two charts. */
const chartsAtMost = 2;
/** A chart of fewer says less than the figures. */
const scoresInChart = 5;
/** With fewer graded submissions, an average changes by chance. */
const comparedFrom = 5;
const filterLimit = 100;

type DigestSubscription = Pick<Subscription, 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/**
 * The submissions of an hour or a day, summed up: the first quizzes in full, more in a line each, the rest counted. Names
 * the people in `failedNames`; other failed submissions are counted. All counts are of submissions.
 */
export function digestMessage(digest: Digest, subscription: DigestSubscription): Message {
  const { quizzes } = digest;
  const { timeZone } = subscription;
  const title = titleOf(subscription);
  const all = quizzes.reduce(addCounts, countOutcomes([]));
  const inFull = quizzes.slice(0, quizzesInFull);
  const charted = new Set(
    inFull.filter(({ percentages }) => percentages.length >= scoresInChart).slice(0, chartsAtMost),
  );
  const totals = [
    say`${amount(all.submitted)} ${all.submitted === 1 ? 'submission' : 'submissions'} to ${countOf(quizzes.length, 'quiz', 'quizzes')}`,
    ...passed(all, subscription),
    ...correctedWords(quizzes.reduce((sum, { corrected = 0 }) => sum + corrected, 0)),
  ];
  // The only quiz has the same counts.
  const [only] = quizzes.length === 1 ? quizzes : [];
  const blocksWith = (chart: typeof barChart): KnownBlock[] => [
    section(only ? md`🗞️ *${title}*` : md`🗞️ *${title}*\n${totals.join(' · ')}`),
    context(md`${moment(new Date(digest.from), timeZone)} – ${moment(new Date(digest.to), timeZone)}`),
    ...inFull.flatMap((quiz): KnownBlock[] => [
      { type: 'divider' },
      quizHeading(
        quiz,
        joinMrkdwn(
          [
            md`*${shownQuizName(quiz.quizName)}*`,
            md`${figuresOf(quiz, subscription).join(' · ')}`,
            ...comparison(quiz),
          ],
          '\n',
        ),
      ),
      ...(charted.has(quiz) ? [chart(histogramChart(quiz.percentages))] : []),
      ...failedBlocks(quiz, subscription),
    ]),
    ...otherQuizzes(quizzes.slice(quizzesInFull), subscription),
  ];
  return {
    text: notification(
      only
        ? md`🗞️ ${title}: ${shownQuizName(only.quizName)}, ${figuresOf(only, subscription).join(', ')}`
        : md`🗞️ ${title}: ${totals.join(', ')}: ${firstQuizzes(quizzes)}`,
    ),
    blocks: blocksWith(barChart),
    ...(charted.size > 0 && { plain: blocksWith(textChart) }),
  };
}

/** What the digest's message counts without naming it, for the thread of that message. */
export function digestRestMessage(items: readonly DigestItem[], subscription: DigestSubscription): Message {
  const title = md`${titleOf(subscription)}, continued`;
  const quizzes = [...Map.groupBy(items, ({ quiz }) => quiz.quizId).values()];
  const lines = quizzes.flatMap((own) => [
    ...own.slice(0, 1).map(({ quiz }) => quizLine(quiz, subscription)),
    ...own.flatMap(({ name }) => (name === undefined ? [] : [md`❌ ${listedName(name, subscription.showsNames)}`])),
  ]);
  return {
    text: notification(
      md`🗞️ ${title}: ${firstQuizzes(quizzes.flatMap((own) => own.slice(0, 1).map(({ quiz }) => quiz)))}`,
    ),
    blocks: sections([md`🗞️ *${title}*`, ...lines]),
  };
}

function titleOf({ delivery, filter }: DigestSubscription): string {
  const period = delivery.kind === 'digest' && delivery.every === 'hour' ? say`Hourly digest` : say`Daily digest`;
  return [period, ...filterWords(filter).map((words) => shortText(words, filterLimit))].join(', ');
}

function quizLine(quiz: DigestOfQuiz, subscription: DigestSubscription): Mrkdwn {
  const change = changeOf(quiz);
  return md`*${shownQuizName(quiz.quizName)}* · ${figuresOf(quiz, subscription).join(' · ')}${change ? ` (${change.inBrief})` : ''}`;
}

function figuresOf(quiz: DigestOfQuiz, subscription: DigestSubscription): string[] {
  const average = quiz.mean === null ? [] : [say`average ${percent(quiz.mean)}`];
  const corrected = correctedWords(quiz.corrected ?? 0);
  if (quiz.submitted === 0) return corrected;
  return [
    countOf(quiz.submitted, 'submission', 'submissions'),
    ...passed(quiz, subscription),
    ...average,
    ...corrected,
  ];
}

/** Corrections of results from earlier digests. */
function correctedWords(count: number): string[] {
  return count === 0 ? [] : [say`✏️ ${amount(count)} ${count === 1 ? 'earlier result' : 'earlier results'} corrected`];
}

/** Empty where the subscription filters by result: a pass rate among failed submissions tells nothing. */
function passed(counts: OutcomeCounts, { filter }: DigestSubscription): string[] {
  return filter.kind === 'all' || filter.kind === 'ungraded' ? [passedWords(counts)] : [];
}

function comparison(quiz: DigestOfQuiz): Mrkdwn[] {
  const change = changeOf(quiz);
  return change ? [change.line] : [];
}

/**
 * The average compared with the week before, in whole percentage points: `up 3 points`, and a line of its own. Undefined where
 * either has too few graded submissions to tell.
 */
function changeOf({ mean, percentages, weekBefore }: DigestOfQuiz): { inBrief: string; line: Mrkdwn } | undefined {
  if (mean === null || weekBefore === undefined || weekBefore.mean === null) return undefined;
  if (Math.min(percentages.length, weekBefore.graded) < comparedFrom) return undefined;
  const points = Math.round(Math.abs(mean - weekBefore.mean));
  if (points === 0) return { inBrief: say`unchanged`, line: md`➡️ Average unchanged from last week` };
  const words = countOf(points, 'point', 'points');
  return mean > weekBefore.mean
    ? { inBrief: say`up ${words}`, line: md`📈 Average up ${words} from last week` }
    : { inBrief: say`down ${words}`, line: md`📉 Average down ${words} from last week` };
}

function failedBlocks(quiz: DigestOfQuiz, { filter, showsNames }: DigestSubscription): KnownBlock[] {
  const { submitted, failed, failedNames } = quiz;
  const graded = gradedIn(quiz);
  if (graded === 0) return [];
  if (failed === 0 && filter.kind !== 'all') return [];
  if (failed === 0)
    return [context(graded === submitted ? md`✅ Everyone passed.` : md`✅ Everyone graded so far passed.`)];
  const names = failedNames.map((name) => md`${listedName(name, showsNames)}`);
  const left = failed - names.length;
  if (names.length === 0) return [section(md`❌ *${amount(failed)} failed*, named in the thread`)];
  const more = left > 0 ? [md`and ${amount(left)} more in the thread`] : [];
  return [section(md`❌ *${amount(failed)} failed:* ${joinMrkdwn([...names, ...more], ', ')}`)];
}

function otherQuizzes(quizzes: readonly DigestOfQuiz[], subscription: DigestSubscription): KnownBlock[] {
  const inBrief = quizzes.slice(0, quizzesInBrief);
  const left = quizzes.slice(quizzesInBrief);
  const submissions = left.reduce((sum, { submitted }) => sum + submitted, 0);
  if (inBrief.length === 0) return [];
  return [
    { type: 'divider' },
    ...sections(inBrief.map((quiz) => quizLine(quiz, subscription))),
    ...(inBrief.some(({ failed }) => failed > 0) ? [context(md`❌ The thread names who failed these quizzes.`)] : []),
    ...(left.length > 0
      ? [
          context(
            md`…and ${countOf(submissions, 'submission', 'submissions')} to ${countOf(left.length, 'other quiz', 'other quizzes')}, in the thread.`,
          ),
        ]
      : []),
  ];
}
