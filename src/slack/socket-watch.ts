import { backoffMs } from '../time/backoff.ts';

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
 * Checks without progress until the connection is started over: 30 s until it is open, 10 s after that. A refresh of
 * Slack's takes up to 12 s until the new connection says hello. On an open connection, the SDK pings every 1.7 s.
 * The limits count checks and not time: after a pause of the process, the answers of the meantime are yet to be read.
 */
const idleChecksAtMost: Readonly<Record<Phase, number>> = { asking: 15, opening: 15, connected: 5 };

/** An open connection makes progress when it receives anything, the others when they come to another phase. */
export function nextWatch(before: Watch | undefined, seen: Sighting): Watch {
  const isProgress = before?.phase !== seen.phase || (seen.phase === 'connected' && before.bytesRead !== seen.bytesRead);
  return { ...seen, idleChecks: isProgress ? 0 : before.idleChecks + 1 };
}

export function isStuck({ phase, idleChecks }: Watch): boolean {
  return idleChecks >= idleChecksAtMost[phase];
}

/** How a connection ended. `connectedMs` is 0 if it never opened. */
export type ConnectionEnd =
  | { kind: 'lost' | 'failed' | 'stuck' | 'refused'; connectedMs: number }
  | { kind: 'rate limited'; retryAfterMs: number; connectedMs: number };

/** A connection that was open for this long worked: its end is not counted as a failure. */
const stableMs = 60_000;
/** Grows like the waits between the SDK's own attempts. */
const backoff = { firstMs: 1_000, longestMs: 30_000, factor: 1.3 };
const refusedWaitMs = 60_000;

/** @returns the failures in a row, and how long to wait before the next connection */
export function planReopening(end: ConnectionEnd, failuresBefore: number): { failures: number; waitMs: number } {
  const failures = end.connectedMs >= stableMs ? 0 : failuresBefore + 1;
  if (end.kind === 'rate limited') return { failures, waitMs: end.retryAfterMs };
  if (end.kind === 'refused') return { failures, waitMs: refusedWaitMs };
  // It has waited for 30 s already.
  if (end.kind === 'stuck' && end.connectedMs === 0) return { failures: failuresBefore, waitMs: 0 };
  return { failures, waitMs: failures === 0 ? 0 : backoffMs(failures, backoff) };
}
