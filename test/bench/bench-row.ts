import type { GoalName, goals } from './goals.ts';

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
