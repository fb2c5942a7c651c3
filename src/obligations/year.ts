import type { Obligation } from '../domain/campaign.ts';
import { wallClock } from '../time/wall-clock.ts';
import type { Matrix } from './matrix.ts';

/** What comes in the next twelve months, quiz by quiz, if nobody takes anything until then. Times are milliseconds since the epoch. */
export interface Year {
  /** When each of them begins; the first is the present one. */
  months: readonly number[];
  /** Those with something in these months, the most first. */
  quizzes: readonly YearOfQuiz[];
  /** The earliest first. */
  gaps: readonly Gap[];
}

interface YearOfQuiz {
  quiz: Matrix['quizzes'][number];
  /** For each month, how many people have it due, and how many passes end. */
  months: readonly { due: number; expiring: number }[];
}

/** From a moment on, nobody has a pass that counts. */
interface Gap {
  quiz: Matrix['quizzes'][number];
  /** Only of these people; undefined: of all. */
  group: string | undefined;
  from: number;
}

const monthsShown = 12;

/** The next twelve months of what everybody has to take, from the month of `now` on. Months are those of the zone. */
export function yearOf({ quizzes, rows }: Matrix, now: number, timeZone: string): Year {
  const clock = wallClock(timeZone);
  const today = new Date(clock.shownAt(now));
  const begins = Array.from({ length: monthsShown + 1 }, (_, month) =>
    clock.firstMomentOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + month, 1)),
  );
  const end = begins.at(-1)!;
  const found = quizzes.map((quiz, place) => {
    const months = Array.from({ length: monthsShown }, () => ({ due: 0, expiring: 0 }));
    const ends = new Map<string | undefined, number>();
    const count = (what: 'due' | 'expiring', at: number) => {
      if (at >= now && at < end) months[begins.findLastIndex((begin) => begin <= at)]![what] += 1;
    };
    for (const { groups, cells } of rows) {
      const obligation = cells[place]?.obligation;
      if (obligation === undefined) continue;
      count('due', dueTimeOf(obligation));
      // A pass counts until the end of a day.
      if (obligation.validUntil !== undefined) count('expiring', obligation.validUntil - 1);
      for (const group of [undefined, ...groups])
        ends.set(group, Math.max(ends.get(group) ?? 0, endOfPass(obligation)));
    }
    return { quiz, months, gaps: gapsOf(quiz, ends, end) };
  });
  const some = ({ months }: YearOfQuiz) => months.reduce((sum, { due, expiring }) => sum + due + expiring, 0);
  return {
    months: begins.slice(0, monthsShown),
    quizzes: found.filter((one) => some(one) > 0).toSorted((a, b) => some(b) - some(a)),
    gaps: found.flatMap(({ gaps }) => gaps).toSorted((a, b) => a.from - b.from),
  };
}

/** When somebody has to have taken it who has no pass for that time; infinite where nothing is due any more, or was due before. */
function dueTimeOf({ state, dueAt = Infinity, validUntil = 0, excusedUntil = Infinity }: Obligation): number {
  const at = state === 'excused' ? Math.max(dueAt, excusedUntil) : dueAt;
  return ['due', 'not yet due', 'excused'].includes(state) && at > validUntil ? at : Infinity;
}

/** Until when somebody has a pass; 0: they have none, or none that is known. */
function endOfPass({ state, validUntil }: Obligation): number {
  return validUntil ?? (state === 'done' ? Infinity : 0);
}

/** Of groups, those who are without sooner than all together. A quiz that nobody has ever passed has none. */
function gapsOf(quiz: Gap['quiz'], ends: ReadonlyMap<string | undefined, number>, end: number): Gap[] {
  const ofAll = Math.min(ends.get(undefined) ?? end, end);
  return [...ends]
    .filter(([group, from]) => from > 0 && (group === undefined ? from < end : from < ofAll))
    .map(([group, from]) => ({ quiz, group, from }));
}
