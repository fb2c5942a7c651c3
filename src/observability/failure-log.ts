import type { SetTimer } from '../time/clock.ts';
import type { Log } from './log.ts';

/** Different failures that are counted at the same time. Above this, the oldest counts as new when it comes again. */
const failuresAtMost = 100;

/**
 * Logs a failure at once, and the same failure again in one line per `everyMs` (default: 60 s) with the number of times, so
 * that an outage does not fill the disk.
 */
export function createFailureLog({
  log,
  message,
  setTimer,
  everyMs = 60_000,
}: {
  log: Log;
  message: string;
  setTimer: SetTimer;
  everyMs?: number;
}): (error: unknown) => void {
  const repeated = new Map<string, { times: number; latest: unknown }>();

  function watch(text: string): void {
    setTimer(() => {
      const { times, latest } = repeated.get(text) ?? { times: 0, latest: undefined };
      repeated.delete(text);
      if (times === 0) return;
      log.warn({ error: latest, times }, message);
      repeated.set(text, { times: 0, latest });
      watch(text);
    }, everyMs);
  }

  return (error) => {
    const text = textOf(error);
    const known = repeated.get(text);
    if (known !== undefined) {
      known.times += 1;
      known.latest = error;
      return;
    }
    log.warn({ error }, message);
    if (repeated.size >= failuresAtMost) repeated.delete(repeated.keys().next().value!);
    repeated.set(text, { times: 0, latest: error });
    watch(text);
  };
}

/** Without numbers, such as ports, which differ each time. */
function textOf(error: unknown): string {
  const own = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? ` <- ${textOf(error.cause)}` : '';
  return (own + cause).replaceAll(/\d+/g, '0').slice(0, 1_000);
}
