import { shortName } from '../../../domain/short-name.ts';
import { percent, rounded, passedWords } from '../../../operations/wording/result-words.ts';
import { drawChart, textChart } from '../blocks/chart.ts';
import { type Chart, type Fact } from '../../../operations/page.ts';
import type { ActionsBlock, KnownBlock, SectionBlock } from '@slack/types';
import { gradedIn, passRateOf } from '../../../domain/submission-outcome.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { exportResults } from '../../../features/results/export-results.ts';
import { showResults } from '../../../features/results/show-results.ts';
import { formatFilter, type ResultsFilter } from '../../../features/results/filter.ts';
import { histogramOf, type Scores, type Statistics } from '../../../features/results/statistics.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { attemptLine, attemptsTable } from './attempts-table.ts';
import { operationButton } from '../blocks/buttons.ts';

import { factSection } from '../blocks/facts.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sections, plain } from '../blocks/mrkdwn.ts';
import { attemptOption } from '../../form/options.ts';
import { blockIdFor } from '../blocks/block-id.ts';

type Results = Extract<OperationResult, { kind: 'results' }>;

/** Action ID of the attempt picker; its block ID names the quiz. */
export const attemptPickerId = 'attempt';
const blockIdPrefix = 'results of ';
/** Slack's limits: https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const optionLimit = 100;
const optionValueLimit = 150;
/** Lines that replace the table; they fit into about twenty sections. */
const linesAtMost = 100;

/** The results of a quiz: figures, chart, attempts and next steps. */
export function resultsMessage(results: Results, timeZone: string): Message {
  const { quiz, only, submitted, percentages, statistics } = results;
  const heading = say`📊 *${shortName(quiz.name)}*: results${only === '' ? '' : say`, only ${only}`}`;
  const top = [section(heading), summary(results)];
  const actions = actionRow(results, timeZone);
  const text = `${heading}. ${inWords(results)}`;
  const table = attemptsTable(submitted, timeZone);
  if (table === undefined) return { text, blocks: [...top, ...actions] };

  const charts = (draw: typeof drawChart) => (percentages.length === 0 ? [] : [draw(histogramChart(percentages))]);
  const lines = submitted.slice(0, linesAtMost).map((attempt) => attemptLine(attempt, timeZone));
  return {
    text,
    blocks: [...top, ...charts(drawChart), table.block, ...more(statistics.submitted - table.shown), ...actions],
    plain: [...top, ...charts(textChart), ...sections(lines), ...more(statistics.submitted - lines.length), ...actions],
  };
}

/** Reads the quiz ID from the block ID of an attempt picker. */
export function quizIdOfResults(blockId: string): string | undefined {
  return blockId.startsWith(blockIdPrefix) ? blockId.slice(blockIdPrefix.length).split(' ', 1)[0] : undefined;
}

function summary({ statistics, filter, only }: Results): SectionBlock {
  const { submitted, begun, scores } = statistics;
  if (submitted === 0) {
    const nothing = only === '' ? say`Nobody has submitted it yet.` : say`No submitted attempt fits.`;
    const started =
      begun > 0
        ? [say`${amount(begun)} ${begun === 1 ? 'attempt is' : 'attempts are'} started and not submitted.`]
        : [];
    return section(joinSaid([nothing, ...started], ' '));
  }
  return factSection([
    [say`Submitted`, countOf(submitted, 'attempt', 'attempts')],
    ...outcomeFacts(statistics, filter),
    ...(scores ? scoreFacts(scores) : []),
    ...(begun > 0 ? [[say`Started, not submitted`, String(begun)] satisfies Fact] : []),
  ]);
}

/** Where the filter asks for one outcome, only the kinds of ungraded attempts are distinguished. */
function outcomeFacts(statistics: Statistics, { outcome }: ResultsFilter): Fact[] {
  const { submitted, passed, unmarked } = statistics;
  const graded = gradedIn(statistics);
  const rate = passRateOf(statistics);
  const notGraded = submitted - graded - unmarked;
  const share =
    rate === undefined ? '' : graded === submitted ? percent(rate) : say`${percent(rate)} of ${graded} graded`;
  return [
    ...(rate === undefined || outcome ? [] : [[say`Passed`, `${passed} (${share})`] satisfies Fact]),
    ...(notGraded > 0 ? [[say`Not graded`, String(notGraded)] satisfies Fact] : []),
    ...(unmarked > 0 ? [[say`Waiting to be marked`, String(unmarked)] satisfies Fact] : []),
  ];
}

/** Fewer attempts have no median, range and deviation that say more than the attempts themselves. */
const fewestForMedian = 2;
const fewestForDeviation = 5;

function scoreFacts({ count, mean, median, lowest, highest, deviation }: Scores): Fact[] {
  if (count < fewestForMedian) return [[say`Average`, percent(mean)]];
  const range = `${percent(lowest)} – ${percent(highest)}`;
  return [
    [say`Average`, percent(mean)],
    [say`Median`, percent(median)],
    [say`Range`, count < fewestForDeviation ? range : `${range}, ${say`standard deviation ${rounded(deviation)}`}`],
  ];
}

function inWords({ statistics, filter: { outcome } }: Results): string {
  const { submitted, scores } = statistics;
  if (submitted === 0) return say`None submitted.`;
  const rate = passRateOf(statistics);
  const isAllGraded = gradedIn(statistics) === submitted;
  const parts = [
    say`${submitted} submitted`,
    ...(isAllGraded
      ? rate === undefined || outcome
        ? []
        : [say`${percent(rate)} passed`]
      : [passedWords(statistics)]),
    ...(scores ? [say`average ${percent(scores.mean)}`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** The distribution of percentages. */
export function histogramChart(percentages: readonly number[]): Chart {
  return {
    title: say`Attempts by percentage`,
    name: say`Attempts`,
    points: histogramOf(percentages).map(({ from, to, count }) => ({ label: `${from}–${to}`, value: count })),
    xLabel: say`Percentage`,
    yLabel: say`Attempts`,
  };
}

/** Filters by result and the rest are in the form, so that the row stays short. */
function actionRow(results: Results, timeZone: string): ActionsBlock[] {
  const { quiz, only, statistics, submitted } = results;
  const options = submitted
    .filter(({ response_id }) => response_id.length <= optionValueLimit)
    .slice(0, optionLimit)
    .map((response) => attemptOption(response, timeZone));
  const isFiltered = only !== '';
  const elements: ActionsBlock['elements'] = [
    ...(options.length > 0
      ? [
          {
            type: 'static_select' as const,
            action_id: attemptPickerId,
            placeholder: plain(say`View an attempt…`),
            options,
          },
        ]
      : []),
    ...(isFiltered && statistics.submitted === 0
      ? operationButton('all', {
          text: say`Show all`,
          doing: 'replace',
          operation: showResults,
          raw: { quiz: [quiz.quiz_id] },
        })
      : []),
    ...(statistics.submitted > 0 || isFiltered
      ? operationButton('filter', {
          text: say`Filter…`,
          doing: 'form',
          operation: showResults,
          raw: textInputOf(results),
        })
      : []),
    ...(statistics.submitted + statistics.begun > 0
      ? operationButton('csv', {
          text: say`CSV file`,
          doing: 'beside',
          operation: exportResults,
          raw: textInputOf(results),
        })
      : []),
  ];
  return elements.length === 0
    ? []
    : [{ type: 'actions', block_id: blockIdFor(`${blockIdPrefix}${quiz.quiz_id}`, elements), elements }];
}

function textInputOf({ quiz, filter, user, group }: Results): Record<string, string[]> {
  const typed = formatFilter(filter);
  return {
    quiz: [quiz.quiz_id],
    ...(typed && { filter: [typed] }),
    ...(user && { user: [user.user_id] }),
    ...(group && { group: [group.group_id] }),
  };
}

function more(left: number): KnownBlock[] {
  return left > 0 ? [context(say`…and ${amount(left)} more. The CSV file has all of them.`)] : [];
}
