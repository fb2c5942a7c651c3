import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { JudgedRow } from './judge.ts';

/** A table for the terminal. */
export function plainTable(rows: readonly JudgedRow[]): string {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const figureWidth = Math.max(...rows.map(({ figure }) => figure.length));
  return rows
    .map((row) =>
      `${row.name.padEnd(nameWidth)}  ${row.figure.padEnd(figureWidth)}  ${row.goal === undefined ? '' : `goal: ${goalOf(row)}`}`.trimEnd(),
    )
    .join('\n');
}

/** The table of docs/reference/figures.md. */
export function markdownTable(rows: readonly JudgedRow[]): string {
  const lines = rows.map(
    (row) => `| ${[row.name, row.figure, goalOf(row)].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return ['| Measurement | Figure | Goal |', '|---|---|---|', ...lines].join('\n');
}

function goalOf({ goal, isReached }: JudgedRow): string {
  if (goal === undefined) return '';
  return isReached === undefined ? goal : `${goal}: ${isReached ? 'reached' : '**missed**'}`;
}

/** The machine, the Node version, the commit and the duration of the run. */
export function circumstances(minutes: number): string {
  const processors = cpus();
  return `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, commit ${commit()}, ${minutes.toFixed(1)} minutes in total`;
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}
