import { formatCsv, formatRows } from '../../operations/csv.ts';

export type Cell = string | number | null;

/** A column of a table: its heading in CSV, and its name in JSON. `of`: null where nothing is known, or there is nothing. */
export interface Column<Row> {
  title: string;
  key: string;
  of: (row: Row) => Cell;
}

/** A table that is written row by row, as CSV and as JSON. */
export interface TableWriter<Row> {
  /** @returns the rows as JSON has them */
  add(rows: readonly Row[]): Record<string, Cell>[];
  end(): void;
}

/** @param write takes the next part of a file; `isLast` ends it */
export function tableWriter<Row>(
  name: string,
  columns: readonly Column<Row>[],
  write: (file: string, text: string, isLast: boolean) => void,
): TableWriter<Row> {
  const [csv, json] = [`${name}.csv`, `${name}.json`];
  let isEmpty = true;
  write(csv, formatCsv([columns.map(({ title }) => title)]), false);
  write(json, '[', false);
  return {
    add(rows) {
      if (rows.length === 0) return [];
      const cells = rows.map((row) => columns.map(({ of }) => of(row)));
      write(csv, formatRows(cells.map((values) => values.map((value) => value ?? ''))), false);
      const records = cells.map((values) =>
        Object.fromEntries(columns.map(({ key }, at) => [key, values[at] ?? null] as const)),
      );
      write(json, `${isEmpty ? '' : ','}\n${records.map((record) => JSON.stringify(record)).join(',\n')}`, false);
      isEmpty = false;
      return records;
    },
    end() {
      write(csv, '', true);
      write(json, '\n]\n', true);
    },
  };
}

/** A moment as tables have it, in UTC. */
export function isoTime(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : new Date(atMs).toISOString();
}
