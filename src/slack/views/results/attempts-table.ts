import { fixedMoment } from '../../../time/date-words.ts';
import { resultWords, outcomeIcons, outcomeLabels, outcomeStates } from '../../../operations/wording/result-words.ts';
import type { DataTableBlock } from '@slack/types';
import { isGraded } from '../../../domain/submission-outcome.ts';
import { shortRespondentName } from '../../../domain/short-name.ts';
import { say } from '../../../domain/said.ts';
import { resultOf } from '../../../features/results/result-of.ts';
import type { QuizResponse } from '../../../quiz-api/responses.ts';
import { fittingRows, numberCell, rowLimit, textCell, unknownCell, type Cell } from '../blocks/data-table.ts';

const rowsOnPage = 10;

const nameLimit = 40;
const gradeLimit = 20;

/** A sortable table of the first attempts, as many as Slack accepts; undefined if there are none. */
export function attemptsTable(
  attempts: readonly QuizResponse[],
  timeZone: string,
): { block: DataTableBlock; shown: number } | undefined {
  const first = attempts.slice(0, rowLimit).map((attempt) => attemptCells(attempt, timeZone));
  const columns = columnsInOrder.filter((column) => first.some((cells) => cells[column] !== undefined));
  const titles = { ...columnTitles, submitted: say`Submitted (${timeZone})` };
  const header = columns.map((column) => textCell(titles[column]));
  const rows = fittingRows(
    header,
    first.map((cells) => columns.map((column) => cells[column] ?? unknownCell)),
  );
  const shown = rows.length - 1;
  return shown === 0
    ? undefined
    : {
        shown,
        block: { type: 'data_table', caption: say`Attempts, the last submitted first`, page_size: rowsOnPage, rows },
      };
}

/** An attempt in one line, for surfaces without tables. */
export function attemptLine(attempt: QuizResponse, timeZone: string): string {
  const result = resultOf(attempt);
  const { points, percentage, grade, attempt: number, duration } = result ? resultWords(result, gradeLimit) : {};
  const parts = [
    ...(result && !isGraded(result.outcome) ? [outcomeStates[result.outcome]] : []),
    percentage,
    points && say`${points} points`,
    grade && say`grade ${grade}`,
    number && say`attempt ${number}`,
    duration,
    attempt.date_submitted ? fixedMoment(attempt.date_submitted, timeZone) : undefined,
  ];
  const icon = result ? outcomeIcons[result.outcome] : '⏳';
  return say`${icon} *${shortRespondentName(attempt, nameLimit)}*${parts
    .filter((part) => part !== undefined)
    .map((part) => ` · ${part}`)
    .join('')}`;
}

/** Columns without a cell in any row are left out, such as the points of a survey. */
const columnTitles = {
  name: say`Name`,
  percentage: say`Percentage`,
  points: say`Points`,
  grade: say`Grade`,
  result: say`Result`,
  attempt: say`Attempt`,
  timeTaken: say`Time taken`,
};
const columnsInOrder = [...(Object.keys(columnTitles) as (keyof typeof columnTitles)[]), 'submitted'] as const;

/** Numbers and times are numeric cells, so that they sort by value. What the service does not say is undefined. */
function attemptCells(
  attempt: QuizResponse,
  timeZone: string,
): Record<(typeof columnsInOrder)[number], Cell | undefined> {
  const result = resultOf(attempt);
  const words = result ? resultWords(result, gradeLimit) : {};
  const { date_submitted } = attempt;
  return {
    name: textCell(shortRespondentName(attempt, nameLimit)),
    percentage: numberCell(result?.percentage, words.percentage),
    points: numberCell(result?.points, words.points),
    grade: words.grade === undefined ? undefined : textCell(words.grade),
    result: result && textCell(`${outcomeIcons[result.outcome]} ${outcomeLabels[result.outcome]}`),
    attempt: numberCell(result?.attempt, words.attempt),
    timeTaken: numberCell(result?.durationSeconds, words.duration),
    submitted: date_submitted ? numberCell(date_submitted.getTime(), fixedMoment(date_submitted, timeZone)) : undefined,
  };
}
