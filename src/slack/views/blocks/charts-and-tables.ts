import type { Block, KnownBlock, DataTableBlock } from '@slack/types';
import { isolated } from '../../../domain/direction.ts';
import { isBlank } from '../../../domain/short-name.ts';
import { lengthInAnyLanguage, marks } from '../../../domain/said.ts';
import type { Chart, Cell as TableCell, Table } from '../../../operations/page.ts';

/** A chart drawn by Slack. Modals don’t support this block. */
export function drawChart({ title, name, points, beside, isLine, xLabel, yLabel }: Chart): KnownBlock {
  const series = [{ name, values: points.map(({ value }) => value) }, ...(beside ? [beside] : [])];
  const block: Block & { title: string; chart: object } = {
    type: 'data_visualization',
    title: title,
    chart: {
      type: isLine ? 'line' : 'bar',
      series: series.map(({ name: seriesName, values }) => ({
        name: seriesName,
        data: points.map(({ label }, place) => ({ label, value: values[place] ?? 0 })),
      })),
      axis_config: {
        categories: points.map(({ label }) => label),
        x_label: xLabel,
        y_label: yLabel,
      },
    },
  };
  return block as Block as KnownBlock; // younger than the SDK's types
}

type Cell = DataTableBlock['rows'][number][number];

/** Slack’s limits for tables in a message: https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
const rowLimit = 100;
const columnLimit = 20;
const characterLimit = 10_000;

/** What is not known. */
const unknownCell = textCell('–');

/** Its content is taken for words from outside. */
function textCell(content: string): Cell {
  return { type: 'raw_text', text: content };
}

const rowsOnPage = 10;

/** A sortable table of the first rows, as many as Slack accepts; undefined if there are none. */
export function tableBlock({ caption, columns }: Table): { block: DataTableBlock; shown: number } | undefined {
  const count = Math.min(rowLimit, columns[0]?.cells.length ?? 0);
  const used = columns
    .filter(({ cells }) => cells.slice(0, count).some((cell) => cell !== undefined))
    .slice(0, columnLimit);
  const header = used.map(({ title }) => textCell(title));
  const rows = fittingRows(
    header,
    Array.from({ length: count }, (_, row) => used.map(({ cells }) => drawnCell(cells[row]))),
  );
  const shown = rows.length - 1;
  return shown <= 0 ? undefined : { shown, block: { type: 'data_table', caption, page_size: rowsOnPage, rows } };
}

/** Numbers sort by their value. */
function drawnCell(cell: TableCell): Cell {
  if (cell === undefined || (typeof cell === 'string' && isBlank(cell))) return unknownCell;
  return typeof cell === 'string' ? textCell(cell) : { type: 'raw_number', value: cell.value, text: cell.shown };
}

/** A header row and as many of the rows as Slack accepts. */
function fittingRows(header: readonly Cell[], rows: readonly (readonly Cell[])[]): Cell[][] {
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
  return row.reduce((sum, cell) => {
    if (!('text' in cell)) return sum;
    const { text } = cell;
    // Each part that runs from right to left gets two marks more where it is sent.
    const parts = isolated(text) === text ? 0 : text.split(marks.part[0]).length;
    return sum + lengthInAnyLanguage(text) + 2 * parts;
  }, 0);
}
