import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in these. */
const ticksASecond = 100;

export interface ProcessCost {
  cpuMs: number;
  writtenKb: number;
}

/** What a process has used since its start. */
export function costOf(pid = Number.NaN): ProcessCost {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  const written = /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
  return { cpuMs: ((user + system) / ticksASecond) * 1_000, writtenKb: Number(written) / 1_024 };
}
