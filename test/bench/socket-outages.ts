import {
  measureOutage,
  openSocketBed,
  outageDurations,
  outageKinds,
  type OutageKind,
} from '../support/socket-outage.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** Outages end in different moments between two attempts. */
const extraMs = [0, 3_700, 7_400, 11_100, 14_800, 18_500, 22_200, 25_900];

/** Time until the bot answers again in Socket Mode, in simulated time. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const kind of outageKinds) rows.push(await measure(kind, isShort ? extraMs.slice(0, 1) : extraMs));
  return rows;
}

async function measure(kind: OutageKind, ends: readonly number[]): Promise<BenchRow> {
  const worstMs: number[] = [];
  for (const { ms } of outageDurations) {
    const took: number[] = [];
    for (const extra of ends) took.push(await measureOnce(kind, ms + extra));
    worstMs.push(Math.max(...took));
  }
  const figures = worstMs.map((ms, index) => `${(ms / 1_000).toFixed(1)} s after ${outageDurations[index]!.name}`);
  return {
    name: `Socket Mode, ${kind.name}: until the bot answers again`,
    figure: `at most ${figures.join(', ')}`,
    ...heldAgainst('outage', { seconds: Math.max(...worstMs) / 1_000 }),
  };
}

async function measureOnce(kind: OutageKind, durationMs: number): Promise<number> {
  const bed = await openSocketBed();
  const connected = bed.adapter.connect();
  await bed.time.passUntil(() => bed.workspace.sockets > 0, 5_000);
  await connected;
  await bed.time.pass(61_000);
  try {
    return await measureOutage(bed, kind, durationMs);
  } finally {
    await bed.close();
  }
}
