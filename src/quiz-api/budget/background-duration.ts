import { reserveOf, serviceWindows } from './rate-windows.ts';

const shares = serviceWindows
  .map((window) => ({ windowMs: window.windowMs, limit: window.limit - reserveOf(window).inQuiet }))
  .toSorted((a, b) => b.windowMs - a.windowMs);
const [shortest] = shares.toReversed();

/** The requests that background work can send in a minute while nobody uses the bot. */
export const backgroundPerMinute = shortest ? (shortest.limit * 60_000) / shortest.windowMs : 1;

/** How long so many requests take in the background, in milliseconds, while nobody uses the bot. */
export function backgroundDurationMs(requests: number): number {
  let left = Math.max(0, requests - 1);
  let durationMs = 0;
  for (const { limit, windowMs } of shares) {
    durationMs += Math.floor(left / limit) * windowMs;
    left %= limit;
  }
  return durationMs + Math.ceil((left * 60_000) / backgroundPerMinute);
}
