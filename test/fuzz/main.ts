import { seed } from '../support/seeded-random.ts';
import { isFlat, lineOf, type FuzzRow } from './run.ts';
import { fuzzService } from './service.ts';
import { fuzzSlack } from './slack.ts';
import { fuzzWebhooks, schemes } from './webhooks.ts';

/** The full counts: `npm run fuzz`; a share of them, or some of the runs: `npm run fuzz -- 0.1 slack`. FAST_CHECK_SEED looks further. */
const share = process.argv.slice(2).map(Number).find((number) => number > 0) ?? 1;
const wanted = process.argv.slice(2).filter((word) => Number.isNaN(Number(word)));

const runs: [string, () => Promise<FuzzRow>][] = [
  ...schemes.map((scheme): [string, () => Promise<FuzzRow>] => ['webhooks', () => fuzzWebhooks(scheme, { count: 50_000 * share, seed })]),
  ['slack', () => fuzzSlack({ count: 100_000 * share, seed })],
  ['service', () => fuzzService({ count: 50_000 * share, seed })],
];

let isWell = true;
for (const [name, run] of runs) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    const row = await run();
    isWell &&= isFlat(row);
    process.stdout.write(`${lineOf(row)}\n`);
  } catch (error) {
    isWell = false;
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
}
process.exit(isWell ? 0 : 1);
