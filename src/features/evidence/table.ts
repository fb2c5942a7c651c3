import { formatCsv, formatRows } from '../../operations/csv.ts';

export type Cell = string | number | null;

/** A column of a table. `of`: null where nothing is known, or there is nothing. */
export interface Column<Row> {
  title: string;
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
  write(file, formatCsv([columns.map(({ title }) => title)]), false);
  const add = (rows: readonly Row[]) =>
    write(file, formatRows(rows.map((row) => columns.map(({ of }) => of(row) ?? ''))), false);
  return {
    add,
    count(rows, campaignId, counts) {
      add(rows);
      const ofCampaign = (counts[campaignId] ??= {});
      for (const row of rows)
        for (const what of [
          name,
          ...columns.flatMap(({ of, counted }) => (counted === undefined ? [] : `${name} ${counted} ${of(row)}`)),
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
