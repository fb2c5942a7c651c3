/**
 * How long anything waits for what happens, in milliseconds: a machine that is busy with other programs is slow. Only what will
 * never come takes so long.
 */
export const watchdogMs = 5 * 60_000;
