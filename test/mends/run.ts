import { createVitest, type Reporter, type Vitest } from 'vitest/node';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { withFault, type Judge, type Mend } from './mend.ts';
import { mends } from './mends.ts';

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

const notCopied = ['node_modules', '.git', '.env', 'data', 'coverage', 'test-output'];

/** Gives `work` a copy of the project, which is gone after it. */
async function withCopy<Result>(work: (copy: string) => Promise<Result>): Promise<Result> {
  const copy = mkdtempSync(join(tmpdir(), 'invigilator-mend-'));
  try {
    const left = new Set(notCopied.map((name) => resolve(name)));
    cpSync('.' + sep, copy, { recursive: true, filter: (name) => !left.has(resolve(name)) });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Plants a fault in a copy of the project while `work` runs. */
async function whilePlanted<Result>(
  mend: Mend,
  copy: string,
  work: (files: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const texts = withFault(mend, (file) => readFileSync(join(copy, file), 'utf8'));
  const before = new Map([...texts.keys()].map((file) => [file, readFileSync(join(copy, file))]));
  try {
    for (const [file, text] of texts) writeFileSync(join(copy, file), text);
    return await work([...texts.keys()]);
  } finally {
    for (const [file, text] of before) writeFileSync(join(copy, file), text);
  }
}

/** Runs a random judge in a copy of the project. @returns the line that it prints of the fault; undefined where there is none */
async function findingOf({ script, words, finding }: Judge, copy: string): Promise<string | undefined> {
  const run = spawn('npm', ['run', '--silent', 'judge', '--', script, ...words], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(run, 'exit');
  const said: string[] = [];
  for await (const line of createInterface(run.stdout)) said.push(line);
  const [code] = await exited;
  const found = said.find((line) => finding.test(line))?.trim();
  // What fails without the finding found something else, or did not run.
  if (found === undefined && code !== 0) throw new Error(said.join('\n'));
  return found;
}
