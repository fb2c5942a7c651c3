import { isGraded } from '../../domain/submission-outcome.ts';
import { say } from '../../domain/said.ts';
import type { Chart, Fact } from '../../operations/page.ts';
import { percent } from '../../operations/wording/result-words.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { dateInWords } from '../../time/date-words.ts';
import { wallClock } from '../../time/wall-clock.ts';

/** How graded attempts went, in percent. */
interface Went {
  passed: number;
  /** Undefined where none has a percentage. */
  average: number | undefined;
}

/** How a quiz went in each of the last months, and how first attempts did beside second ones. */
export interface OverTime {
  /** The earliest first; `at` is in the month, in milliseconds since the epoch. Months with few attempts are left out. */
  months: readonly (Went & { at: number })[];
  /** Undefined where there are few of one of them. */
  tries: { first: Went; second: Went } | undefined;
}

/** What fewer attempts say is chance. */
const fewest = 5;
const monthsAtMost = 12;

/** @param timeZone of the months */
export function overTimeOf(responses: readonly QuizResponse[], timeZone: string): OverTime {
  const clock = wallClock(timeZone);
  const graded = responses.filter(({ outcome }) => isGraded(outcome));
  const byMonth = Map.groupBy(graded, ({ date_submitted: date }) => {
    const shown = date && new Date(clock.shownAt(date.getTime()));
    return shown && shown.getUTCFullYear() * 12 + shown.getUTCMonth();
  });
  const months = [...byMonth].flatMap(([month, some]) =>
    month === null || month === undefined || some.length < fewest ? [] : [{ month, some }],
  );
  const latest = Math.max(...months.map(({ month }) => month));
  const tries = [1, 2].map((number) => graded.filter(({ attempt }) => attempt === number));
  const [first = [], second = []] = tries;
  return {
    months: months
      .filter(({ month }) => month > latest - monthsAtMost)
      .toSorted((a, b) => a.month - b.month)
      .map(({ some }) => ({ at: some[0]!.date_submitted!.getTime(), ...wentIn(some) })),
    tries: tries.every(({ length }) => length >= fewest) ? { first: wentIn(first), second: wentIn(second) } : undefined,
  };
}

function wentIn(graded: readonly QuizResponse[]): Went {
  const percentages = graded.flatMap(({ percentage_score: percentage }) => percentage ?? []);
  return {
    passed: (100 * graded.filter(({ outcome }) => outcome === 'passed').length) / graded.length,
    average: percentages.length === 0 ? undefined : percentages.reduce((sum, one) => sum + one, 0) / percentages.length,
  };
}

/** The months as a chart; undefined for one month, which the figures of the quiz say better. */
export function monthsChart({ months }: OverTime, timeZone: string): Chart | undefined {
  if (months.length < 2) return undefined;
  const averages = months.flatMap(({ average }) => (average === undefined ? [] : Math.round(average)));
  return {
    title: say`Month by month`,
    name: say`Passed`,
    points: months.map(({ at, passed }) => ({
      label: dateInWords(at, 'monthAndYear', timeZone),
      value: Math.round(passed),
    })),
    beside: averages.length === months.length ? { name: say`Average`, values: averages } : undefined,
    xLabel: say`Month`,
    yLabel: say`Percentage`,
  };
}

export function triesFacts({ tries }: OverTime): Fact[] {
  return tries === undefined
    ? []
    : [
        [say`First attempts`, wentWords(tries.first)],
        [say`Second attempts`, wentWords(tries.second)],
      ];
}

function wentWords({ passed, average }: Went): string {
  return average === undefined
    ? say`${percent(passed)} passed`
    : say`${percent(passed)} passed, average ${percent(average)}`;
}
