import { spawnSync } from 'node:child_process';

/** The reason why tests with systemd-analyze cannot run on this machine, or null. CI never skips them. */
export const systemdMissing: string | null = findSystemd();

function findSystemd(): string | null {
  if (spawnSync('systemd-analyze', ['--version']).status === 0) return null;
  if (process.env['CI'] === 'true') throw new Error('systemd-analyze is missing, and CI runs every test');
  return 'systemd-analyze is missing: install systemd to run the tests of the unit';
}

/** Runs systemd-analyze, which needs no running systemd for files. @returns what it wrote, and its exit code */
export function systemdAnalyze(parameters: readonly string[]): { output: string; code: number | null } {
  const { stdout, stderr, status } = spawnSync('systemd-analyze', parameters, { encoding: 'utf8' });
  return { output: stdout + stderr, code: status };
}
