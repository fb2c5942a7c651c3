import { html, svg, type TemplateResult } from 'lit-html';
import type { BlockOf, Cell } from '../../block-kit/blocks.ts';
import { keyOf, type RenderContext, type Source, type TableState } from '../ui.ts';
import { withEmoji } from '../text/mrkdwn.ts';

const defaultPageSize = 5;

export function dataTableView(context: RenderContext, source: Source, block: BlockOf<'data_table'>): TemplateResult {
  const key = `${keyOf(source)} ${block.block_id ?? ''}`;
  const sorted = context.ui.tables[key] ?? { column: -1, isDescending: false, page: 0 };
  const show = (next: Partial<TableState>) =>
    context.change({ tables: { ...context.ui.tables, [key]: { ...sorted, ...next } } });
  const [header = [], ...rows] = block.rows;
  const pageSize = block.page_size ?? defaultPageSize;
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const page = Math.min(sorted.page, pages - 1);
  const shown = sortRows(rows, sorted).slice(page * pageSize, (page + 1) * pageSize);
  return html`<div class="data-table">
    <div class="table-scroll" tabindex="0" role="region" aria-label=${block.caption}>
      <table>
        <caption>
          <span>${block.caption}</span>
        </caption>
        <thead>
          <tr>
            ${header.map((cell, column) => headerCell(cell, column, sorted, isNumeric(rows, column), show))}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row) =>
              html`<tr>
                ${row.map((cell, column) => bodyCell(cell, column === 0, isNumeric(rows, column)))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${pages > 1 ? pager(show, page, pages, `${page * pageSize + 1}–${Math.min((page + 1) * pageSize, rows.length)} of ${rows.length}`) : ''}
  </div>`;
}

const isNumeric = (rows: readonly Row[], column: number): boolean =>
  rows.every((row) => row[column]?.type === 'raw_number');

const bodyCell = (cell: Cell, isHeader: boolean, isNumber: boolean): TemplateResult =>
  isHeader
    ? html`<th scope="row">${withEmoji(cell.text)}</th>`
    : html`<td class=${isNumber ? 'align-right' : ''}>${withEmoji(cell.text)}</td>`;

function headerCell(
  cell: Cell,
  column: number,
  sorted: TableState,
  isNumber: boolean,
  show: (next: Partial<TableState>) => void,
): TemplateResult {
  const isSorted = sorted.column === column;
  const direction = isSorted ? (sorted.isDescending ? 'descending' : 'ascending') : 'none';
  return html`<th scope="col" aria-sort=${direction} class=${isNumber ? 'align-right' : ''}>
    <button
      type="button"
      class="sort"
      @click=${() => show({ column, isDescending: isSorted && !sorted.isDescending, page: 0 })}
    >
      ${cell.text}<span aria-hidden="true" class="sort-mark"
        >${isSorted ? (sorted.isDescending ? '▼' : '▲') : '↕'}</span
      >
    </button>
  </th>`;
}

function pager(show: (next: Partial<TableState>) => void, page: number, pages: number, range: string): TemplateResult {
  const turn = (to: number) => () => show({ page: to });
  return html`<div class="pager">
    <button type="button" class="button" ?disabled=${page === 0} @click=${turn(page - 1)}>Previous</button>
    <span aria-live="polite">${range}</span>
    <button type="button" class="button" ?disabled=${page === pages - 1} @click=${turn(page + 1)}>Next</button>
  </div>`;
}

export type Row = readonly Cell[];

/** Sorts by number if every cell of the column is a number, else alphabetically, as Slack sorts data tables. */
export function sortRows(rows: readonly Row[], by: { column: number; isDescending: boolean }): readonly Row[] {
  if (by.column < 0) return rows;
  const cellOf = (row: Row): Cell | undefined => row[by.column];
  const compare = rows.every((row) => cellOf(row)?.type === 'raw_number') ? byNumber : byText;
  const sorted = rows.toSorted((a, b) => compare(cellOf(a), cellOf(b)));
  return by.isDescending ? sorted.toReversed() : sorted;
}

const numberOf = (cell: Cell | undefined): number => (cell?.type === 'raw_number' ? cell.value : 0);
const byNumber = (a: Cell | undefined, b: Cell | undefined): number => numberOf(a) - numberOf(b);
const textOf = (cell: Cell | undefined): string => cell?.text ?? '';
const byText = (a: Cell | undefined, b: Cell | undefined): number =>
  textOf(a).localeCompare(textOf(b), undefined, { numeric: true });

const width = 480;
const height = 240;
const margin = { left: 44, right: 12, top: 12, bottom: 40 };
const plot = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };

const number = (value: number): string => new Intl.NumberFormat().format(value);

/** Four colours in turn. */
const seriesClass = (order: number): string => `series-${order % 4}`;

type Chart = BlockOf<'data_visualization'>['chart'];

export function chartView(block: BlockOf<'data_visualization'>): TemplateResult {
  const { chart } = block;
  return html`<figure class="chart">
    <figcaption>${block.title}</figcaption>
    ${plottedView(block.title, chart)}
    <ul class="legend">
      ${chart.series.map(({ name }, index) => html`<li><span class="swatch ${seriesClass(index)}" aria-hidden="true"></span>${name}</li>`)}
    </ul>
    <details>
      <summary>Show as a table</summary>
      ${chartTable(block.title, chart)}
    </details>
  </figure>`;
}

function plottedView(title: string, chart: Chart): TemplateResult {
  const { categories, x_label: xLabel, y_label: yLabel } = chart.axis_config;
  const scale = niceScale(chart.series.flatMap((series) => series.data.map((point) => point.value)));
  const names = { bar: 'Bar chart', line: 'Line chart' };
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${names[chart.type]}: ${title}">
    ${scale.ticks.map((tick) => gridLine(scale, tick))} ${categoryLabels(categories)}
    ${axisTitle(xLabel, `translate(${margin.left + plot.width / 2} ${height - 3})`)}
    ${axisTitle(yLabel, `translate(11 ${margin.top + plot.height / 2}) rotate(-90)`)}
    ${chart.type === 'bar' ? bars(chart, scale) : chart.series.map((series, order) => lineView(chart, series, order, scale))}
  </svg>`;
}

function gridLine(scale: Scale, tick: number): TemplateResult {
  const top = y(scale, tick);
  return svg`<line class="grid" x1=${margin.left} x2=${width - margin.right} y1=${top} y2=${top} />
    <text class="tick" x=${margin.left - 6} y=${top + 4} text-anchor="end">${compact(tick)}</text>`;
}

/** Labels at most about ten categories, and about five on a phone, so that the labels do not overlap. */
function categoryLabels(categories: readonly string[]): (TemplateResult | '')[] {
  const every = Math.ceil(categories.length / 10);
  // A letter takes 6 units, and 9 on a phone.
  const most = Math.max(8, Math.floor((every * plot.width) / categories.length / (categories.length > 5 ? 6 : 9)));
  const top = height - margin.bottom + 18;
  return categories.map((category, index) =>
    index % every === 0
      ? svg`<text class="tick ${categories.length > 5 && index % (2 * every) > 0 ? 'only-in-wide-chart' : ''}" x=${x(categories, index)} y=${top} text-anchor="middle">
          ${shorten(category, most)}<title>${category}</title>
        </text>`
      : '',
  );
}

const axisTitle = (title: string | undefined, transform: string): TemplateResult | '' =>
  title === undefined ? '' : svg`<text class="axis" transform=${transform} text-anchor="middle">${title}</text>`;

const compact = (value: number): string => new Intl.NumberFormat(undefined, { notation: 'compact' }).format(value);
const shorten = (label: string, most: number): string =>
  label.length > most ? `${label.slice(0, most - 1).trimEnd()}…` : label;
const y = (scale: Scale, value: number): number =>
  margin.top + plot.height * (1 - (value - scale.min) / (scale.max - scale.min));
const x = (categories: readonly string[], index: number): number =>
  margin.left + (plot.width * (index + 0.5)) / categories.length;

type Series = Chart['series'][number];

const valueAt = (series: Series, category: string): number =>
  series.data.find((point) => point.label === category)?.value ?? 0;

function bars(chart: Chart, scale: Scale): TemplateResult[] {
  const { categories } = chart.axis_config;
  const groupWidth = (plot.width / categories.length) * 0.8;
  const barWidth = groupWidth / chart.series.length;
  return categories.flatMap((category, index) =>
    chart.series.map((series, order) => {
      const value = valueAt(series, category);
      const [top, bottom] = [y(scale, Math.max(value, 0)), y(scale, Math.min(value, 0))];
      const left = x(categories, index) - groupWidth / 2 + order * barWidth + 0.5;
      const size = { width: Math.max(1, barWidth - 1), height: bottom - top };
      return svg`<rect class=${seriesClass(order)} x=${left} y=${top} width=${size.width} height=${size.height} rx="1.5">
        <title>${series.name}, ${category}: ${number(value)}</title>
      </rect>`;
    }),
  );
}

function lineView(chart: Chart, series: Series, order: number, scale: Scale): TemplateResult {
  const { categories } = chart.axis_config;
  const points = categories.map((category, index) => {
    const value = valueAt(series, category);
    return { left: x(categories, index), top: y(scale, value), title: `${series.name}, ${category}: ${number(value)}` };
  });
  const path = points.map((point) => `${point.left},${point.top}`).join(' ');
  return svg`<polyline class="line ${seriesClass(order)}" points=${path} />
    ${points.map(
      (point) => svg`<circle class=${seriesClass(order)} cx=${point.left} cy=${point.top} r="3">
        <title>${point.title}</title>
      </circle>`,
    )}`;
}

function chartTable(title: string, chart: Chart): TemplateResult {
  return html`<table>
    <caption class="sr-only">
      ${title}
    </caption>
    <thead>
      <tr>
        <th scope="col">${chart.axis_config.x_label ?? 'Category'}</th>
        ${chart.series.map((series) => html`<th scope="col">${series.name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${chart.axis_config.categories.map(
        (category) =>
          html`<tr>
            <th scope="row">${category}</th>
            ${chart.series.map((series) => html`<td class="align-right">${number(valueAt(series, category))}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

interface Scale {
  min: number;
  max: number;
  ticks: number[];
}

/** Computes a scale with round ticks that covers all values and zero. The ticks of whole numbers, such as counts, are whole. */
export function niceScale(values: readonly number[], wantedTicks = 4): Scale {
  const low = Math.min(0, ...values);
  const highest = Math.max(0, ...values);
  const high = highest === low ? low + 1 : highest;
  const isWhole = values.every((value) => Number.isInteger(value));
  const step = niceStep(isWhole ? Math.max(1, (high - low) / wantedTicks) : (high - low) / wantedTicks, isWhole);
  const min = Math.floor(low / step) * step;
  const max = Math.ceil(high / step) * step;
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_tick, index) =>
    Number((min + index * step).toPrecision(12)),
  );
  return { min, max, ticks };
}

function niceStep(rough: number, isWhole: boolean): number {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / magnitude;
  const nice =
    [1, 2, 2.5, 5, 10].find((candidate) => candidate >= lead && !(isWhole && (candidate * magnitude) % 1 !== 0)) ?? 10;
  return nice * magnitude;
}
