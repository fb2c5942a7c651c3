import type { ActionsBlock, DataTableBlock, KnownBlock, SectionBlock } from '@slack/types';
import { shortRespondentName } from '../../domain/short-name.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { exportResults, showResults } from '../../operations/results.ts';
import { formatFilter, type ResultsFilter } from '../../operations/results/filter.ts';
import { histogramOf, type Statistics } from '../../operations/results/statistics.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { blockIdFor } from './block-id.ts';
import { percent, rounded } from './amounts.ts';
import { operationButton } from './buttons.ts';
import { barChart, textChart, type BarChart } from './chart.ts';
import { factSection, type Fact } from './facts.ts';
import type { Message } from './message.ts';
import { duration, fixedMoment } from './moments.ts';
import { context, md, plain, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';
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

  const chart = histogramChart(submitted.map(({ percentage_score }) => percentage_score));
  const lines = submitted.slice(0, linesAtMost).map((attempt) => attemptLine(attempt, timeZone));
  return {
    text,
    blocks: [...top, barChart(chart), table.block, ...more(submitted.length - table.shown), ...actions],
    plain: [...top, textChart(chart), ...sections(lines), ...more(submitted.length - lines.length), ...actions],
  };
}

/** Reads the quiz ID from the block ID of an attempt picker. */
export function quizIdOfResults(blockId: string): string | undefined {
  return blockId.startsWith(blockIdPrefix) ? blockId.slice(blockIdPrefix.length).split(' ', 1)[0] : undefined;
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
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: blockIdFor(`${blockIdPrefix}${quiz.quiz_id}`, elements), elements }];
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

type Cell = DataTableBlock['rows'][number][number];

/** Slack's limits for tables in a message: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
const rowLimit = 100;
const characterLimit = 10_000;
const rowsOnPage = 10;

/** A sortable table of the first attempts, as many as Slack accepts; undefined if there are none. */
export function attemptsTable(attempts: readonly QuizResponse[], timeZone: string): { block: DataTableBlock; shown: number } | undefined {
  const header = ['Name', 'Percentage', 'Points', 'Grade', 'Result', 'Attempt', 'Time taken', `Submitted (${timeZone})`].map(textCell);
  const rows = [header];
  let characters = charactersIn(header);
  for (const attempt of attempts.slice(0, rowLimit)) {
    const row = attemptRow(attempt, timeZone);
    characters += charactersIn(row);
    if (characters > characterLimit) break;
    rows.push(row);
  }
  const shown = rows.length - 1;
  return shown === 0 ? undefined : { shown, block: { type: 'data_table', caption: 'Attempts, the last submitted first', page_size: rowsOnPage, rows } };
}

/** An attempt in one line, for surfaces without tables. */
export function attemptLine(attempt: QuizResponse, timeZone: string): Mrkdwn {
  const { pass, percentage_score, points, available_points, attempt: number, duration: seconds, date_submitted } = attempt;
  const when = date_submitted ? ` · ${fixedMoment(date_submitted, timeZone)}` : '';
  const score = `${percentage_score} % · ${points} of ${available_points} points · grade ${gradeCell(attempt)}`;
  return md`${pass ? '✅' : '❌'} *${shortRespondentName(attempt, 40)}* · ${score} · attempt ${number} · ${duration(seconds)}${when}`;
}

/** Numbers and times are numeric cells, so that they sort by value. */
function attemptRow(attempt: QuizResponse, timeZone: string): Cell[] {
  const { pass, percentage_score, points, available_points, attempt: number, duration: seconds, date_submitted } = attempt;
  return [
    textCell(shortRespondentName(attempt, 40)),
    numberCell(percentage_score, `${percentage_score} %`),
    numberCell(points, `${points} of ${available_points}`),
    textCell(gradeCell(attempt)),
    textCell(pass ? '✅ Passed' : '❌ Not passed'),
    numberCell(number, String(number)),
    numberCell(seconds, duration(seconds)),
    date_submitted ? numberCell(date_submitted.getTime(), fixedMoment(date_submitted, timeZone)) : textCell('unknown'),
  ];
}

function gradeCell({ grade }: QuizResponse): string {
  return shortName(grade, 20) || 'none';
}

function textCell(content: string): Cell {
  return { type: 'raw_text', text: content };
}

function numberCell(value: number, shown: string): Cell {
  return { type: 'raw_number', value, text: shown };
}

function charactersIn(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => sum + ('text' in cell ? cell.text.length : 0), 0);
}
