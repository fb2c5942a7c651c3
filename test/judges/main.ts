import { runMends } from '../mends/run.ts';
import { runJudge, type RandomJudge } from './judge.ts';

/*
 * `npm run judge -- hostile 20000` runs so many of a random judge, or as many as it usually runs. A number in FAST_CHECK_SEED is the
 * seed of the first one. With `until:` and a text, it ends at the first finding with it; on SIGTERM, after what it is at.
 *
 * `hostile`: sequences of people who try more than they may. `hostile 200 kills` runs batches of that kind alone (`crowded`, `kills`,
 * `alone`, `many`, `'many kills'`, `leaps`; over two tenants `tenants`, `'tenants kills'`, and `departments`, which are in one
 * workspace). To run the sequence of a failure alone, set its seed, and give 1 and its kind. A failure that needs what the bot kept of
 * earlier sequences comes back from the first of them on: set that seed, and give a count that reaches the failure.
 * `campaigns`: random campaigns through 60 days with the whole bot, compared with docs/campaigns.md by what the stand-ins of Slack and
 * the quiz service saw. `campaigns world 7` runs the world with seed 7 again, `campaigns world 7 3` its campaign 3 alone, with all
 * that was seen of it.
 * `obligations`: days of people, by the rule and by the oracle. `obligations screens 2000` draws every screen of so many random
 * campaigns, in every language, and compares whom they name and count.
 * `model`: random crashes of lasting work. `fuzz`: mutated input and any pages; `fuzz typed 20000` so many of one kind.
 *
 * `mends`: plants the faults of `test/mends` one by one in a copy of the project, and says whether what each names finds it: `mends
 * policy` those with this word, `mends '!hostile' --shard 1/4` a quarter of those without it.
 */
const judges: Readonly<Record<string, () => Promise<RandomJudge>>> = {
  hostile: async () => (await import('../hostile/run.ts')).hostile,
  campaigns: async () => (await import('../campaign-worlds/run.ts')).campaigns,
  obligations: async () => (await import('../obligations/compare.ts')).obligations,
  model: async () => (await import('../durable/model/simulate.ts')).model,
  fuzz: async () => (await import('../fuzz/all.ts')).fuzz,
};

const [name = '', ...given] = process.argv.slice(2);
if (name === 'mends') process.exit((await runMends(given)) ? 0 : 1);
const judge = await judges[name]?.();
if (judge === undefined) throw new Error(`the judges are ${Object.keys(judges).join(', ')}, and mends`);
await runJudge(judge, given);
