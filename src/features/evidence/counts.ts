/** How many there are of what, by campaign: people, messages that arrived, and so on. */
export type Counts = Record<string, Record<string, number>>;

/** What is counted of a row of each table, besides the row: the columns whose values it counts. */
const countedColumns = {
  population: [],
  obligations: ['stateAtEnd', 'stateNow', 'late'],
  messages: ['result'],
  results: ['result'],
  excuses: ['kind'],
} as const;

export type CountedTable = keyof typeof countedColumns;

/** Counts rows, as `verify.mjs` counts them again: `obligations`, and `obligations stateAtEnd overdue`. */
export function countRow(
  counts: Counts,
  campaignId: string,
  table: CountedTable,
  row: Readonly<Record<string, unknown>>,
): void {
  const ofCampaign = (counts[campaignId] ??= {});
  const add = (name: string) => (ofCampaign[name] = (ofCampaign[name] ?? 0) + 1);
  add(table);
  for (const column of countedColumns[table]) add(`${table} ${column} ${String(row[column])}`);
}
