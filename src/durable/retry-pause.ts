import type { PlatformError, PlatformErrorKind } from '../domain/errors.ts';
import { backoffMs } from '../time/backoff.ts';

const backoff = { firstMs: 1_000, longestMs: 5 * 60_000 };
/** Short, so that what waits is posted soon after an outage. A longer outage is known, and no queue posts during it. */
const outageBackoff = { firstMs: 1_000, longestMs: 5_000 };
/** After so many, a call fails for a reason of its own: 10 minutes. */
const outageFailuresAtMost = 120;

/** How long a queue waits after so many failed calls in a row, in milliseconds. */
export function retryPauseMs(
  failures: number,
  { kind, retryAfterMs }: Pick<PlatformError, 'retryAfterMs'> & { kind?: PlatformErrorKind },
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  return backoffMs(failures, kind === 'unclear' && failures <= outageFailuresAtMost ? outageBackoff : backoff);
}
