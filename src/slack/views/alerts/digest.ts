import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import { percent, passedWords } from '../../../operations/wording/result-words.ts';
import { drawChart, textChart } from '../blocks/chart.ts';
import { moment } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import { addCounts, countOutcomes, gradedIn, type OutcomeCounts } from '../../../domain/submission-outcome.ts';
import type { Digest, DigestOfQuiz } from '../../../domain/queue-entry.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { filterWords } from '../../../operations/subscription-words.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { allResults } from '../../../features/results/all-results.ts';
import { operationButton } from '../blocks/buttons.ts';

import type { Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { firstQuizzes, quizHeading } from '../quizzes/quiz-summary.ts';
import { histogramChart } from '../../../features/results/pages.ts';

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

type DigestSubscription = Pick<Subscription, 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/**
 * The submissions of an hour or a day, summed up: the first quizzes in full, more in a line each, the rest counted, with a
 * button to all results. Of each quiz in full, it names the first people who failed. All counts are of submissions.
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
  ];
  // The only quiz has the same counts.
  const [only] = quizzes.length === 1 ? quizzes : [];
  const blocksWith = (chart: typeof drawChart): KnownBlock[] => [
    section(only ? say`🗞️ *${title}*` : say`🗞️ *${title}*\n${totals.join(' · ')}`),
    context(say`${moment(digest.from, timeZone)} – ${moment(digest.to, timeZone)}`),
    ...inFull.flatMap((quiz): KnownBlock[] => [
      { type: 'divider' },
      quizHeading(
        quiz,
        joinSaid(
          [
            say`*${shownQuizName(quiz.quizName)}*`,
            say`${figuresOf(quiz, subscription).join(' · ')}`,
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
    text: only
      ? say`🗞️ ${title}: ${shownQuizName(only.quizName)}, ${figuresOf(only, subscription).join(', ')}`
      : say`🗞️ ${title}: ${totals.join(', ')}: ${firstQuizzes(quizzes)}`,
    blocks: blocksWith(drawChart),
    ...(charted.size > 0 && { plain: blocksWith(textChart) }),
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

function comparison(quiz: DigestOfQuiz): string[] {
  const change = changeOf(quiz);
  return change ? [change.line] : [];
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

function failedBlocks(quiz: DigestOfQuiz, { filter, showsNames }: DigestSubscription): KnownBlock[] {
  const { submitted, failed, failedNames } = quiz;
  const graded = gradedIn(quiz);
  if (graded === 0) return [];
  if (failed === 0 && filter.kind !== 'all') return [];
  if (failed === 0)
    return [context(graded === submitted ? say`✅ Everyone passed.` : say`✅ Everyone graded so far passed.`)];
  const names = failedNames.slice(0, peopleNamed).map((name) => say`${listedName(name, showsNames)}`);
  const left = failed - names.length;
  const more = left > 0 ? [say`and ${amount(left)} more`] : [];
  return [section(say`❌ *${amount(failed)} failed:* ${joinSaid([...names, ...more], ', ')}`)];
}

function otherQuizzes(quizzes: readonly DigestOfQuiz[], subscription: DigestSubscription): KnownBlock[] {
  const inBrief = quizzes.slice(0, quizzesInBrief);
  const left = quizzes.slice(quizzesInBrief);
  const submissions = left.reduce((sum, { submitted }) => sum + submitted, 0);
  if (inBrief.length === 0) return [];
  return [
    { type: 'divider' },
    ...sections(inBrief.map((quiz) => quizLine(quiz, subscription))),
    ...(left.length > 0
      ? [
          withAllResults(
            say`…and ${countOf(submissions, 'submission', 'submissions')} to ${countOf(left.length, 'other quiz', 'other quizzes')}`,
          ),
        ]
      : []),
  ];
}

function withAllResults(text: string): KnownBlock {
  const [accessory] = operationButton('all-results', {
    text: say`All results`,
    doing: 'beside',
    operation: allResults,
    raw: {},
  });
  return { ...section(text), ...(accessory && { accessory }) };
}
