import type { KnownBlock } from '@slack/types';
import type { DigestItem } from '../../domain/announcement.ts';
import { quizzesInBrief, quizzesInFull } from '../../domain/digest-parts.ts';
import { filterWords } from '../../operations/subscription-words.ts';
import { addCounts, countOutcomes, gradedIn } from '../../domain/outcome.ts';
import type { Digest, DigestOfQuiz } from '../../domain/queue-entry.ts';
import type { Subscription } from '../../domain/subscription.ts';
import { countOf, percent, rounded } from './amounts.ts';
import { barChart, textChart } from './chart.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { context, joinMrkdwn, md, type Mrkdwn, notification, section, sections, shortText } from './mrkdwn.ts';
import { passedWords } from './outcome-words.ts';
import { firstQuizzes, quizHeading } from './quiz-summary.ts';
import { histogramChart } from './results.ts';
import { listedName, shownQuizName } from './shown-name.ts';

/** A message takes two charts. */
const chartsAtMost = 2;
/** A chart of fewer says less than the figures. */
const scoresInChart = 5;
/** With fewer graded submissions, a mean changes by chance. */
const comparedFrom = 5;
const filterLimit = 100;

type DigestSubscription = Pick<Subscription, 'filter' | 'delivery' | 'timeZone' | 'showsNames'>;

/**
 * The submissions of an hour or a day, summed up: the first quizzes in full, more in a line each, the rest counted. Names
 * the people in `failedNames`; other people who failed are counted.
 */
export function digestMessage(digest: Digest, subscription: DigestSubscription): Message {
  const { quizzes } = digest;
  const { timeZone, showsNames } = subscription;
  const title = titleOf(subscription);
  const all = quizzes.reduce(addCounts, countOutcomes([]));
  const totals = md`${countOf(all.submitted, 'submission', 'submissions')} to ${countOf(quizzes.length, 'quiz', 'quizzes')}, ${passedWords(all)}`;
  const period = md`${moment(new Date(digest.from), timeZone)} to ${moment(new Date(digest.to), timeZone)}`;
  const inFull = quizzes.slice(0, quizzesInFull);
  const charted = new Set(inFull.filter(({ percentages }) => percentages.length >= scoresInChart).slice(0, chartsAtMost));
  const blocksWith = (chart: typeof barChart): KnownBlock[] => [
    section(md`🗞️ *${title}* · ${period}\n${totals}`),
    ...inFull.flatMap((quiz): KnownBlock[] => [
      { type: 'divider' },
      quizHeading(quiz, joinMrkdwn([md`*${shownQuizName(quiz.quizName)}*`, md`${figuresOf(quiz)}`, ...comparison(quiz)], '\n')),
      ...(charted.has(quiz) ? [chart(histogramChart(quiz.percentages))] : []),
      ...failedBlocks(quiz, showsNames),
    ]),
    ...otherQuizzes(quizzes.slice(quizzesInFull)),
  ];
  return {
    text: notification(md`🗞️ ${title}: ${totals}: ${firstQuizzes(quizzes)}`),
    blocks: blocksWith(barChart),
    ...(charted.size > 0 && { plain: blocksWith(textChart) }),
  };
}

/** What the digest's message counts without naming it, for the thread of that message. */
export function digestRestMessage(items: readonly DigestItem[], subscription: DigestSubscription): Message {
  const title = md`${titleOf(subscription)}, continued`;
  const quizzes = [...Map.groupBy(items, ({ quiz }) => quiz.quizId).values()];
  const lines = quizzes.flatMap((own) => [
    ...own.slice(0, 1).map(({ quiz }) => quizLine(quiz)),
    ...own.flatMap(({ name }) => (name === undefined ? [] : [md`❌ ${listedName(name, subscription.showsNames)}`])),
  ]);
  return {
    text: notification(md`🗞️ ${title}: ${firstQuizzes(quizzes.flatMap((own) => own.slice(0, 1).map(({ quiz }) => quiz)))}`),
    blocks: sections([md`🗞️ *${title}*`, ...lines]),
  };
}

function titleOf({ delivery, filter }: DigestSubscription): string {
  const period = delivery.kind === 'digest' && delivery.every === 'hour' ? 'Hourly digest' : 'Daily digest';
  return [period, ...filterWords(filter).map((words) => shortText(words, filterLimit))].join(', ');
}

function quizLine(quiz: DigestOfQuiz): Mrkdwn {
  return md`*${shownQuizName(quiz.quizName)}*: ${figuresOf(quiz)}${briefComparison(quiz)}`;
}

function figuresOf(quiz: DigestOfQuiz): string {
  const mean = quiz.mean === null ? '' : `mean ${percent(quiz.mean)}`;
  return [`${quiz.submitted.toLocaleString('en')} submitted`, passedWords(quiz), mean].filter((part) => part !== '').join(' · ');
}

/** Nothing where either week has too few graded submissions. */
function comparison(quiz: DigestOfQuiz): Mrkdwn[] {
  const change = changeOf(quiz);
  if (change === undefined) return [];
  const { difference, isUp, before, graded } = change;
  const words = `${percent(before)} with ${countOf(graded, 'submission', 'submissions')}`;
  if (difference === '0') return [md`➡️ Mean as in the week before (${words})`];
  return [isUp ? md`🔼 Mean up ${difference} on the week before (${words})` : md`🔽 Mean down ${difference} on the week before (${words})`];
}

/** ` 🔼 3.2`, the same in brief. */
function briefComparison(quiz: DigestOfQuiz): string {
  const change = changeOf(quiz);
  if (change === undefined) return '';
  if (change.difference === '0') return ' ➡️';
  return change.isUp ? ` 🔼 ${change.difference}` : ` 🔽 ${change.difference}`;
}

/** The mean compared with the week before; undefined where either has too few submissions to tell. */
function changeOf({ mean, percentages, weekBefore }: DigestOfQuiz): { difference: string; isUp: boolean; before: number; graded: number } | undefined {
  if (mean === null || weekBefore === undefined || weekBefore.mean === null) return undefined;
  const { mean: before, graded } = weekBefore;
  if (Math.min(percentages.length, graded) < comparedFrom) return undefined;
  return { difference: rounded(Math.abs(mean - before)), isUp: mean > before, before, graded };
}

function failedBlocks(quiz: DigestOfQuiz, showsNames: boolean): KnownBlock[] {
  const { submitted, failed: count, failedNames } = quiz;
  const graded = gradedIn(quiz);
  if (graded === 0) return [];
  if (count === 0) return [context(graded === submitted ? md`✅ Everybody passed.` : md`✅ Everybody who is graded passed.`)];
  const names = failedNames.map((name) => md`${listedName(name, showsNames)}`);
  const left = count - names.length;
  const more = left > 0 ? [names.length > 0 ? md`and ${left.toLocaleString('en')} more in the thread` : md`${countOf(left, 'person', 'people')}, named in the thread`] : [];
  return [section(md`❌ *Not passed:* ${joinMrkdwn([...names, ...more], ', ')}`)];
}

function otherQuizzes(quizzes: readonly DigestOfQuiz[]): KnownBlock[] {
  const inBrief = quizzes.slice(0, quizzesInBrief);
  const left = quizzes.slice(quizzesInBrief);
  const submissions = left.reduce((sum, { submitted }) => sum + submitted, 0);
  if (inBrief.length === 0) return [];
  return [
    { type: 'divider' },
    ...sections(inBrief.map(quizLine)),
    ...(inBrief.some(({ failed }) => failed > 0) ? [context(md`❌ The thread names the people who did not pass these quizzes.`)] : []),
    ...(left.length > 0 ? [context(md`…and ${countOf(submissions, 'submission', 'submissions')} to ${countOf(left.length, 'other quiz', 'other quizzes')}, in the thread.`)] : []),
  ];
}
