import { seed } from '../support/seeded-random.ts';
import { untilSign } from '../judges/kit.ts';
import { factsAbout } from './journal.ts';
import { runWorld } from './run.ts';
import { campaignsPerWorld, runWorlds, summaryOf } from './run-worlds.ts';

/**
 * `npm run campaigns` runs 2,000 random campaigns through 60 days with the whole bot, and compares what the stand-ins of Slack
 * and the quiz service saw with docs/campaigns.md; `npm run campaigns -- 200` runs 200. FAST_CHECK_SEED sets the seed of
 * the first world; each world after it has the next seed.
 *
 * `npm run campaigns -- world 7` runs the world with seed 7 again, and `npm run campaigns -- world 7 3` its campaign 3 alone,
 * with all that was seen of it.
 *
 * With `until:hours`, a run ends at the first difference from a rule with this word.
 */
const words = process.argv.slice(2);
const [mode = ''] = words;
if (mode === 'world') await repeatWorld(Number(words[1]), words[2] === undefined ? undefined : Number(words[2]));
else await runAll();

async function runAll(): Promise<void> {
  const campaigns = words.map(Number).find((number) => number > 0) ?? 2_000;
  const enough = words.find((word) => word.startsWith(untilSign))?.slice(untilSign.length);
  let printedAt = 0;
  let count = 0;
  const summary = await runWorlds({
    campaigns,
    seed,
    onWorld({ seed: worldSeed, differences, campaigns: started }) {
      const kinds = Map.groupBy(
        differences,
        ({ rule, campaign }) => `${campaign === undefined ? '' : `, campaign ${campaign}`}: ${rule}`,
      );
      for (const [what, [first, ...others]] of kinds)
        process.stdout.write(
          `world ${worldSeed}${what}: ${first?.message}${others.length > 0 ? `, and ${others.length} more` : ''}\n`,
        );
      count += started;
      if (count - printedAt >= 200) {
        printedAt = count;
        process.stdout.write(`${count.toLocaleString('en')} campaigns\n`);
      }
      return enough === undefined || !differences.some(({ rule }) => rule.includes(enough));
    },
  });
  process.stdout.write(`${summaryOf(summary)}\n`);
  process.exit(summary.differences > 0 ? 1 : 0);
}

async function repeatWorld(worldSeed: number, campaign: number | undefined): Promise<void> {
  const { facts, differences, ...counts } = await runWorld(worldSeed, {
    campaigns: campaignsPerWorld,
    only: campaign === undefined ? undefined : [campaign],
  });
  for (const fact of campaign === undefined ? [] : factsAbout(facts, campaign)) {
    const { at, ...what } = fact;
    if (what.kind === 'board') continue;
    process.stdout.write(`${new Date(at).toISOString()} ${JSON.stringify(what)}\n`);
  }
  for (const { rule, campaign: number, message } of differences)
    process.stdout.write(`campaign ${number}: ${rule}: ${message}\n`);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  process.exit(differences.length > 0 ? 1 : 0);
}
