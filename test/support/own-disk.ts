import { spawnSync } from 'node:child_process';
import { programEnv } from './child-process.ts';
import { temporaryDirectory } from './temporary.ts';

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
