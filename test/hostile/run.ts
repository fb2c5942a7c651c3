import { generateSequence, type BatchKind } from './generate.ts';
import type { Violation } from './judge.ts';
import { leaksInLog, strangersIn, strangersKept } from './leaks.ts';
import { runSequence } from './side.ts';
import { openStage, type Stage } from './stage.ts';
import { stepText, type Step } from './steps.ts';
import { cohortOfSlackId, type Cohort, type World } from './cohort.ts';
import { addCounts, countsInWords, type RandomJudge } from '../judges/judge.ts';

interface HostileOptions {
  count: number;
  seed: number;
  /** Batches of this kind alone. */
  kind?: BatchKind | undefined;
  onFailure?: (failure: Failure) => void;
  /** Called after each batch. @param count of sequences by then */
  onDone?: (count: number) => void;
  /** Whether another sequence is to begin. */
  goesOn?: () => boolean;
}

interface Failure {
  seed: number;
  kind: BatchKind;
  /** The seeds of the sequences that the cohort ran before on the same bot, which keeps their requests. */
  earlier: readonly number[];
  steps: readonly Step[];
  violations: readonly Violation[];
}

interface HostileReport {
  count: number;
  seed: number;
  seconds: number;
  steps: number;
  /** Sequences during which the bot was killed. */
  killed: number;
  outcomes: Record<string, number>;
  failures: Failure[];
}

/**
 * What a batch does: how many sequences share its bot, as a new one takes as long as dozens of them; how many run at the same time, each
 * in a cohort of its own; and its share of a short run, which has every kind as well. Changes of users wait for each other in a
 * workspace, so an answer that is kept back for one cohort holds up the others: where that is usual, they are few.
 */
const batches: Readonly<Record<BatchKind, { size: number; atOnce: number; share: number; world: World }>> = {
  crowded: { size: 300, atOnce: 12, share: 0.35, world: 'one bot' },
  kills: { size: 220, atOnce: 12, share: 0.2, world: 'one bot' },
  alone: { size: 30, atOnce: 1, share: 0.15, world: 'one bot' },
  many: { size: 200, atOnce: 4, share: 0.15, world: 'one bot' },
  'many kills': { size: 60, atOnce: 4, share: 0.1, world: 'one bot' },
  leaps: { size: 16, atOnce: 1, share: 0.1, world: 'one bot' },
  tenants: { size: 200, atOnce: 8, share: 0.15, world: 'two workspaces' },
  'tenants kills': { size: 100, atOnce: 8, share: 0.1, world: 'two workspaces' },
  departments: { size: 200, atOnce: 8, share: 0.1, world: 'one workspace' },
};
const batchKinds = Object.keys(batches) as BatchKind[];
/** One batch after the other, over and over. The starts of a bot that is killed take time: that are some 5% of the sequences. */
const order: readonly BatchKind[] = [
  'crowded',
  'kills',
  'alone',
  'many',
  'tenants',
  'crowded',
  'crowded',
  'many kills',
  'leaps',
  'departments',
  'alone',
  'many',
  'crowded',
  'crowded',
  'tenants kills',
  'many',
];
/** Batches at the same time: one that waits leaves the processor to the others. */
const lanes = 3;

/** Runs `count` sequences. A sequence depends on its seed alone, unless the batch kills the bot. */
export async function runHostile({
  count,
  seed,
  kind: only,
  onFailure = () => {},
  onDone = () => {},
  goesOn = () => true,
}: HostileOptions): Promise<HostileReport> {
  const startedAt = performance.now();
  const report: HostileReport = { count: 0, seed, seconds: 0, steps: 0, killed: 0, outcomes: {}, failures: [] };
  const fail = (failure: Failure) => {
    report.failures.push(failure);
    onFailure(failure);
  };
  let [batch, begun] = [0, 0];
  const work = async () => {
    while (begun < count && goesOn()) {
      const kind = only ?? order[batch % order.length]!;
      const share = only === undefined ? batches[kind].share : 1 / lanes;
      const size = Math.min(batches[kind].size, count - begun, Math.max(12, Math.ceil(count * share)));
      const first = seed + begun;
      begun += size;
      batch += 1;
      const seeds = Array.from({ length: size }, (_, index) => first + index);
      await runBatch(seeds, kind, report, { goesOn, fail });
      report.seconds = (performance.now() - startedAt) / 1000;
      onDone(report.count);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return report;
}

async function runBatch(
  seeds: readonly number[],
  kind: BatchKind,
  report: HostileReport,
  { goesOn, fail }: { goesOn: () => boolean; fail: (failure: Failure) => void },
): Promise<void> {
  const stage = await openBatch(kind, batches[kind].atOnce);
  const waiting = [...seeds];
  const work = async (cohort: Cohort) => {
    const earlier: number[] = [];
    for (let next = waiting.shift(); next && goesOn(); next = waiting.shift()) {
      const steps = generateSequence(next, cohort, kind);
      const { violations, outcomes, wasKilled } = await runSequence(stage, cohort, steps);
      report.count += 1;
      report.steps += steps.length;
      report.killed += Number(wasKilled);
      addCounts(report.outcomes, outcomes);
      stage.restore(cohort);
      if (cohort.other) stage.restore(cohort.other);
      if (violations.length > 0) fail({ seed: next, kind, earlier: [...earlier], steps, violations });
      earlier.push(next);
    }
  };
  try {
    await Promise.all(stage.cohorts.map(work));
    stage.journal.tick();
    const shared = stage.seenTexts.filter(({ reader }) => cohortOfSlackId(reader) === undefined);
    const violations: Violation[] = [
      ...stage.journal.strays.map((change) => ({ rule: 'stray change' as const, message: JSON.stringify(change) })),
      ...stage.faults.map((message) => ({ rule: 'fault' as const, message })),
      ...leaksInLog(stage, stage.logLines.join('')),
      ...shared.flatMap((seen) => strangersIn(stage, seen)),
      ...strangersKept(stage),
    ];
    if (violations.length > 0) fail({ seed: seeds[0]!, kind, earlier: [], steps: [], violations });
  } finally {
    await stage.close();
  }
}

function openBatch(kind: BatchKind, cohorts: number): Promise<Stage> {
  const numbers = Array.from({ length: cohorts }, (_, index) => index + 1);
  return openStage(numbers, { hasOwners: kind !== 'alone', world: batches[kind].world });
}

/** A sequence alone on a fresh stage, without the steps that its violation does not need. */
async function shrink({ seed, kind, earlier, steps, violations }: Failure): Promise<Failure> {
  const rules = new Set(violations.map(({ rule }) => rule));
  const fails = async (some: readonly Step[]): Promise<readonly Violation[]> => {
    const stage = await openBatch(kind, 1);
    try {
      const result = await runSequence(stage, stage.cohorts[0]!, some);
      return result.violations.filter(({ rule }) => rules.has(rule));
    } finally {
      await stage.close();
    }
  };
  let best: Failure = { seed, kind, earlier, steps, violations };
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    // A repeated step is named by its index.
    const fewer = best.steps
      .filter((_, at) => at !== index)
      .map((step) => (step.do === 'repeat' && step.step > index ? { ...step, step: step.step - 1 } : step));
    const left = await fails(fewer);
    if (left.length > 0) best = { ...best, steps: fewer, violations: left };
  }
  return best;
}

export function failureText({ seed, kind, earlier, steps, violations }: Failure): string {
  return [
    `seed ${seed}, ${kind}${earlier.length > 0 ? `, after ${earlier.join(', ')}` : ''}`,
    ...violations.map(({ rule, message }) => `  ${rule}: ${message}`),
    ...steps.map((step, index) => `    ${index}. ${stepText(step)}`),
  ].join('\n');
}

function summaryOf({ count, seed, seconds, steps, killed, outcomes, failures }: HostileReport): string {
  return `${count} sequences with ${steps} steps, ${killed} of them with a kill, seed ${seed}, ${seconds.toFixed(0)} s; ${failures.length} failed; ${countsInWords(outcomes)}`;
}

const shrunkAtMost = 10;

/** Sequences of people who try more than they may. A sequence depends on its seed alone, unless its batch kills the bot. */
export const hostile: RandomJudge = {
  count: 20_000,
  async run({ count, seed, words, until }, { found, done, goesOn }) {
    const report = await runHostile({
      count,
      seed,
      kind: batchKinds.find((known) => words.includes(known)),
      onFailure: (failure) =>
        found(failureText(failure), failure.violations.map(({ rule, message }) => `${rule}: ${message}`).join('\n')),
      onDone: done,
      goesOn,
    });
    const toShrink = until === undefined ? report.failures.filter(({ steps }) => steps.length > 0) : [];
    for (const failure of toShrink.slice(0, shrunkAtMost))
      found(`The shortest form of ${failureText(await shrink(failure))}`);
    return summaryOf(report);
  },
};
