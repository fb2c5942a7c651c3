import type { MakeKillTest } from './kill-test.ts';
import { runKills, type KillOutcome, type KillRunOptions } from './run-kills.ts';

/** What a test expects. */
export const whole = { lost: 0, doubled: 0, wrong: 0, problems: [] };

/** The seed of `CHAOS_SEED`, which repeats a run, or else the usual one of a test. */
export function seedOr(usual: number): number {
  return Number(process.env['CHAOS_SEED'] ?? usual);
}

/** Prints the figure of a run. @returns the rest */
export async function runAndPrintKills(
  options: KillRunOptions,
  makeTest: MakeKillTest,
): Promise<Omit<KillOutcome, 'figure'>> {
  return printKills(await runKills(options, makeTest));
}

/** Prints the figure. @returns the rest */
export function printKills({ figure, ...outcome }: KillOutcome): Omit<KillOutcome, 'figure'> {
  process.stdout.write(`${figure}\n`);
  return outcome;
}
