import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { withFault, type Judge, type Mend } from './mend.ts';

const notCopied = ['node_modules', '.git', '.env', 'data', 'coverage', 'test-output'];

/** Gives `work` a copy of the project, which is gone after it. */
export async function withCopy<Result>(work: (copy: string) => Promise<Result>): Promise<Result> {
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
export async function whilePlanted<Result>(
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
export async function findingOf({ script, words, finding }: Judge, copy: string): Promise<string | undefined> {
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
