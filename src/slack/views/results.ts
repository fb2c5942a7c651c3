import type { ActionsBlock, KnownBlock, SectionBlock } from '@slack/types';
import { gradedIn, outcomeFilters, passRateOf } from '../../domain/outcome.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { exportResults, showResults } from '../../operations/results.ts';
import { formatFilter, type ResultsFilter } from '../../operations/results/filter.ts';
import { histogramOf, scoredPercentages, type Scores, type Statistics } from '../../operations/results/statistics.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { blockIdFor } from './block-id.ts';
import { percent, rounded } from './amounts.ts';
import { attemptLine, attemptsTable } from './attempts-table.ts';
import { operationButton } from './buttons.ts';
import { barChart, textChart, type BarChart } from './chart.ts';
import { factSection, type Fact } from './facts.ts';
import type { Message } from './message.ts';
import { context, md, plain, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';
import { passedWords } from './outcome-words.ts';
import { attemptOption } from './options.ts';

type Results = Extract<OperationResult, { kind: 'results' }>;

/** Action ID of the attempt picker; its block ID names the quiz. */
export const attemptPickerId = 'attempt';
const blockIdPrefix = 'results of ';
/** Slack's limits: https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const optionLimit = 100;
const optionValueLimit = 150;
/** Lines that replace the table; they fit into about twenty sections. */
const linesAtMost = 100;

/** The results of a quiz: figures, chart, table and next steps. */
export function resultsMessage(results: Results, timeZone: string): Message {
  const { quiz, filter, statistics, submitted } = results;
  const heading = md`📊 *${shortName(quiz.name)}*: results${onlyWords(filter)}`;
  const top = [section(heading), summary(statistics, filter)];
  const actions = actionRow(results, timeZone);
  const text = `${heading.mrkdwn}. ${inWords(statistics, filter)}`;
  const table = attemptsTable(submitted, timeZone);
  if (table === undefined) return { text, blocks: [...top, ...actions] };

  const percentages = scoredPercentages(submitted);
  const charts = (draw: typeof barChart) => (percentages.length === 0 ? [] : [draw(histogramChart(percentages))]);
  const lines = submitted.slice(0, linesAtMost).map((attempt) => attemptLine(attempt, timeZone));
  return {
    text,
    blocks: [...top, ...charts(barChart), table.block, ...more(submitted.length - table.shown), ...actions],
    plain: [...top, ...charts(textChart), ...sections(lines), ...more(submitted.length - lines.length), ...actions],
  };
}

/** Reads the quiz ID from the block ID of an attempt picker. */
export function quizIdOfResults(blockId: string): string | undefined {
  return blockId.startsWith(blockIdPrefix) ? blockId.slice(blockIdPrefix.length).split(' ', 1)[0] : undefined;
}

function summary(statistics: Statistics, filter: ResultsFilter): SectionBlock {
  const { submitted, begun, scores } = statistics;
  if (submitted === 0) {
    const nothing = md`${formatFilter(filter) === '' ? 'Nobody has submitted it yet.' : 'No submitted attempt fits.'}`;
    return begun > 0 ? section(md`${nothing} ${begun} begun, not submitted.`) : section(nothing);
  }
  return factSection([
    ['Submitted', String(submitted)],
    ...(begun > 0 ? [['Begun, not submitted', String(begun)] satisfies Fact] : []),
    ...outcomeFacts(statistics, filter),
    ...(scores ? scoreFacts(scores) : []),
  ]);
}

/** Where the filter asks for one outcome, only the kinds of ungraded attempts are distinguished. */
function outcomeFacts(statistics: Statistics, { outcome }: ResultsFilter): Fact[] {
  const { submitted, passed, unmarked } = statistics;
  const graded = gradedIn(statistics);
  const rate = passRateOf(statistics);
  const notGraded = submitted - graded - unmarked;
  const share = rate === undefined ? '' : graded === submitted ? percent(rate) : `${percent(rate)} of ${graded} graded`;
  return [
    ...(rate === undefined || outcome ? [] : [['Passed', `${passed} (${share})`] satisfies Fact]),
    ...(notGraded > 0 ? [['Not graded', String(notGraded)] satisfies Fact] : []),
    ...(unmarked > 0 ? [['Waiting to be marked', String(unmarked)] satisfies Fact] : []),
  ];
}

function scoreFacts({ mean, median, lowest, highest, deviation }: Scores): Fact[] {
  return [
    ['Mean', percent(mean)],
    ['Median', percent(median)],
    ['Spread', `${percent(lowest)} to ${percent(highest)}, standard deviation ${rounded(deviation)}`],
  ];
}

function inWords(statistics: Statistics, { outcome }: ResultsFilter): string {
  const { submitted, scores } = statistics;
  if (submitted === 0) return 'None submitted.';
  const rate = passRateOf(statistics);
  const isAllGraded = gradedIn(statistics) === submitted;
  const parts = [
    `${submitted} submitted`,
    ...(isAllGraded ? (rate === undefined || outcome ? [] : [`${percent(rate)} passed`]) : [passedWords(statistics)]),
    ...(scores ? [`mean ${percent(scores.mean)}`, `median ${percent(scores.median)}`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** The distribution of percentages. */
export function histogramChart(percentages: readonly number[]): BarChart {
  return {
    title: 'How many attempts scored what',
    name: 'Attempts',
    points: histogramOf(percentages).map(({ from, to, count }) => ({ label: `${from}–${to}`, value: count })),
    xLabel: 'Percentage',
    yLabel: 'Attempts',
  };
}

function actionRow({ quiz, filter, statistics, submitted }: Results, timeZone: string): ActionsBlock[] {
  const show = (name: string, text: string, wanted: ResultsFilter) =>
    operationButton(name, { text, doing: 'replace', operation: showResults, raw: textInputOf(quiz, wanted) });
  const graded = gradedIn(statistics);
  const occurs = { graded: graded > 0 || filter.outcome !== undefined, ungraded: graded > 0 && graded < statistics.submitted };
  const others = outcomeFilters.filter((outcome) => outcome !== filter.outcome && occurs[outcome === 'ungraded' ? 'ungraded' : 'graded']);
  const options = submitted
    .filter(({ response_id }) => response_id.length <= optionValueLimit)
    .slice(0, optionLimit)
    .map((response) => attemptOption(response, timeZone));
  const hasFilter = formatFilter(filter) !== '';
  const elements: ActionsBlock['elements'] = [
    ...(options.length > 0 ? [{ type: 'static_select' as const, action_id: attemptPickerId, placeholder: plain('Look at one attempt…', 150), options }] : []),
    ...(statistics.submitted > 0 ? others.flatMap((outcome) => show(outcome, `Only ${outcome}`, { ...filter, outcome })) : []),
    ...(hasFilter ? show('all', 'Show all', {}) : []),
    ...(statistics.submitted > 0 || hasFilter ? operationButton('filter', { text: 'Filter…', doing: 'form', operation: showResults, raw: textInputOf(quiz, { ...filter, mention: undefined }) }) : []),
    ...(statistics.submitted + statistics.begun > 0 ? operationButton('csv', { text: 'CSV file', doing: 'beside', operation: exportResults, raw: textInputOf(quiz, filter) }) : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: blockIdFor(`${blockIdPrefix}${quiz.quiz_id}`, elements), elements }];
}

function textInputOf({ quiz_id }: Quiz, filter: ResultsFilter): Record<string, string[]> {
  const typed = formatFilter(filter);
  return { quiz: [quiz_id], ...(typed && { filter: [typed] }) };
}

function onlyWords(filter: ResultsFilter): Mrkdwn {
  const typed = mentionsInWords(formatFilter(filter));
  return typed === '' ? md`` : md`, only ${shortName(typed)}`;
}

function more(left: number): KnownBlock[] {
  return left > 0 ? [context(md`…and ${left} more: the CSV file has all.`)] : [];
}
