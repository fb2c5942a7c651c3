import { backoffMs } from '../../time/backoff.ts';
import { longestTimerMs } from '../../time/clock.ts';

/** `asking` Slack for an address, `opening` it until Slack says hello, then `connected`. */
export type Phase = 'asking' | 'opening' | 'connected';

/** What a check sees of a connection. */
export interface Sighting {
  phase: Phase;
  /** The bytes that the connection has received so far. */
  bytesRead: number;
}

export interface Watch extends Sighting {
  /** How many checks in a row saw no progress. */
  idleChecks: number;
}

export const checkEveryMs = 2_000;

/**
 * Checks without progress until the connection is started over: 30 s before it is open, 10 s after that. When Slack
 * refreshes a connection, the hello of the next can take 12 s. On an open connection, the SDK pings every 1.7 s. The
 * limits count checks and not time: after the process was paused, what arrived meanwhile is still unread.
 */
const idleChecksAtMost: Readonly<Record<Phase, number>> = { asking: 15, opening: 15, connected: 5 };

/** An open connection makes progress when it receives anything, the others when they come to another phase. */
export function nextWatch(before: Watch | undefined, seen: Sighting): Watch {
  const isProgress =
    before?.phase !== seen.phase || (seen.phase === 'connected' && before.bytesRead !== seen.bytesRead);
  return { ...seen, idleChecks: isProgress ? 0 : before.idleChecks + 1 };
}

export function isStuck({ phase, idleChecks }: Watch): boolean {
  return idleChecks >= idleChecksAtMost[phase];
}

/** How a connection ended. `connectedMs` is 0 if it never opened. */
export type ConnectionEnd =
  | { kind: 'lost' | 'failed' | 'stuck' | 'refused'; connectedMs: number }
  | { kind: 'rate limited'; retryAfterMs: number; connectedMs: number };

/** The end of a connection that was open for this long is not counted as a failure. */
const stableMs = 60_000;
/** The waits grow like those between the SDK's own attempts. */
const backoff = { firstMs: 1_000, longestMs: 30_000, factor: 1.3 };
const refusedWaitMs = 60_000;

/** @returns the failures in a row, and how long to wait before the next connection */
export function planReopening(end: ConnectionEnd, failuresBefore: number): { failures: number; waitMs: number } {
  const failures = end.connectedMs >= stableMs ? 0 : failuresBefore + 1;
  if (end.kind === 'rate limited')
    return { failures, waitMs: Math.min(longestTimerMs, Math.max(backoff.firstMs, end.retryAfterMs)) };
  if (end.kind === 'refused') return { failures, waitMs: refusedWaitMs };
  // It has waited for 30 s already.
  if (end.kind === 'stuck' && end.connectedMs === 0) return { failures: failuresBefore, waitMs: 0 };
  return { failures, waitMs: failures === 0 ? 0 : backoffMs(failures, backoff) };
}
