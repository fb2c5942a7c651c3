import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** What keeps a fault away. Each text stands in its file exactly once. */
export interface Mend {
  name: string;
  edits: readonly { file: string; text: string; instead: string }[];
}

/** What follows it is what ends a run. */
export const untilSign = 'until:';

const copied = ['src', 'test', 'manifest.yml', 'package.json', 'tsconfig.json'];

/** Copies the sources without the mend. */
function copyWithout({ edits }: Mend): string {
  const copy = mkdtempSync(join(tmpdir(), 'invigilator-mend-'));
  for (const name of copied) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const { file, text, instead } of edits) {
    const parts = readFileSync(join(copy, file), 'utf8').split(text);
    if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${text}`);
    writeFileSync(join(copy, file), parts.join(instead));
  }
  return copy;
}

/** Runs a script of the package on a copy without the mend. @returns what it prints, line by line */
export async function runWithout(mend: Mend, script: string, words: readonly string[]): Promise<string[]> {
  const copy = copyWithout(mend);
  try {
    const run = spawn('npm', ['run', '--silent', script, '--', ...words], {
      cwd: copy,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(run, 'exit');
    const said: string[] = [];
    for await (const line of createInterface(run.stdout)) said.push(line);
    await exited;
    return said;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Takes out one mend after the other, and prints whether the fault is found.
 *
 * @param firstFinding what is found without the mend; undefined where it is not the fault
 * @returns whether each was found
 */
export async function takeOutEach<One extends Mend>(
  mends: readonly One[],
  firstFinding: (mend: One) => Promise<string | undefined>,
): Promise<boolean> {
  let areAllFound = true;
  for (const mend of mends) {
    const startedAt = performance.now();
    const finding = await firstFinding(mend);
    areAllFound &&= finding !== undefined;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(`${finding ? 'found' : 'NOT FOUND'} in ${seconds} s: ${mend.name}\n  ${finding ?? ''}\n`);
  }
  return areAllFound;
}
