import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createSandboxClock, type SandboxClock } from './sandbox-clock.ts';

/**
 * A clock that stays ahead after a restart: what was kept would lie in the future otherwise.
 * @param path of its file
 * @param options those of `createSandboxClock`
 */
export function openKeptClock(path: string, options: Parameters<typeof createSandboxClock>[1] = {}): SandboxClock {
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { aheadMs: number }) : { aheadMs: 0 };
  const clock = createSandboxClock(kept.aheadMs, options);
  clock.onChange(() => writeFileSync(path, JSON.stringify({ aheadMs: clock.aheadMs })));
  return clock;
}
