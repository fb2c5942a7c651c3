import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';
import { programEnv } from './child-process.ts';

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

/** The reason why tests with a disk of their own cannot run on this machine, or null. */
export const ownDiskMissing: string | null =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/tmp']).status === 0
    ? null
    : 'unshare is missing, or may mount nothing: allow user namespaces to run the tests of disks';

/**
 * Runs a program of the bot where a folder is a disk of its own.
 *
 * @param options of the mount, such as `size=64k` or `ro`
 * @param below whether `DATA_DIR` is a folder that is yet to be made on the disk
 * @returns what it wrote
 */
export function runOnDisk(program: string, options: string, { below = false } = {}): string {
  const disk = temporaryDirectory();
  const script = `mount -t tmpfs -o mode=700,${options} none "$1" && exec "$2" "$3"`;
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['--map-root-user', '--mount', 'sh', '-c', script, 'sh', disk, process.execPath, program],
    {
      encoding: 'utf8',
      env: {
        ...programEnv,
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_SIGNING_SECRET: 'f00d',
        SLACK_API_URL: 'http://127.0.0.1:9/',
        QUIZ_API_URL: 'http://127.0.0.1:9',
        QUIZ_API_KEY: 'key',
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: below ? `${disk}/data` : disk,
      },
    },
  );
  return `${stdout}${stderr}`.replaceAll(disk, '/disk');
}
