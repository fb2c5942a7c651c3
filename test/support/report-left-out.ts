import { noBrowser } from '../browser/support/chromium.ts';
import { redisMissing } from './redis.ts';

/** Global setup of Vitest: prints which tests cannot run on this machine and how to include them. */
export default function reportLeftOut(): void {
  if (noBrowser) process.stdout.write(`Left out: tests in a browser (${noBrowser}). Install Debian's chromium, or set CHROMIUM_PATH.\n`);
  if (redisMissing) process.stdout.write(`Left out: tests over Redis (${redisMissing}).\n`);
}
