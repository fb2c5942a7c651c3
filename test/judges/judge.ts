import { seed as firstSeed } from '../support/seeded-random.ts';

/** What runs random things, and judges what came of them. */
export interface RandomJudge {
  /** How many it runs unless somebody says. */
  count: number;
  /** @returns what was run, and what came of it, in a line */
  run(asked: Asked, told: Told): Promise<string>;
  /** What else it does, by the first word of what is asked. */
  modes?: Readonly<Record<string, (asked: Asked, told: Told) => Promise<string>>>;
}

interface Asked {
  count: number;
  /** Of the first one; each after it has the next. */
  seed: number;
  /** What a finding has in it that ends the run. */
  until: string | undefined;
  /** What else was said: numbers, and words. */
  words: readonly string[];
}

interface Told {
  /** @param about where `until` is looked for; in the finding itself unless given */
  found(finding: string, about?: string): void;
  /** How many are done. */
  done(count: number): void;
  /** False where no other is to begin: what was looked for is found, or the process is asked to end. */
  goesOn(): boolean;
}

const untilSign = 'until:';
/** How often a run says how far it is. */
const saysAtMost = 10;

/** Runs a judge as a program. @param given how many, `until:` and a text, and words of the judge */
export async function runJudge(judge: RandomJudge, given: readonly string[]): Promise<never> {
  const count = given.map(Number).find((number) => number > 0) ?? judge.count;
  const until = given.find((word) => word.startsWith(untilSign))?.slice(untilSign.length);
  let [findings, isOver, saidAt] = [0, false, 0];
  process.on('SIGTERM', () => (isOver = true));
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const told: Told = {
    found(finding, about = finding) {
      findings += 1;
      isOver ||= until !== undefined && about.includes(until);
      say(finding);
    },
    done(now) {
      if (now - saidAt < count / saysAtMost) return;
      saidAt = now;
      say(`${now.toLocaleString('en')} of ${count.toLocaleString('en')}`);
    },
    goesOn: () => !isOver,
  };
  const run = judge.modes?.[given[0] ?? ''] ?? judge.run;
  say(await run({ count, seed: firstSeed, until, words: given }, told));
  process.exit(findings === 0 ? 0 : 1);
}

/** Adds numbers by name. */
export function addCounts(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + count;
}

/** Numbers by name, the largest first. */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ');
}
