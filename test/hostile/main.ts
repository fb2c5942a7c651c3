import { seed } from '../support/seeded-random.ts';
import { failureText, runHostile, shrink, summaryOf } from './run.ts';

/**
 * `npm run hostile` runs 20,000 sequences; `npm run hostile -- 200` runs 200. FAST_CHECK_SEED sets another seed. On SIGTERM,
 * the run ends after the current batch.
 */
const [count = 20_000] = process.argv.slice(2).map(Number).filter((number) => number > 0);
const printEvery = 300;
const shrunkAtMost = 10;

let isStopping = false;
process.on('SIGTERM', () => (isStopping = true));
let printedAt = 0;
const report = await runHostile({
  count,
  seed,
  onProgress({ count: done, seconds, failures }) {
    if (done - printedAt >= printEvery) {
      printedAt = done;
      process.stdout.write(`${done} sequences, ${failures.length} failed, ${seconds.toFixed(0)} s\n`);
    }
    return !isStopping;
  },
});
for (const failure of report.failures.slice(0, shrunkAtMost)) {
  process.stdout.write(`${failureText(failure.steps.length > 0 ? await shrink(failure) : failure)}\n`);
}
process.stdout.write(`${summaryOf(report)}\n`);
process.exit(report.failures.length > 0 ? 1 : 0);
