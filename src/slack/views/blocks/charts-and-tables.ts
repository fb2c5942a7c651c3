import type { Block, KnownBlock, DataTableBlock } from '@slack/types';
import { isolated } from '../../../domain/direction.ts';
import { isBlank } from '../../../domain/name-or-id.ts';
import { lengthInAnyLanguage, marks } from '../../../domain/said.ts';
import type { Chart, Cell as TableCell, Table } from '../../../operations/page.ts';

/** A chart drawn by Slack: bars, or a line with the goal as a second line. Modals don’t support this block. */
export function drawChart(chart: Chart): KnownBlock {
  const { goal, points, beside } = chart;
  const others = beside && {
    name: beside.name,
    points: points.map(({ label }, place) => ({ label, value: beside.values[place] ?? 0 })),
  };
  return goal === undefined
    ? plotted('bar', chart, others ? [chart, others] : [chart])
    : plotted('line', chart, [
        chart,
        { name: goal.name, points: points.map(({ label }) => ({ label, value: goal.value })) },
      ]);
}

function plotted(
  type: 'bar' | 'line',
  { title, points, xLabel, yLabel }: Chart,
  series: readonly Pick<Chart, 'name' | 'points'>[],
): KnownBlock {
  const block: Block & { title: string; chart: object } = {
    type: 'data_visualization',
    title: title,
    chart: {
      type,
      series: series.map(({ name, points: data }) => ({
        name: name,
        data: data.map(({ label, value }) => ({ label: label, value })),
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
