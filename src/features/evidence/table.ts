import { inEnglish } from '../../domain/said.ts';
import { formatCsv, formatRows } from '../../operations/table-file.ts';

/** Empty where nothing is known, or there is nothing. */
export type Cell = string | number | null | undefined;

/** A column of a table. Cells of moments are milliseconds since the epoch, or words. */
export interface Column<Row> {
  title: string;
  kind?: 'moment';
  of: (row: Row) => Cell;
  /** How many rows have which value of this column is counted under this name. */
  counted?: string;
}

/** How many there are of what, by campaign: people, messages that arrived, and so on. */
export type Counts = Record<string, Record<string, number>>;

/** A table that is written row by row, as CSV. */
interface TableWriter<Row> {
  add(rows: readonly Row[]): void;
  /** Adds rows of a campaign and counts them, as `verify.mjs` does: `obligations`, and `obligations stateAtEnd overdue`. */
  count(rows: readonly Row[], campaignId: string, counts: Counts): void;
  end(): void;
}

/** @param write takes the next part of a file; `isLast` ends it */
export function tableWriter<Row>(
  name: string,
  columns: readonly Column<Row>[],
  write: (file: string, text: string, isLast: boolean) => void,
): TableWriter<Row> {
  const file = `${name}.csv`;
  const titles = columns.map(({ title, kind }) => (kind === 'moment' ? `${title} (UTC)` : title));
  write(file, formatCsv([titles]), false);
  const written = (cell: Cell, kind?: 'moment') =>
    kind === 'moment' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell ?? '');
  const add = (rows: readonly Row[]) =>
    write(file, formatRows(rows.map((row) => columns.map(({ of, kind }) => written(of(row), kind)))), false);
  return {
    add,
    count(rows, campaignId, counts) {
      add(rows);
      const ofCampaign = (counts[campaignId] ??= {});
      for (const row of rows)
        for (const what of [
          name,
          ...columns.flatMap(({ of, counted }) =>
            counted === undefined ? [] : inEnglish(`${name} ${counted} ${of(row)}`),
          ),
        ])
          ofCampaign[what] = (ofCampaign[what] ?? 0) + 1;
    },
    end: () => write(file, '', true),
  };
}

/** A moment as tables have it, in UTC. */
export function isoTime(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : new Date(atMs).toISOString();
}
