import type { ActionsBlock, KnownBlock, SectionBlock } from '@slack/types';
import type { OperationResult } from '../../operations/operation-result.ts';
import { exportResults, showResults } from '../../operations/results.ts';
import { formatFilter, type ResultsFilter } from '../../operations/results/filter.ts';
import { histogramOf, type Statistics } from '../../operations/results/statistics.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { percent, rounded } from './amounts.ts';
import { attemptLine, attemptsTable } from './attempts-table.ts';
import { operationButton } from './buttons.ts';
import { barChart, textChart, type BarChart } from './chart.ts';
import { factSection, type Fact } from './facts.ts';
import type { Message } from './message.ts';
import { context, md, plain, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';
import { attemptOption } from './options.ts';

type Results = Extract<OperationResult, { kind: 'results' }>;

/** The picker of an attempt; the id of its block tells the quiz. */
export const attemptPickerId = 'attempt';
const blockIdPrefix = 'results of ';
/** Slack’s limits: https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const optionLimit = 100;
const optionValueLimit = 150;
/** Lines in place of a table, which fit in some twenty sections. */
const linesAtMost = 100;

/** How a quiz went: figures, chart, table, and what one can do next. */
export function resultsMessage(results: Results, timeZone: string): Message {
  const { quiz, filter, statistics, submitted } = results;
  const heading = md`📊 *${shortName(quiz.name)}*: results${onlyWords(filter)}`;
  const top = [section(heading), summary(statistics, filter)];
  const actions = actionRow(results, timeZone);
  const text = `${heading.mrkdwn}. ${inWords(statistics, filter)}`;
  const table = attemptsTable(submitted, timeZone);
  if (table === undefined) return { text, blocks: [...top, ...actions] };

  const chart = histogramChart(submitted.map(({ percentage_score }) => percentage_score));
  const lines = submitted.slice(0, linesAtMost).map((attempt) => attemptLine(attempt, timeZone));
  return {
    text,
    blocks: [...top, barChart(chart), table.block, ...more(submitted.length - table.shown), ...actions],
    plain: [...top, textChart(chart), ...sections(lines), ...more(submitted.length - lines.length), ...actions],
  };
}

/** The quiz whose results a block belongs to. */
export function quizIdOfResults(blockId: string): string | undefined {
  return blockId.startsWith(blockIdPrefix) ? blockId.slice(blockIdPrefix.length) : undefined;
}

function summary({ submitted, begun, passed, scores }: Statistics, filter: ResultsFilter): SectionBlock {
  const unfinished: Fact[] = begun > 0 ? [['Begun, not submitted', String(begun)]] : [];
  if (scores === undefined) {
    const nothing = md`${formatFilter(filter) === '' ? 'Nobody has submitted it yet.' : 'No submitted attempt fits.'}`;
    return begun > 0 ? section(md`${nothing} ${begun} begun, not submitted.`) : section(nothing);
  }
  return factSection([
    ['Submitted', String(submitted)],
    ...unfinished,
    ...(filter.outcome ? [] : [['Passed', `${passed} (${percent(scores.passRate)})`] satisfies Fact]),
    ['Mean', percent(scores.mean)],
    ['Median', percent(scores.median)],
    ['Spread', `${percent(scores.lowest)} to ${percent(scores.highest)}, standard deviation ${rounded(scores.deviation)}`],
  ]);
}

function inWords({ submitted, scores }: Statistics, { outcome }: ResultsFilter): string {
  if (scores === undefined) return 'None submitted.';
  const passed = outcome ? '' : ` ${percent(scores.passRate)} passed,`;
  return `${submitted} submitted,${passed} mean ${percent(scores.mean)}, median ${percent(scores.median)}.`;
}

/** How many attempts scored what. */
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
  const others = (['passed', 'failed'] as const).filter((outcome) => outcome !== filter.outcome);
  const options = submitted
    .filter(({ response_id }) => response_id.length <= optionValueLimit)
    .slice(0, optionLimit)
    .map((response) => attemptOption(response, timeZone));
  const hasFilter = formatFilter(filter) !== '';
  const elements: ActionsBlock['elements'] = [
    ...(options.length > 0 ? [{ type: 'static_select' as const, action_id: attemptPickerId, placeholder: plain('Look at one attempt…', 150), options }] : []),
    ...(statistics.submitted > 0 ? others.flatMap((outcome) => show(outcome, outcomeWords[outcome], { ...filter, outcome })) : []),
    ...(hasFilter ? show('all', 'Show all', {}) : []),
    ...(statistics.submitted > 0 || hasFilter ? operationButton('filter', { text: 'Filter…', doing: 'form', operation: showResults, raw: textInputOf(quiz, filter) }) : []),
    ...(statistics.submitted + statistics.begun > 0 ? operationButton('csv', { text: 'CSV file', doing: 'beside', operation: exportResults, raw: textInputOf(quiz, filter) }) : []),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: `${blockIdPrefix}${quiz.quiz_id}`, elements }];
}

const outcomeWords = { passed: 'Only passed', failed: 'Only failed' };

function textInputOf({ quiz_id }: Quiz, filter: ResultsFilter): Record<string, string[]> {
  const typed = formatFilter(filter);
  return { quiz: [quiz_id], ...(typed && { filter: [typed] }) };
}

function onlyWords(filter: ResultsFilter): Mrkdwn {
  const typed = formatFilter(filter);
  return typed === '' ? md`` : md`, only ${shortName(typed)}`;
}

function more(left: number): KnownBlock[] {
  return left > 0 ? [context(md`…and ${left} more: the CSV file has all.`)] : [];
}
