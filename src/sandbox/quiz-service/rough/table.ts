import { oddities } from './catalog.ts';
import { sources } from './oddity.ts';

/** Renders the table of the README. */
export function oddityTable(): string {
  const rows = oddities.map(
    ({ name, where, what, source }, i) =>
      `| ${i + 1} | ${name} | ${where} | ${what.replaceAll('|', '\\|')} | ${sources[source]} |`,
  );
  return [
    `The rough account has ${oddities.length} oddities:`,
    '',
    '| | Name | Where | What | Source |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
