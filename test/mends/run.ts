import { createVitest, type Reporter, type Vitest } from 'vitest/node';
import { join, resolve } from 'node:path';
import type { Mend } from './mend.ts';
import { mends } from './mends.ts';
import { findingOf, whilePlanted, withCopy } from './plant.ts';

/**
 * Plants one fault after the other in a copy of the project, and says whether the test or the random judge that each names finds
 * it.
 *
 * @param given `policy`: those with this word in the promise, the file or the finder; `!hostile`: those without it; `--shard 1/4`:
 *   every fourth of them, from the first on
 * @returns whether each was found
 */
export async function runMends(given: readonly string[]): Promise<boolean> {
  const shardAt = given.indexOf('--shard');
  const words = given.filter((_, index) => shardAt < 0 || index < shardAt || index > shardAt + 1);
  const [shard = 1, shards = 1] = shardAt < 0 ? [] : given[shardAt + 1]!.split('/').map(Number);
  const chosen = mends
    .filter((mend) => words.every((word) => (word.startsWith('!') ? !has(mend, word.slice(1)) : has(mend, word))))
    .filter((_, index) => index % shards === shard - 1);
  const root = resolve('.');
  let notFound = 0;
  await withCopy(async (copy) => {
    // Tests read files of the project by their relative names, and some run in CI alone.
    process.chdir(copy);
    process.env['CI'] = 'true';
    // One failure is enough: those that wait for what never comes would follow.
    const firstFailure: Reporter = {
      onTestCaseResult: (test) => {
        if (test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure');
      },
    };
    const vitest = await createVitest('test', { root: copy, watch: false, testTimeout, reporters: [firstFailure] });
    try {
      for (const mend of chosen) {
        const beganAt = performance.now();
        const finding = await whilePlanted(mend, copy, (files) => findingWith(mend, { vitest, copy, files }));
        const seconds = ((performance.now() - beganAt) / 1000).toFixed(0);
        if (finding === undefined) notFound += 1;
        const what = `${finding === undefined ? 'NOT FOUND' : 'found'} in ${seconds} s`;
        process.stdout.write(`${what}: ${mend.promise} (${mend.edits[0]?.file})\n  ${finding ?? ''}\n`);
      }
    } finally {
      process.chdir(root);
      await vitest.close();
    }
  });
  process.stdout.write(`${chosen.length} faults, ${notFound} not found\n`);
  return notFound === 0;
}

/** In milliseconds. A fault can keep a test waiting for ever. */
const testTimeout = 60_000;

function has({ promise, edits, foundBy }: Mend, word: string): boolean {
  return [promise, ...edits.map(({ file }) => file), typeof foundBy === 'string' ? foundBy : foundBy.script].some(
    (text) => text.includes(word),
  );
}

/** @returns what is said of a planted fault; undefined where nothing is */
async function findingWith(
  { promise, foundBy }: Mend,
  { vitest, copy, files }: { vitest: Vitest; copy: string; files: readonly string[] },
): Promise<string | undefined> {
  if (typeof foundBy !== 'string') return findingOf(foundBy, copy);
  for (const file of files) vitest.invalidateFile(join(copy, file));
  const specifications = await vitest.globTestSpecifications([foundBy]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const file of files) vitest.invalidateFile(join(copy, file));
  // Modules of earlier runs are among them.
  const modules = testModules.filter(({ moduleId }) => specifications.some((one) => one.moduleId === moduleId));
  const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
  const errors = [...modules.flatMap((module) => module.errors()), ...unhandledErrors];
  // A fault that no module can be loaded with is none that somebody could make.
  if (failed.length === 0 && errors.length > 0) throw new Error(`${promise}: ${JSON.stringify(errors[0])}`);
  return failed[0]?.fullName;
}
