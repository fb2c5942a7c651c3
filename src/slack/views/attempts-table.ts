import type { DataTableBlock } from '@slack/types';
import { shortRespondentName } from '../../domain/short-name.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { duration, fixedMoment } from './moments.ts';
import { md, shortName, type Mrkdwn } from './mrkdwn.ts';

type Cell = DataTableBlock['rows'][number][number];

/** Slack’s limits for the tables of a message: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
const rowLimit = 100;
const characterLimit = 10_000;
const rowsOnPage = 10;

/** Attempts as a table one can sort, as many of the first as Slack takes; undefined where there are none. */
export function attemptsTable(attempts: readonly QuizResponse[], timeZone: string): { block: DataTableBlock; shown: number } | undefined {
  const header = ['Name', 'Percentage', 'Points', 'Grade', 'Result', 'Attempt', 'Time taken', `Submitted (${timeZone})`].map(text);
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

/** An attempt in one line, where a table cannot stand. */
export function attemptLine(attempt: QuizResponse, timeZone: string): Mrkdwn {
  const { pass, percentage_score, points, available_points, attempt: number, duration: seconds, date_submitted } = attempt;
  const when = date_submitted ? ` · ${fixedMoment(date_submitted, timeZone)}` : '';
  const score = `${percentage_score} % · ${points} of ${available_points} points · grade ${gradeCell(attempt)}`;
  return md`${pass ? '✅' : '❌'} *${shortRespondentName(attempt, 40)}* · ${score} · attempt ${number} · ${duration(seconds)}${when}`;
}

/** Numbers and moments are cells that sort by their value and not by their letters. */
function attemptRow(attempt: QuizResponse, timeZone: string): Cell[] {
  const { pass, percentage_score, points, available_points, attempt: number, duration: seconds, date_submitted } = attempt;
  return [
    text(shortRespondentName(attempt, 40)),
    amount(percentage_score, `${percentage_score} %`),
    amount(points, `${points} of ${available_points}`),
    text(gradeCell(attempt)),
    text(pass ? '✅ Passed' : '❌ Not passed'),
    amount(number, String(number)),
    amount(seconds, duration(seconds)),
    date_submitted ? amount(date_submitted.getTime(), fixedMoment(date_submitted, timeZone)) : text('unknown'),
  ];
}

function gradeCell({ grade }: QuizResponse): string {
  return shortName(grade, 20) || 'none';
}

function text(content: string): Cell {
  return { type: 'raw_text', text: content };
}

function amount(value: number, shown: string): Cell {
  return { type: 'raw_number', value, text: shown };
}

function charactersIn(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => sum + ('text' in cell ? cell.text.length : 0), 0);
}
