import { readFileSync } from 'node:fs';

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
