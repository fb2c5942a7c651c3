/**
 * When a message whose answer was lost is looked up, counted from its sending. The platform can store a message some time
 * after its answer was lost: 14 seconds were seen, after a call that takes up to 10. After the last look, the message is
 * posted again.
 */
const looksAfterMs = [2_000, 5_000, 10_000, 20_000, 40_000];

/**
 * @param startedAt when the message was sent; all times are milliseconds since the epoch
 * @returns when to look for it next; undefined where the last look is over, or the clock was set back
 */
export function nextLookAt(startedAt: number, now: number): number | undefined {
  if (startedAt > now) return undefined;
  const afterMs = looksAfterMs.find((ms) => startedAt + ms > now);
  return afterMs === undefined ? undefined : startedAt + afterMs;
}

/** Until when a message that was just sent is not looked up yet; undefined where that is over. */
export function graceEndsAt(startedAt: number, now: number): number | undefined {
  const at = nextLookAt(startedAt, startedAt);
  return startedAt <= now && at !== undefined && now < at ? at : undefined;
}
