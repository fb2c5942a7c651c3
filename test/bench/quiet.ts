import { setTimeout as pause } from 'node:timers/promises';
import { metricIn } from '../support/measurements.ts';

const lookEveryMs = 300;
/** Of one core. */
const quietShare = 0.1;
const timeoutMs = 60_000;

/** Resolves when the bots have little to do any more, as far as their own figures for CPU time tell. */
export async function untilQuiet(bots: readonly { url: string }[]): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let before = await cpuSeconds(bots), beforeMs = performance.now(); performance.now() < deadline; ) {
    await pause(lookEveryMs);
    const now = await cpuSeconds(bots);
    const nowMs = performance.now();
    if (now - before < (quietShare * (nowMs - beforeMs)) / 1000) return;
    [before, beforeMs] = [now, nowMs];
  }
  throw new Error(`the bot was busy for ${timeoutMs} ms`);
}

async function cpuSeconds(bots: readonly { url: string }[]): Promise<number> {
  const each = await Promise.all(
    bots.map(async ({ url }) => metricIn(await (await fetch(`${url}/metrics`)).text(), 'process_cpu_seconds_total')),
  );
  return each.reduce((sum, seconds) => sum + seconds, 0);
}
