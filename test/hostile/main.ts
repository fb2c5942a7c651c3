import { seed } from '../support/seeded-random.ts';
import { failureText, runHostile, shrink, summaryOf } from './run.ts';

/** `npm run hostile` runs 20,000 sequences; `npm run hostile -- 200` runs 200. FAST_CHECK_SEED sets another seed. */
const [count = 20_000] = process.argv.slice(2).map(Number).filter((number) => number > 0);
const shown = 10;

let printedAt = 0;
const report = await runHostile({
  count,
  seed,
  onProgress(done) {
    if (done - printedAt < 1_000) return;
    printedAt = done;
    process.stdout.write(`${done} sequences\n`);
  },
});
for (const failure of report.failures.slice(0, shown)) {
  process.stdout.write(`${failureText(failure.steps.length > 0 ? await shrink(failure) : failure)}\n`);
}
process.stdout.write(`${summaryOf(report)}\n`);
process.exit(report.failures.length > 0 ? 1 : 0);
