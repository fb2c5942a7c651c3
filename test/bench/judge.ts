import type { BenchRow } from './bench-row.ts';
import { goals, type Limit } from './goals.ts';

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
