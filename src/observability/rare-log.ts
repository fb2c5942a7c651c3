import type { SetTimer } from '../time/clock.ts';
import type { Log } from './log.ts';

/** Different failures that are counted at the same time. Above this, the oldest counts as new when it comes again. */
const failuresAtMost = 100;

/**
 * Logs a failure at once, and the same failure again in one line per minute with the number of times, so that an outage does not
 * fill the disk.
 */
export function createFailureLog(log: Log, message: string, setTimer: SetTimer): (error: unknown) => void {
  const repeated = new Map<string, { times: number; latest: unknown }>();

  function begin(text: string, latest: unknown): void {
    const count = { times: 0, latest };
    repeated.set(text, count);
    setTimer(() => {
      if (repeated.get(text) === count) repeated.delete(text);
      if (count.times === 0) return;
      log.warn({ error: count.latest, times: count.times }, message);
      begin(text, count.latest);
    }, 60_000);
  }

  return (error) => {
    const text = textOf(error);
    const known = repeated.get(text);
    if (known !== undefined) return void Object.assign(known, { times: known.times + 1, latest: error });
    log.warn({ error }, message);
    if (repeated.size >= failuresAtMost) repeated.delete(repeated.keys().next().value!);
    begin(text, error);
  };
}

/** Without numbers, such as ports, which differ each time. */
function textOf(error: unknown): string {
  const own = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? ` <- ${textOf(error.cause)}` : '';
  return (own + cause).replaceAll(/\d+/g, '0').slice(0, 1_000);
}

/**
 * Logs refused requests in one line per five seconds, with the number of refusals for each reason, so that a flood of requests
 * does not become a flood of lines.
 *
 * @returns counts a refusal; `reason` must be a constant, never text from the request
 */
export function createRefusalLog(log: Log, message: string, setTimer: SetTimer): (reason: string) => void {
  let reasons: Record<string, number> = {};

  function write(): void {
    log.warn({ reasons }, message);
    reasons = {};
  }

  return (reason) => {
    if (Object.keys(reasons).length === 0) setTimer(write, 5_000);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  };
}

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
