import { median } from '../support/measurements.ts';
import type { BenchRow } from './bench-row.ts';
import { goals, type Limit } from './goals.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

/** What each run of one go measured, by goal and number: `webhooks over SQLite: ratio`. Only what other machines can repeat. */
export type Figures = Readonly<Record<string, readonly number[]>>;

/** How a figure of this go differs from the one in the repository. */
type Change = 'worse' | 'better' | 'alike' | 'new' | 'not measured';

interface ComparedFigure {
  name: string;
  change: Change;
  before: readonly number[];
  now: readonly number[];
}

/**
 * How many runs a go has. Processes that start anew differ more from each other than the rounds within one: by the place of
 * their code and their heap, and by what else the machine does. So each run starts everything anew, and the runs of a
 * benchmark do not follow each other, which spreads a bad minute of the machine over all figures.
 */
export const runsOfGo = 3;

/** Smaller differences are left alone, however sure they are. */
const leastDifference = 0.1;

/** Gathers the compared numbers of the runs of one go. @throws if two rows of a run have the same */
export function gatherFigures(runs: readonly (readonly BenchRow[])[]): Figures {
  const figures: Record<string, number[]> = {};
  for (const [index, rows] of runs.entries())
    for (const [name, number] of rows.flatMap(comparedIn)) {
      const all = (figures[name] ??= []);
      all.push(rounded(number));
      if (all.length > index + 1) throw new Error(`two rows are held against ${name}`);
    }
  return figures;
}

function comparedIn({ goal, numbers }: BenchRow): [name: string, number: number][] {
  if (goal === undefined || numbers === undefined) return [];
  return Object.entries<Limit>(goals[goal]).flatMap(([of, { isCompared }]) => {
    const number = numbers[of];
    return isCompared && number !== undefined ? [[nameOf(goal, of), number] as [string, number]] : [];
  });
}

/**
 * Compares what two goes measured.
 *
 * A figure is worse if each run of this go was worse than each run of that in the repository, and the median by a tenth or
 * more. Of figures that did not change, three runs against three all lie on the bad side in one case of twenty (6 choose 3),
 * and few of those differ by a tenth. A spread that was written with the figure would not do: it says how much the rounds
 * of one process differ.
 */
export function compareFigures(before: Figures, now: Figures): ComparedFigure[] {
  return Object.entries<Readonly<Record<string, Limit>>>(goals).flatMap(([goal, limits]) =>
    Object.entries(limits)
      .map(([of, limit]) => ({ name: nameOf(goal, of), limit }))
      .filter(({ name, limit }) => limit.isCompared && (name in before || name in now))
      .map(({ name, limit }) => {
        const [was, is] = [before[name] ?? [], now[name] ?? []];
        return { name, change: changeOf(was, is, limit), before: was, now: is };
      }),
  );
}

function changeOf(before: readonly number[], now: readonly number[], { kind }: Limit): Change {
  if (now.length === 0) return 'not measured';
  if (before.length === 0) return 'new';
  const [was, is] = [median(before), median(now)];
  if (Math.abs(is - was) < leastDifference * Math.abs(was)) return 'alike';
  const isHigher = Math.min(...now) > Math.max(...before);
  const isLower = Math.max(...now) < Math.min(...before);
  if (!isHigher && !isLower) return 'alike';
  return isHigher === (kind === 'atLeast') ? 'better' : 'worse';
}

/** Which figures changed by more than noise, and how, as people read it. */
export function comparison(figures: readonly ComparedFigure[]): string {
  const lines = (change: Change) => figures.filter((figure) => figure.change === change).map(lineOf);
  const [worse, better, fresh] = [lines('worse'), lines('better'), lines('new')];
  const alike = lines('alike').length;
  return [
    worse.length === 0 ? 'No figure got worse by more than noise.' : 'Worse than in test/bench/figures.json:',
    ...worse,
    ...(better.length > 0 ? ['Better:', ...better] : []),
    ...(fresh.length > 0 ? ['Not in it yet:', ...fresh] : []),
    ...(alike > 0 ? [`${alike} within noise.`] : []),
  ].join('\n');
}

function lineOf({ name, before, now }: ComparedFigure): string {
  return `  ${name} ${[before, now]
    .filter((runs) => runs.length > 0)
    .map(spreadOf)
    .join(' → ')}`;
}

function spreadOf(runs: readonly number[]): string {
  return `${median(runs)} (${Math.min(...runs)} to ${Math.max(...runs)})`;
}

const nameOf = (goal: string, of: string) => `${goal}: ${of}`;

const rounded = (number: number) => Number(number.toPrecision(4));

/** The figures in the repository, and what they were measured with. */
const figuresFile = 'test/bench/figures.json';

const fileSchema = z.object({ measured: z.string(), figures: z.record(z.string(), z.array(z.number())) });

/** Empty where nothing was ever written. */
export function readFigures(file = figuresFile): Figures {
  return existsSync(file) ? fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).figures : {};
}

/** Replaces the figures of what was measured, and keeps the others. @param measured date, machine and commit */
export function writeFigures(figures: Figures, measured: string, file = figuresFile): void {
  const all = Object.entries({ ...readFigures(file), ...figures }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // A line for each figure, so that a difference shows which of them changed.
  const lines = all.map(([name, runs]) => `    ${JSON.stringify(name)}: [${runs.join(', ')}]`);
  writeFileSync(file, `{\n  "measured": ${JSON.stringify(measured)},\n  "figures": {\n${lines.join(',\n')}\n  }\n}\n`);
}
