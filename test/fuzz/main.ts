import { schemes, fuzzWebhooks } from './webhooks.ts';
import { isFlat, lineOf, type FuzzRow } from './run.ts';

/** The full counts: `npm run fuzz`, or a share of them: `npm run fuzz -- 0.1`; FAST_CHECK_SEED looks further. */
const share = Number(process.argv[2] ?? 1);
const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_120);

const runs: (() => Promise<FuzzRow>)[] = [
  ...schemes.map((scheme) => () => fuzzWebhooks(scheme, { count: 50_000 * share, seed })),
];

let isWell = true;
for (const run of runs) {
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
