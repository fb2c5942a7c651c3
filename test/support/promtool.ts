import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

/** The reason why tests with promtool cannot run on this machine, or null. CI never skips them. */
export const promtoolMissing: string | null = findPromtool();

function findPromtool(): string | null {
  if (spawnSync('promtool', ['--version']).status === 0) return null;
  if (process.env['CI'] === 'true') throw new Error('promtool is missing, and CI runs every test');
  return 'promtool is missing: install Debian’s prometheus to run the tests of the alarms';
}

/**
 * Runs promtool in the root of the project.
 *
 * @param files to write first, by name; parameters that are one of these names become its path
 * @returns what it wrote, and its exit code
 */
export function promtool(
  parameters: readonly string[],
  options: { input?: string; files?: Readonly<Record<string, string>> } = {},
): { output: string; code: number | null } {
  const folder = temporaryDirectory();
  const { input, files = {} } = options;
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { stdout, stderr, status } = spawnSync(
    'promtool',
    parameters.map((parameter) => (parameter in files ? join(folder, parameter) : parameter)),
    { encoding: 'utf8', ...(input !== undefined && { input }) },
  );
  return { output: stdout + stderr, code: status };
}
