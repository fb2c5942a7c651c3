import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { metricIn } from './measurements.ts';

/** Linux counts the time of processes in these. */
const ticksASecond = 100;

export interface ProcessCost {
  cpuMs: number;
  writtenKb: number;
}

/** What a process has used since its start. */
export function costOf(pid = Number.NaN): ProcessCost {
  const { own } = cpuOf(pid);
  const written = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
  return { cpuMs: own, writtenKb: Number(written) / 1_024 };
}

/** The resident memory of a process: now, or the most that it ever had. In megabytes. */
export function memoryMBOf(pid = Number.NaN, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024) / 1e6;
}

/** Begins to watch all cores. @returns a function that says which share of their time they have been busy since */
export function watchCores(): () => number {
  const before = coreTimes();
  return () => {
    const now = coreTimes();
    return (now.busyMs - before.busyMs) / (now.allMs - before.allMs);
  };
}

function coreTimes(): { busyMs: number; allMs: number } {
  let [busyMs, allMs] = [0, 0];
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq;
    allMs += all;
    busyMs += all - times.idle;
  }
  return { busyMs, allMs };
}

/** What this process and those that it began have used, as far as they have ended, in milliseconds. Undefined where it is not Linux. */
export function cpuOfAllMs(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const { own, ended } = cpuOf('self');
  return own + ended;
}

function cpuOf(pid: number | 'self'): { own: number; ended: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const msIn = (first: number) => ((Number(fields[first]) + Number(fields[first + 1])) / ticksASecond) * 1_000;
  return { own: msIn(11), ended: msIn(13) };
}

/** The memory of the bot by its metrics, in MiB. */
export interface Sample {
  atS: number;
  resident: number;
  /** Objects that survived some garbage collections, and garbage since the last large one. */
  oldSpace: number;
  /** Outside V8’s heap, such as buffers and the pages of SQLite. */
  besides: number;
}

export function sampleOf(metrics: string, atS: number): Sample {
  const mib = (name: string) => metricIn(metrics, name) / 1024 ** 2;
  const resident = mib('process_resident_memory_bytes');
  return {
    atS,
    resident,
    oldSpace: mib('nodejs_heap_space_size_used_bytes{space="old"}'),
    besides: resident - mib('nodejs_heap_size_total_bytes'),
  };
}

/** What the bot holds in a minute, in MiB: resident memory goes up and down by a tenth with the garbage that V8 lets lie. */
export function heldPerMinute(samples: readonly Sample[]): { atS: number; held: number }[] {
  const minutes = Map.groupBy(samples, ({ atS }) => Math.floor(atS / 60));
  return Array.from(minutes, ([minute, some]) => ({
    atS: 60 * minute,
    held: Math.min(...some.map(({ oldSpace }) => oldSpace)) + Math.min(...some.map(({ besides }) => besides)),
  }));
}

/** The growth in MiB per minute, by least squares. */
export function slopeOf(points: readonly { atS: number; held: number }[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [atMean, heldMean] = [mean(points.map(({ atS }) => atS)), mean(points.map(({ held }) => held))];
  const covariance = points.reduce((sum, { atS, held }) => sum + (atS - atMean) * (held - heldMean), 0);
  const variance = points.reduce((sum, { atS }) => sum + (atS - atMean) ** 2, 0);
  return variance === 0 ? 0 : (60 * covariance) / variance;
}
