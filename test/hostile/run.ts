import { generateSequence } from './generate.ts';
import type { Violation } from './judge.ts';
import { leaksInLog, strangersIn, strangersKept } from './leaks.ts';
import { runSequence } from './side.ts';
import { openStage } from './stage.ts';
import { stepText, type Step } from './steps.ts';
import type { World } from './tenant.ts';
import { cohortOfSlackId, type Cohort } from './cohort.ts';
import { addCounts, type RandomJudge } from '../judges/judge.ts';

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

/** Sequences that share a bot. A new bot takes as long as dozens of them. */
const batchSize = 300;
/**
 * Cohorts of a bot, and sequences at the same time. Changes of users wait for each other in a workspace, so an answer that is kept
 * back for one cohort holds up the others: where that is usual, they are few.
 */
const concurrency = {
  crowded: 12,
  kills: 12,
  alone: 1,
  many: 4,
  'many kills': 4,
  leaps: 1,
  tenants: 8,
  departments: 8,
  'tenants kills': 8,
} as const;
/** Batches at the same time: one that waits leaves the processor to the others. */
const lanes = 3;
/** One batch in this many kills the bot: some 5% of the sequences. Its starts take time. */
const killsEvery = 16;
/** One batch in this many has one cohort alone, whose administrators are the only ones. */
const aloneEvery = 8;
/** One batch in this many has nothing but many changes at once. */
const manyEvery = 4;
const shares = {
  crowded: 0.35,
  kills: 0.2,
  alone: 0.15,
  many: 0.15,
  tenants: 0.15,
  departments: 0.1,
  'tenants kills': 0.1,
  'many kills': 0.1,
  leaps: 0.1,
} as const;
/** The number of sequences in a batch, by what the batch does. */
const batchSizes = {
  crowded: batchSize,
  kills: 220,
  alone: 30,
  many: 200,
  'many kills': 60,
  leaps: 16,
  tenants: 200,
  departments: 200,
  'tenants kills': 100,
} as const;

type BatchKind = keyof typeof batchSizes;
const batchKinds = Object.keys(batchSizes) as BatchKind[];

function kindOf(batch: number): BatchKind {
  if (batch % killsEvery === 1) return 'kills';
  if (batch % killsEvery === 7) return 'many kills';
  if (batch % killsEvery === 8) return 'leaps';
  if (batch % killsEvery === 4) return 'tenants';
  if (batch % killsEvery === 9) return 'departments';
  if (batch % killsEvery === 14) return 'tenants kills';
  if (batch % aloneEvery === 2) return 'alone';
  return batch % manyEvery === 3 ? 'many' : 'crowded';
}

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
  let [batch, begun] = [0, 0];
  const work = async () => {
    while (begun < count && goesOn()) {
      const kind = only ?? kindOf(batch);
      // A short run has every kind of batch as well.
      const share = only === undefined ? shares[kind] : 1 / lanes;
      const size = Math.min(batchSizes[kind], count - begun, Math.max(12, Math.ceil(count * share)));
      const first = seed + begun;
      begun += size;
      batch += 1;
      const ran = await runBatch(
        Array.from({ length: size }, (_, index) => first + index),
        kind,
        { goesOn, onFailure },
      );
      addCounts(report.outcomes, ran.outcomes);
      report.failures.push(...ran.failures);
      report.steps += ran.steps;
      report.killed += ran.killed;
      report.count += ran.count;
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
  { goesOn, onFailure }: { goesOn: () => boolean; onFailure: (failure: Failure) => void },
): Promise<Pick<HostileReport, 'count' | 'outcomes' | 'failures' | 'steps' | 'killed'>> {
  const cohorts = Array.from({ length: concurrency[kind] }, (_, index) => index + 1);
  const stage = await openStage(cohorts, optionsOf(kind));
  const outcomes: Record<string, number> = {};
  const failures: Failure[] = [];
  let [count, stepCount] = [0, 0];
  let killed = 0;
  let number = 0;
  const waiting = [...seeds];
  const work = async (cohort: Cohort) => {
    const earlier: number[] = [];
    for (let next = waiting.shift(); next && goesOn(); next = waiting.shift()) {
      const steps = generateSequence(next, {
        cohort,
        kills: kind.endsWith('kills'),
        isAlone: kind === 'alone',
        isMany: kind === 'many' || kind === 'many kills',
        isLeap: kind === 'leaps',
      });
      const result = await runSequence(stage, cohort, steps, () => (number += 1));
      count += 1;
      stepCount += steps.length;
      killed += Number(result.wasKilled);
      addCounts(outcomes, result.outcomes);
      stage.restore(cohort);
      if (cohort.other) stage.restore(cohort.other);
      if (result.violations.length > 0) {
        const failure = { seed: next, kind, earlier: [...earlier], steps, violations: result.violations };
        failures.push(failure);
        onFailure(failure);
      }
      earlier.push(next);
    }
  };
  try {
    await Promise.all(stage.cohorts.map(work));
    stage.journal.tick();
    const strays = stage.journal.strays.map((change): Violation => ({
      rule: 'stray change',
      message: JSON.stringify(change),
    }));
    const faults = stage.faults.map((message): Violation => ({ rule: 'fault', message }));
    const logged = leaksInLog(stage, stage.logLines.join(''));
    const shared = stage.seenTexts.filter(({ reader }) => cohortOfSlackId(reader) === undefined);
    const ofTenants = [...shared.flatMap((seen) => strangersIn(stage, seen)), ...strangersKept(stage)];
    const ofAll = [...strays, ...faults, ...logged, ...ofTenants];
    if (ofAll.length > 0) failures.push({ seed: seeds[0]!, kind, earlier: [], steps: [], violations: ofAll });
  } finally {
    await stage.close();
  }
  return { count, outcomes, failures, steps: stepCount, killed };
}

/** Two tenants have a workspace each, or two accounts are used in one. */
function optionsOf(kind: BatchKind): { hasOwners: boolean; world: World } {
  const world = kind.startsWith('tenants') ? 'two workspaces' : kind === 'departments' ? 'one workspace' : 'one bot';
  return { hasOwners: kind !== 'alone', world };
}

/** A sequence alone on a fresh stage, without the steps that its violation does not need. */
async function shrink({ seed, kind, earlier, steps, violations }: Failure): Promise<Failure> {
  const rules = new Set(violations.map(({ rule }) => rule));
  const fails = async (some: readonly Step[]): Promise<readonly Violation[]> => {
    const stage = await openStage([1], optionsOf(kind));
    try {
      let number = 0;
      const result = await runSequence(stage, stage.cohorts[0]!, some, () => (number += 1));
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
  const kinds = Object.entries(outcomes)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([outcome, times]) => `${outcome} ${times}`);
  return `${count} sequences with ${steps} steps, ${killed} of them with a kill, seed ${seed}, ${seconds.toFixed(0)} s; ${failures.length} failed; ${kinds.join(', ')}`;
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
