import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createSandboxClock, type SandboxClock } from './sandbox-clock.ts';

/**
 * A clock that stays ahead after a restart: what was kept would lie in the future otherwise.
 * @param path of its file
 * @param options.startMs of a clock that no file keeps, in milliseconds since 1970. Default: now
 * @param options.longestStepMs as `createSandboxClock` takes it, and `longDelayMs` as well
 */
export function openKeptClock(
  path: string,
  { startMs, ...options }: { startMs?: number | undefined; longestStepMs?: number; longDelayMs?: number } = {},
): SandboxClock {
  const kept = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { aheadMs: number })
    : { aheadMs: startMs === undefined ? 0 : startMs - Date.now() };
  const clock = createSandboxClock(kept.aheadMs, options);
  clock.onChange(() => writeFileSync(path, JSON.stringify({ aheadMs: clock.aheadMs })));
  return clock;
}
