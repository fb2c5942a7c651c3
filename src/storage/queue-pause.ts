const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** How long a queue waits after so many failures in a row, before it is run again, in milliseconds. */
export function pauseMsAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
}
