import { html, type TemplateResult } from 'lit-html';
import type { BlockOf, Cell } from '../../block-kit/blocks.ts';
import { keyOf, type RenderContext, type Source } from '../render-context.ts';
import { withEmoji } from '../text/emoji.ts';
import type { TableState } from '../ui.ts';

const defaultPageSize = 5;

export function dataTableView(context: RenderContext, source: Source, block: BlockOf<'data_table'>): TemplateResult {
  const key = `${keyOf(source)} ${block.block_id ?? ''}`;
  const sorted = context.ui.tables[key] ?? { column: -1, isDescending: false, page: 0 };
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
            ${header.map((cell, column) => headerCell(context, key, cell, column, sorted, isNumeric(rows, column)))}
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
    ${pages > 1 ? pager(context, key, page, pages, `${page * pageSize + 1}–${Math.min((page + 1) * pageSize, rows.length)} of ${rows.length}`) : ''}
  </div>`;
}

const isNumeric = (rows: readonly Row[], column: number): boolean =>
  rows.every((row) => row[column]?.type === 'raw_number');

const bodyCell = (cell: Cell, isHeader: boolean, isNumber: boolean): TemplateResult =>
  isHeader
    ? html`<th scope="row">${withEmoji(cell.text)}</th>`
    : html`<td class=${isNumber ? 'align-right' : ''}>${withEmoji(cell.text)}</td>`;

function headerCell(
  context: RenderContext,
  key: string,
  cell: Cell,
  column: number,
  sorted: TableState,
  isNumber: boolean,
): TemplateResult {
  const isSorted = sorted.column === column;
  const direction = isSorted ? (sorted.isDescending ? 'descending' : 'ascending') : 'none';
  return html`<th scope="col" aria-sort=${direction} class=${isNumber ? 'align-right' : ''}>
    <button
      type="button"
      class="sort"
      @click=${() => {
        context.actions.sortTable(key, column);
      }}
    >
      ${cell.text}<span aria-hidden="true" class="sort-mark"
        >${isSorted ? (sorted.isDescending ? '▼' : '▲') : '↕'}</span
      >
    </button>
  </th>`;
}

function pager(context: RenderContext, key: string, page: number, pages: number, range: string): TemplateResult {
  const turn = (to: number) => () => {
    context.actions.turnPage(key, to);
  };
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
