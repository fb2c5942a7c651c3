import type { DataTableBlock } from '@slack/types';
import { lengthInAnyLanguage } from '../../../domain/said.ts';

export type Cell = DataTableBlock['rows'][number][number];

/** Slack’s limits for tables in a message: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export const rowLimit = 100;
export const columnLimit = 20;
export const characterLimit = 10_000;

/** What is not known. */
export const unknownCell = textCell('–');

/** Its content is taken for words from outside. */
export function textCell(content: string): Cell {
  return { type: 'raw_text', text: content };
}

/** Sorts by its value. Undefined where there is none. */
export function numberCell(value: number | null | undefined, shown: string | undefined): Cell | undefined {
  return typeof value === 'number' && shown !== undefined ? { type: 'raw_number', value, text: shown } : undefined;
}

/** A header row and as many of the rows as Slack accepts. */
export function fittingRows(header: readonly Cell[], rows: readonly (readonly Cell[])[]): Cell[][] {
  const fitting = [[...header]];
  let characters = charactersIn(header);
  for (const row of rows.slice(0, rowLimit)) {
    characters += charactersIn(row);
    if (characters > characterLimit) break;
    fitting.push([...row]);
  }
  return fitting;
}

function charactersIn(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => sum + ('text' in cell ? lengthInAnyLanguage(cell.text) : 0), 0);
}
