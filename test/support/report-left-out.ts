import type { TestProject } from 'vitest/node';
import { noBrowser } from '../browser/support/chromium.ts';
import { haproxyMissing } from './haproxy.ts';
import { promtoolMissing } from './promtool.ts';
import { redisMissing } from './redis.ts';
import { systemdMissing } from './systemd.ts';

const overRedis = new Set(['scenarios', 'store', 'faults', 'documents']);

/** Global setup of Vitest, run for each project: prints which of its tests cannot run on this machine and how to include them. */
export default function reportLeftOut({ name }: TestProject): void {
  if (noBrowser && name === 'browser')
    process.stdout.write(
      `Left out of ${name}: all tests (${noBrowser}). Install Debian's chromium, or set CHROMIUM_PATH.\n`,
    );
  if (promtoolMissing && name === 'documents')
    process.stdout.write(`Left out of ${name}: tests with promtool (${promtoolMissing}).\n`);
  if (systemdMissing && name === 'documents')
    process.stdout.write(`Left out of ${name}: tests with systemd-analyze (${systemdMissing}).\n`);
  if (haproxyMissing && name === 'faults')
    process.stdout.write(`Left out of ${name}: a test with HAProxy (${haproxyMissing}).\n`);
  if (redisMissing && overRedis.has(name))
    process.stdout.write(`Left out of ${name}: tests over Redis (${redisMissing}).\n`);
}
