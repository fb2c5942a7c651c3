import type { Digest, DigestOfQuiz } from '../../../domain/queues.ts';
import { amount, countOf, joinSaid, say, shortName } from '../../../domain/said.ts';
import { addCounts, countOutcomes, gradedIn, type OutcomeCounts } from '../../../domain/submission-outcome.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { runStep, type Page, type Part } from '../../../operations/page.ts';
import { filterWords } from '../../../operations/fields/subscription.ts';
import { passedWords, percent } from '../../../operations/wording/result-words.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { moment } from '../../../time/date-words.ts';
import { allResults } from '../../results/show-results.ts';
import { histogramChart } from '../../results/pages.ts';
import { firstQuizzes, resultsStep } from './submissions.ts';

/** Quizzes with all figures and people, then in a line each. */
const quizzesInFull = 6;
const quizzesInBrief = 20;
/** People who failed, of each quiz in full. */
const peopleNamed = 10;
/** A message takes two charts. */
const chartsAtMost = 2;
/** A chart of fewer says less than the figures. */
const scoresInChart = 5;
/** With fewer graded submissions, an average changes by chance. */
const comparedFrom = 5;
const filterLimit = 100;

type DigestSubscription = Pick<Subscription, 'filter' | 'delivery' | 'showsNames'>;

/**
 * The submissions of an hour or a day, summed up: the first quizzes in full, more in a line each, the rest counted, with a
 * button to all results. Of each quiz in full, it names the first people who failed. All counts are of submissions.
 */
export function digestPage({ quizzes, from, to }: Digest, subscription: DigestSubscription): Page {
  const title = titleOf(subscription);
  const all = quizzes.reduce(addCounts, countOutcomes([]));
  const inFull = quizzes.slice(0, quizzesInFull);
  const charted = new Set(
    inFull.filter(({ percentages }) => percentages.length >= scoresInChart).slice(0, chartsAtMost),
  );
  const totals = [
    say`${amount(all.submitted)} ${all.submitted === 1 ? 'submission' : 'submissions'} to ${countOf(quizzes.length, 'quiz', 'quizzes')}`,
    ...passed(all, subscription),
  ];
  // The only quiz has the same counts.
  const [only] = quizzes.length === 1 ? quizzes : [];
  return {
    heading: only ? say`🗞️ *${title}*` : say`🗞️ *${title}*\n${totals.join(' · ')}`,
    notification: only
      ? say`🗞️ ${title}: ${shownQuizName(only.quizName)}, ${figuresOf(only, subscription).join(', ')}`
      : say`🗞️ ${title}: ${totals.join(', ')}: ${firstQuizzes(quizzes)}`,
    parts: [
      { notes: [say`${moment(from)} – ${moment(to)}`] },
      ...inFull.flatMap((quiz): Part[] => [
        {
          isApart: true,
          lines: [
            say`*${shownQuizName(quiz.quizName)}*`,
            say`${figuresOf(quiz, subscription).join(' · ')}`,
            changeOf(quiz)?.line,
          ],
          beside: resultsStep(quiz),
          chart: charted.has(quiz) ? histogramChart(quiz.percentages) : undefined,
        },
        failedPart(quiz, subscription),
      ]),
      ...otherQuizzes(quizzes.slice(quizzesInFull), subscription),
    ],
  };
}

function titleOf({ delivery, filter }: DigestSubscription): string {
  const period = delivery.kind === 'digest' && delivery.every === 'hour' ? say`Hourly digest` : say`Daily digest`;
  return [period, ...filterWords(filter).map((words) => shortName(words, filterLimit))].join(', ');
}

function quizLine(quiz: DigestOfQuiz, subscription: DigestSubscription): string {
  const change = changeOf(quiz);
  return say`*${shownQuizName(quiz.quizName)}* · ${figuresOf(quiz, subscription).join(' · ')}${change ? ` (${change.inBrief})` : ''}`;
}

function figuresOf(quiz: DigestOfQuiz, subscription: DigestSubscription): string[] {
  const average = quiz.mean === null ? [] : [say`average ${percent(quiz.mean)}`];
  return [countOf(quiz.submitted, 'submission', 'submissions'), ...passed(quiz, subscription), ...average];
}

/** Empty where the subscription filters by result: a pass rate among failed submissions tells nothing. */
function passed(counts: OutcomeCounts, { filter }: DigestSubscription): string[] {
  return filter.kind === 'all' || filter.kind === 'ungraded' ? [passedWords(counts)] : [];
}

/**
 * The average compared with the week before, in whole percentage points: `up 3 points`, and a line of its own. Undefined where
 * either has too few graded submissions to tell.
 */
function changeOf({ mean, percentages, weekBefore }: DigestOfQuiz): { inBrief: string; line: string } | undefined {
  if (mean === null || weekBefore === undefined || weekBefore.mean === null) return undefined;
  if (Math.min(percentages.length, weekBefore.graded) < comparedFrom) return undefined;
  const points = Math.round(Math.abs(mean - weekBefore.mean));
  if (points === 0) return { inBrief: say`unchanged`, line: say`➡️ Average unchanged from last week` };
  const words = countOf(points, 'point', 'points');
  return mean > weekBefore.mean
    ? { inBrief: say`up ${words}`, line: say`📈 Average up ${words} from last week` }
    : { inBrief: say`down ${words}`, line: say`📉 Average down ${words} from last week` };
}

function failedPart(quiz: DigestOfQuiz, { filter, showsNames }: DigestSubscription): Part {
  const { submitted, failed, failedNames } = quiz;
  const graded = gradedIn(quiz);
  if (graded === 0 || (failed === 0 && filter.kind !== 'all')) return {};
  if (failed === 0)
    return { notes: [graded === submitted ? say`✅ Everyone passed.` : say`✅ Everyone graded so far passed.`] };
  const names = failedNames.slice(0, peopleNamed).map((name) => say`${listedName(name, showsNames)}`);
  const left = failed - names.length;
  const more = left > 0 ? [say`and ${amount(left)} more`] : [];
  return { lines: [say`❌ *${amount(failed)} failed:* ${joinSaid([...names, ...more], ', ')}`] };
}

function otherQuizzes(quizzes: readonly DigestOfQuiz[], subscription: DigestSubscription): Part[] {
  if (quizzes.length === 0) return [];
  const left = quizzes.slice(quizzesInBrief);
  const submissions = left.reduce((sum, { submitted }) => sum + submitted, 0);
  return [
    { isApart: true, lines: quizzes.slice(0, quizzesInBrief).map((quiz) => quizLine(quiz, subscription)) },
    {
      lines: [
        left.length > 0 &&
          say`…and ${countOf(submissions, 'submission', 'submissions')} to ${countOf(left.length, 'other quiz', 'other quizzes')}`,
      ],
      beside: runStep(say`All results`, allResults, {}),
    },
  ];
}
