import type { Cell } from '../../block-kit/tables.ts';
import { cellText } from '../../plain-text.ts';

export type Row = readonly Cell[];

/** By number where every cell of the column is one, else by alphabet, as Slack sorts data tables. */
export function sortRows(rows: readonly Row[], by: { column: number; isDescending: boolean }): readonly Row[] {
  if (by.column < 0) return rows;
  const cellOf = (row: Row): Cell | undefined => row[by.column];
  const compare = rows.every((row) => cellOf(row)?.type === 'raw_number') ? byNumber : byText;
  const sorted = rows.toSorted((a, b) => compare(cellOf(a), cellOf(b)));
  return by.isDescending ? sorted.toReversed() : sorted;
}

const numberOf = (cell: Cell | undefined): number => (cell?.type === 'raw_number' ? cell.value : 0);
const byNumber = (a: Cell | undefined, b: Cell | undefined): number => numberOf(a) - numberOf(b);
const textOf = (cell: Cell | undefined): string => (cell === undefined ? '' : cellText(cell));
const byText = (a: Cell | undefined, b: Cell | undefined): number =>
  textOf(a).localeCompare(textOf(b), undefined, { numeric: true });
