import { createRepeating, type Repeating } from '../time/repeating.ts';
import type { SteadyClock } from '../time/steady-clock.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

const everyMs = 1_000;

/**
 * Looks at the clock every second, and reports when it was set.
 *
 * @param deps.onJump wakes what waits for a time of the clock before
 */
export function createClockWatch(deps: {
  steady: SteadyClock;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
  metrics: Pick<Metrics, 'clockJumps'>;
  onJump: () => Promise<void>;
}): Repeating {
  const { steady, log } = deps;
  const warn = (error: unknown) => log.warn({ error }, 'what waits for a time goes on later');
  steady.onJump((byMs) => {
    log.error(
      { bySeconds: Math.round(byMs / 1000) },
      'the clock of this machine was set: nothing is forgotten because of it. Check NTP',
    );
    deps.metrics.clockJumps.inc();
    deps.onJump().catch(warn);
  });
  return createRepeating({ work: async () => void steady.now(), everyMs, sleep: deps.sleep, onError: warn });
}
