import { noBrowser } from '../browser/support/chromium.ts';
import { opensslMissing } from './closed-network.ts';
import { haproxyMissing } from './haproxy.ts';
import { ownDiskMissing } from './own-disk.ts';
import { promtoolMissing } from './promtool.ts';
import { redisMissing } from './redis.ts';
import { systemdMissing } from './systemd.ts';

const leftOut: readonly { projects: readonly string[]; tests: string; reason: string | null }[] = [
  {
    projects: ['browser'],
    tests: 'all tests',
    reason: noBrowser === undefined ? null : `${noBrowser}: install Debian’s chromium, or set CHROMIUM_PATH`,
  },
  { projects: ['unit'], tests: 'tests of disks', reason: ownDiskMissing },
  { projects: ['documents'], tests: 'tests with promtool', reason: promtoolMissing },
  { projects: ['documents'], tests: 'tests with systemd-analyze', reason: systemdMissing },
  { projects: ['scenarios'], tests: 'tests behind a proxy', reason: opensslMissing },
  { projects: ['faults', 'documents'], tests: 'tests with HAProxy', reason: haproxyMissing },
  { projects: ['scenarios', 'store', 'faults', 'documents'], tests: 'tests over Redis', reason: redisMissing },
];

/** A line for what cannot run on this machine, of each of these projects, with how to include it. */
export function linesOfLeftOut(names: ReadonlySet<string>): string[] {
  return leftOut.flatMap(({ projects, tests, reason }) =>
    projects
      .filter((name) => reason !== null && names.has(name))
      .map((name) => `Left out of ${name}: ${tests} (${reason}).`),
  );
}
