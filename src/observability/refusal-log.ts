import type { SetTimer } from '../time/clock.ts';
import type { Log } from './log.ts';

/** Logs once that a key or a token of the bot is refused, and once that it is accepted again. */
export function createCredentialLog(log: Log, variable: string) {
  let isRefused = false;
  return {
    /** @param whatToDo one line for the operator */
    refused(whatToDo: string): void {
      if (!isRefused) log.error(whatToDo);
      isRefused = true;
    },
    accepted(): void {
      if (isRefused) log.info(`${variable} is accepted again`);
      isRefused = false;
    },
  };
}

/**
 * Logs refused requests in one line per `everyMs` (default: 5 s), with the number of refusals for each reason, so that
 * a flood of requests does not become a flood of lines.
 *
 * @returns counts a refusal; `reason` must be a constant, never text from the request
 */
export function createRefusalLog({
  log,
  message,
  setTimer,
  everyMs = 5_000,
}: {
  log: Log;
  message: string;
  setTimer: SetTimer;
  everyMs?: number;
}): (reason: string) => void {
  let reasons: Record<string, number> = {};

  function write(): void {
    log.warn({ reasons }, message);
    reasons = {};
  }

  return (reason) => {
    if (Object.keys(reasons).length === 0) setTimer(write, everyMs);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  };
}
