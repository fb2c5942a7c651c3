import { roundedPercentage } from '../../domain/result.ts';
import { countOutcomes, isGraded, type OutcomeCounts } from '../../domain/submission-outcome.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { say } from '../../domain/said.ts';
import type { Chart, Fact } from '../../operations/page.ts';
import { percent } from '../../operations/wording/result-words.ts';
import { dateInWords } from '../../time/date-words.ts';
import { wallClock } from '../../time/wall-clock.ts';

/** How a quiz went. */
export interface Statistics extends OutcomeCounts {
  /** Begun and not submitted. */
  begun: number;
  /** Undefined where no graded response has a percentage. */
  scores: Scores | undefined;
}

/** Percentages of the graded responses. */
export interface Scores {
  /** The number of percentages. */
  count: number;
  mean: number;
  median: number;
  /** The standard deviation of these attempts, not an estimate for others. */
  deviation: number;
  lowest: number;
  highest: number;
}

/** The number of attempts with a score in a range of percentages, which includes both ends. */
interface Bin {
  from: number;
  to: number;
  count: number;
}

const binCount = 10;
const binWidth = 100 / binCount;

export function statisticsOf(responses: readonly QuizResponse[]): Statistics {
  const percentages = scoredPercentages(responses);
  return {
    ...countOutcomes(responses.map(({ outcome }) => outcome)),
    begun: responses.filter(({ status }) => status === 'not_submitted').length,
    scores: percentages.length === 0 ? undefined : scoresOf(percentages),
  };
}

/** The percentages of the graded responses, which count in averages and charts. */
export function scoredPercentages(responses: readonly QuizResponse[]): number[] {
  return responses.flatMap(({ outcome, percentage_score }) => (isGraded(outcome) ? (percentage_score ?? []) : []));
}

/** Percentages in ten bins: 0 to 9, 10 to 19, … 90 to 100. */
export function histogramOf(percentages: readonly number[]): Bin[] {
  const counts = Array.from({ length: binCount }, () => 0);
  for (const percentage of percentages) {
    const bin = Math.min(binCount - 1, Math.max(0, Math.floor(percentage / binWidth)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, bin) => ({
    from: bin * binWidth,
    to: bin === binCount - 1 ? 100 : (bin + 1) * binWidth - 1,
    count,
  }));
}

function scoresOf(percentages: readonly number[]): Scores {
  // 50,000 numbers are sorted in a fifth of the time that an array takes.
  const sorted = Float64Array.from(percentages).toSorted();
  const mean = meanOf(sorted);
  return {
    count: sorted.length,
    mean,
    median: meanOf(middleOf(sorted)),
    deviation: Math.sqrt(meanOf(sorted.map((percentage) => (percentage - mean) ** 2))),
    lowest: sorted.at(0) ?? 0,
    highest: sorted.at(-1) ?? 0,
  };
}

/** The middle value, or the two around the middle. */
function middleOf(sorted: Float64Array): Float64Array {
  return sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
}

function meanOf(numbers: Float64Array): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

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
  const averages = months.flatMap(({ average }) => (average === undefined ? [] : roundedPercentage(average, 0)));
  return {
    title: say`Month by month`,
    name: say`Passed`,
    points: months.map(({ at, passed }) => ({
      label: dateInWords(at, 'monthAndYear', timeZone),
      value: roundedPercentage(passed, 0),
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
