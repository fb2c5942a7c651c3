import type { Visibility } from './observation.ts';

const columns: Record<keyof Visibility, string> = {
  command: 'A command (`/quiz show …`)',
  form: 'A form (`/quiz create`)',
  webhook: 'A webhook',
  alert: 'The alert is posted',
  readyz: '`/readyz`',
};
const keys = Object.keys(columns) as (keyof Visibility)[];

/** What was seen of each fault, as a table. */
export function tableOf(seen: ReadonlyMap<string, Visibility>): string {
  const rows = [...seen].map(([name, visibility]) => [name, ...keys.map((key) => cell(visibility[key]))]);
  const head = ['Fault', ...keys.map((key) => columns[key])];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

export function readTable(text: string): Map<string, Visibility> {
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Fault') && !line.startsWith('| ---'));
  return new Map(
    rows.map((row) => {
      const [name = '', ...cells] = row.slice(2, -2).split(' | ');
      return [name, Object.fromEntries(keys.map((key, index) => [key, cells[index]])) as unknown as Visibility];
    }),
  );
}

/** What the bot shows of a quiz is not told in full. */
function cell(words: string): string {
  const short = words.length > 260 ? `${words.slice(0, 80).trimEnd()}…` : words;
  return short.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim();
}
