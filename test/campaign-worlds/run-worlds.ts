import { availableParallelism } from 'node:os';
import type { RandomJudge } from '../judges/judge.ts';
import { apart } from '../support/apart.ts';
import { factsAbout } from './journal.ts';
import { runWorld, type WorldReport } from './run.ts';

/** Campaigns of a world. With more, each moment of one runs all the others; with fewer, the worlds take longer than what is in them. */
const campaignsPerWorld = 8;

type Summary = Omit<WorldReport, 'facts' | 'differences'> & {
  worlds: number;
  seconds: number;
  differences: number;
};
type Reported = Omit<WorldReport, 'facts'>;

/**
 * Runs worlds in as many processes as there are processors, until so many campaigns have been started.
 *
 * @param options.seed of the first world; each world after it has the next one
 * @param options.goesOn whether another world is to begin
 */
async function runWorlds(options: {
  campaigns: number;
  seed: number;
  onWorld: (world: Reported) => void;
  goesOn: () => boolean;
}): Promise<Summary> {
  const beganAt = performance.now();
  const summary = {
    seed: options.seed,
    campaigns: 0,
    messages: 0,
    reports: 0,
    lines: 0,
    boards: 0,
    kills: 0,
    worlds: 0,
    differences: 0,
  };
  let next = options.seed;

  async function lane(): Promise<void> {
    while (options.goesOn() && summary.campaigns < options.campaigns) {
      const world = await apart(import.meta.url, reportOf, [next++]);
      for (const count of ['campaigns', 'messages', 'reports', 'lines', 'boards', 'kills'] as const)
        summary[count] += world[count];
      summary.worlds += 1;
      summary.differences += world.differences.length;
      options.onWorld(world);
    }
  }

  await Promise.all(Array.from({ length: Math.min(availableParallelism(), options.campaigns) }, lane));
  return { ...summary, seconds: (performance.now() - beganAt) / 1_000 };
}

/** Runs a world in a process of its own. */
export async function reportOf(seed: number): Promise<Reported> {
  const { facts: _, ...report } = await runWorld(seed, { campaigns: campaignsPerWorld });
  return report;
}

function summaryOf(summary: Summary): string {
  const shown = (count: number) => count.toLocaleString('en');
  const { campaigns, worlds, messages, reports, lines, boards, kills, differences, seed, seconds } = summary;
  return `${shown(campaigns)} campaigns in ${shown(worlds)} worlds of 60 days, with ${shown(messages)} messages, ${shown(reports)} reports of ${shown(lines)} lines, ${shown(boards)} looks at boards and ${shown(kills)} kills, seed ${seed}, ${seconds.toFixed(0)} s; ${shown(differences)} ${differences === 1 ? 'difference' : 'differences'}`;
}

/** Random campaigns, each through 60 days with the whole bot. */
export const campaigns: RandomJudge = {
  count: 2_000,
  async run({ count, seed }, { found, done, goesOn }) {
    let begun = 0;
    const summary = await runWorlds({
      campaigns: count,
      seed,
      onWorld({ seed: worldSeed, differences, campaigns: started }) {
        const kinds = Map.groupBy(
          differences,
          ({ rule, campaign }) => `${campaign === undefined ? '' : `, campaign ${campaign}`}: ${rule}`,
        );
        for (const [what, [first, ...others]] of kinds)
          found(
            `world ${worldSeed}${what}: ${first?.message}${others.length > 0 ? `, and ${others.length} more` : ''}`,
            first?.rule,
          );
        done((begun += started));
      },
      goesOn,
    });
    return summaryOf(summary);
  },
  modes: { world: async ({ words: [, world, campaign] }, { found }) => repeatWorld(Number(world), campaign, found) },
};

async function repeatWorld(seed: number, only: string | undefined, found: (finding: string) => void): Promise<string> {
  const chosen = only === undefined ? undefined : Number(only);
  const { facts, differences, ...counts } = await runWorld(seed, {
    campaigns: campaignsPerWorld,
    only: chosen === undefined ? undefined : [chosen],
  });
  for (const { at, ...what } of chosen === undefined ? [] : factsAbout(facts, chosen))
    if (what.kind !== 'board') process.stdout.write(`${new Date(at).toISOString()} ${JSON.stringify(what)}\n`);
  for (const { rule, campaign, message } of differences) found(`campaign ${campaign}: ${rule}: ${message}`);
  return JSON.stringify(counts);
}
