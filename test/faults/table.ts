import type { Observation } from './observation.ts';

const columns: Record<keyof Observation, string> = {
  command: 'Command (`/quiz show …`)',
  form: 'Form (`/quiz create`)',
  webhook: 'Webhook',
  alert: 'Alert posted',
  readyz: '`/readyz`',
};
const keys = Object.keys(columns) as (keyof Observation)[];

/** Formats the observations, by name of the fault, as a Markdown table. */
export function formatTable(observations: ReadonlyMap<string, Observation>): string {
  const rows = [...observations].map(([name, observation]) => [
    name,
    ...keys.map((key) => formatCell(observation[key])),
  ]);
  const head = ['Fault', ...keys.map((key) => columns[key])];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

/** Reads a table that `formatTable` has written, from a text that contains it. */
export function parseTable(text: string): Map<string, Observation> {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Fault') && !line.startsWith('| ---'));
  return new Map(
    rows.map((row) => {
      const [name = '', ...cells] = row.slice(2, -2).split(' | ');
      return [name, Object.fromEntries(keys.map((key, index) => [key, cells[index]])) as unknown as Observation];
    }),
  );
}

function formatCell(text: string): string {
  const short = text.length > 260 ? `${text.slice(0, 80).trimEnd()}…` : text;
  return short.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim();
}
