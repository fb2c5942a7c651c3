import { seed } from '../support/seeded-random.ts';
import { untilSign } from '../judges/kit.ts';
import { batchKinds, failureText, runHostile, shrink, summaryOf } from './run.ts';

/**
 * `npm run hostile` runs 20,000 sequences, `npm run hostile -- 200` runs 200, and `npm run hostile -- 200 kills` runs batches of
 * that kind alone (`crowded`, `kills`, `alone`, `many`, `'many kills'`, `leaps`; over two tenants `tenants`, `'tenants kills'`, and
 * `departments`, which are in one workspace). On SIGTERM, the run ends after the current batch.
 *
 * With `until:users`, a run ends at its first violation with this word.
 *
 * FAST_CHECK_SEED sets the seed of the first sequence; each sequence after it has the next seed. To run the sequence of a failure
 * alone, set its seed, and give 1 and its kind. A failure that needs what the bot kept of earlier sequences comes back
 * from the first of them on: set that seed, and give a count that reaches the failure.
 */
const words = process.argv.slice(2);
const count = words.map(Number).find((number) => number > 0) ?? 20_000;
const kind = batchKinds.find((known) => words.includes(known));
const printEvery = 1_000;
const shrunkAtMost = 10;
const enough = words.find((word) => word.startsWith(untilSign))?.slice(untilSign.length);

let isStopping = false;
process.on('SIGTERM', () => (isStopping = true));
let printedAt = 0;
let printedFailures = 0;
const report = await runHostile({
  count,
  seed,
  kind,
  isEnough: ({ violations }) =>
    enough !== undefined && violations.some(({ rule, message }) => `${rule}: ${message}`.includes(enough)),
  onProgress({ count: done, seconds, failures }) {
    if (done - printedAt >= printEvery) {
      printedAt = done;
      process.stdout.write(`${done} sequences, ${failures.length} failed, ${seconds.toFixed(0)} s\n`);
    }
    for (const failure of failures.slice(printedFailures)) process.stdout.write(`${failureText(failure)}\n`);
    printedFailures = failures.length;
    return !isStopping;
  },
});
process.stdout.write(`${summaryOf(report)}\n`);
for (const failure of (enough === undefined ? report.failures : [])
  .filter(({ steps }) => steps.length > 0)
  .slice(0, shrunkAtMost)) {
  process.stdout.write(`The shortest form of ${failureText(await shrink(failure))}\n`);
}
process.exit(report.failures.length > 0 ? 1 : 0);
