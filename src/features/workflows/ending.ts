import { PlatformError } from '../../domain/errors.ts';
import type { StepEnding } from '../../domain/workflow.ts';
import { restFor, restsUntil, type Rest } from '../../durable/rest.ts';
import type { Log } from '../../observability/log.ts';
import { backoffMs } from '../../time/backoff.ts';

/** Tells the platform how a run ended. `gone`: it had ended before, or its workflow is gone. @throws {PlatformError} */
export type Complete = (executionId: string, ending: StepEnding) => Promise<'ended' | 'gone'>;

/** A try to end a run. `later`: in milliseconds since the epoch. */
export type EndingTry = { kind: 'over' } | { kind: 'later'; at: number };

export type TryEnding = (executionId: string, ending: StepEnding, failures: number) => Promise<EndingTry>;

const backoff = { firstMs: 2_000, longestMs: 3_600_000 };
/** Over a week, most of it an hour apart. */
const triesAtMost = 180;

/**
 * Ends runs. The platform has no look-up for a run, but refuses to end a run twice, so an ending whose answer was lost is sent
 * again: either it counts now, or it counted then.
 */
export function createTryEnding({
  complete,
  log,
  now,
}: {
  complete: Complete;
  log: Log;
  now: () => number;
}): TryEnding {
  let pause: Rest = { notBefore: 0 };

  return async (executionId, ending, failures) => {
    const pausedUntil = restsUntil(pause, now());
    if (pausedUntil !== undefined) return { kind: 'later', at: pausedUntil };
    try {
      const ended = await complete(executionId, ending);
      if (ended === 'gone')
        log.info(
          { execution: executionId, failures },
          'a step of a workflow had ended before, or its workflow is gone',
        );
      return { kind: 'over' };
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      // The limit is of all runs together.
      if (error.kind === 'rate_limited') {
        pause = restFor(error.retryAfterMs ?? backoff.firstMs, now());
        return { kind: 'later', at: pause.notBefore };
      }
      if (failures + 1 >= triesAtMost) {
        log.error({ error, execution: executionId }, 'a step of a workflow could not be ended, and is given up');
        return { kind: 'over' };
      }
      log.warn({ error, execution: executionId }, 'a step of a workflow is ended later');
      return { kind: 'later', at: now() + backoffMs(failures + 1, backoff) };
    }
  };
}
