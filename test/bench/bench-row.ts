import { type GoalName, goals, type Limit } from './goals.ts';
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** One row in the output of `npm run bench`. */
export interface BenchRow {
  name: string;
  /** What was measured, as people read it. */
  figure: string;
  /** Its goal in goals.ts. */
  goal?: GoalName;
  /** What the goal is about, by its names. Left out where this machine cannot tell. */
  numbers?: Numbers;
}

type Numbers = Readonly<Record<string, number>>;

/** The part of a row that names its goal, with every number that the goal is about. */
export function heldAgainst<Name extends GoalName>(
  goal: Name,
  numbers?: Readonly<Record<keyof (typeof goals)[Name], number>>,
): Pick<BenchRow, 'goal' | 'numbers'> {
  return { goal, ...(numbers && { numbers }) };
}

export interface BenchOptions {
  /** Whether the rows are only to run, as small as they can be: their figures then mean nothing. */
  isShort: boolean;
  /** What kill tests have to do, and how often they kill. Default: what their rows say. */
  size?: number | undefined;
  kills?: number | undefined;
  /** Repeats a run. Default: a different one each time. */
  seed?: number | undefined;
}

export type Bench = (options: BenchOptions) => Promise<BenchRow[]>;

/** A row beside its goal, as people read it. */
export interface JudgedRow {
  name: string;
  figure: string;
  goal?: string;
  isReached?: boolean;
}

/** Holds a row against its goal. @throws if the row lacks a number of it */
export function judge({ name, figure, goal: goalName, numbers }: BenchRow): JudgedRow {
  if (goalName === undefined) return { name, figure };
  const limits = Object.entries<Limit>(goals[goalName]);
  const goal = textOf(limits.map(([, limit]) => limit));
  if (numbers === undefined) return { name, figure, goal };
  const isReached = limits.every(([of, limit]) => {
    const number = numbers[of];
    if (number === undefined) throw new Error(`the row “${name}” says nothing of ${of}`);
    return isWithin(number, limit);
  });
  return { name, figure, goal, isReached };
}

function isWithin(number: number, { kind, limit }: Limit): boolean {
  if (kind === 'atLeast') return number >= limit;
  return kind === 'atMost' ? number <= limit : number === limit;
}

const beginnings = { atLeast: 'at least ', atMost: 'at most ', exactly: '' } as const;

/** Says how far it goes once for limits that follow each other. */
function textOf(limits: readonly Limit[]): string {
  return limits
    .map(({ kind, limit, words }, index) => {
      const beginning = kind === limits[index - 1]?.kind ? '' : beginnings[kind];
      return `${beginning}${words.replace('{}', limit.toLocaleString('en'))}`;
    })
    .join(', ');
}

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
