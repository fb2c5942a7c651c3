import { generateSequence } from './generate.ts';
import type { Violation } from './judge.ts';
import { leaksInLog } from './leaks.ts';
import { runSequence } from './run-sequence.ts';
import { openStage } from './stage.ts';
import { stepText, type Step } from './steps.ts';

export interface HostileOptions {
  count: number;
  seed: number;
  /** Called after each batch. */
  onProgress?: (done: number) => void;
}

export interface Failure {
  seed: number;
  steps: readonly Step[];
  violations: readonly Violation[];
}

export interface HostileReport {
  count: number;
  seed: number;
  seconds: number;
  steps: number;
  outcomes: Record<string, number>;
  failures: Failure[];
}

/** Sequences that share a bot. More would make its lists long. */
const batchSize = 60;
/** Sequences of a batch at the same time. */
const concurrency = 12;
/** One batch in this many kills the bot. */
const killsEvery = 12;
/** One batch in this many has one world alone, whose administrators are the only ones. */
const aloneEvery = 6;

/** Runs `count` sequences. A sequence depends on its seed alone, unless the batch kills the bot. */
export async function runHostile({ count, seed, onProgress }: HostileOptions): Promise<HostileReport> {
  const startedAt = performance.now();
  const outcomes: Record<string, number> = {};
  const failures: Failure[] = [];
  let [done, steps] = [0, 0];
  for (let batch = 0; done < count; batch += 1) {
    const isAlone = batch % aloneEvery === aloneEvery - 1;
    const size = Math.min(isAlone ? 1 : batchSize, count - done);
    const seeds = Array.from({ length: size }, (_, index) => seed + done + index);
    const report = await runBatch(seeds, { kills: batch % killsEvery === killsEvery - 2, isAlone });
    for (const [outcome, times] of Object.entries(report.outcomes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + times;
    failures.push(...report.failures);
    steps += report.steps;
    done += size;
    onProgress?.(done);
  }
  return { count: done, seed, seconds: (performance.now() - startedAt) / 1000, steps, outcomes, failures };
}

async function runBatch(seeds: readonly number[], { kills }: { kills: boolean; isAlone: boolean }): Promise<Pick<HostileReport, 'outcomes' | 'failures' | 'steps'>> {
  const stage = await openStage(seeds.map((_, index) => index + 1));
  const outcomes: Record<string, number> = {};
  const failures: Failure[] = [];
  let steps = 0;
  let number = 0;
  const waiting = [...stage.worlds.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, world] = next;
      const sequence = generateSequence(seeds[index]!, world.number, { kills });
      const result = await runSequence(stage, world, sequence.steps, () => (number += 1));
      steps += sequence.steps.length;
      for (const [outcome, times] of Object.entries(result.outcomes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + times;
      if (result.violations.length > 0) failures.push({ seed: seeds[index]!, steps: sequence.steps, violations: result.violations });
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
    stage.journal.tick();
    const strays = stage.journal.strays.map((change): Violation => ({ rule: 'stray change', message: JSON.stringify(change) }));
    const faults = stage.faults.map((message): Violation => ({ rule: 'fault', message }));
    const logged = leaksInLog(stage, stage.logLines.join(''));
    const ofAll = [...strays, ...faults, ...logged];
    if (ofAll.length > 0) failures.push({ seed: seeds[0]!, steps: [], violations: ofAll });
  } finally {
    await stage.close();
  }
  return { outcomes, failures, steps };
}

/** A sequence alone on a fresh stage, without the steps that its violation does not need. */
export async function shrink({ seed, steps, violations }: Failure): Promise<Failure> {
  const rules = new Set(violations.map(({ rule }) => rule));
  const fails = async (some: readonly Step[]): Promise<readonly Violation[]> => {
    const stage = await openStage([1]);
    try {
      let number = 0;
      const result = await runSequence(stage, stage.worlds[0]!, some, () => (number += 1));
      return result.violations.filter(({ rule }) => rules.has(rule));
    } finally {
      await stage.close();
    }
  };
  let best: Failure = { seed, steps, violations };
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    // A repeated step is named by its index.
    const fewer = best.steps.filter((_, at) => at !== index).map((step) => (step.do === 'repeat' && step.step > index ? { ...step, step: step.step - 1 } : step));
    const left = await fails(fewer);
    if (left.length > 0) best = { seed, steps: fewer, violations: left };
  }
  return best;
}

export function failureText({ seed, steps, violations }: Failure): string {
  return [`seed ${seed}`, ...violations.map(({ rule, message }) => `  ${rule}: ${message}`), ...steps.map((step, index) => `    ${index}. ${stepText(step)}`)].join('\n');
}

export function summaryOf({ count, seed, seconds, steps, outcomes, failures }: HostileReport): string {
  const kinds = Object.entries(outcomes).toSorted(([a], [b]) => a.localeCompare(b)).map(([outcome, times]) => `${outcome} ${times}`);
  return `${count} sequences with ${steps} steps, seed ${seed}, ${seconds.toFixed(0)} s; ${failures.length} failed; ${kinds.join(', ')}`;
}
