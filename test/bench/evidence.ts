import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { missedChanges } from '../features/evidence/changes.ts';
import { fork } from 'node:child_process';
import { nextMessage } from '../support/child-process.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const pack = { people: 1_000, campaigns: 12, entries: 100_000 };
const shortPack = { people: 20, campaigns: 2, entries: 1_000 };

/** Measures a pack of a year, and how many of many random changes of a pack go unnoticed. `--size`: the number of changes. */
export async function run({ isShort, size = isShort ? 20 : 10_000, seed = 1 }: BenchOptions): Promise<BenchRow[]> {
  const { people, campaigns, entries } = isShort ? shortPack : pack;
  const { bytes, seconds, mebibytes, longestMs } = await madePack([people, campaigns, entries]);
  const missed = await missedOf(size, seed);
  return [
    {
      name: `an evidence pack on ${people.toLocaleString('en')} people in ${campaigns} campaigns, with ${entries.toLocaleString('en')} entries of the audit trail`,
      figure: `${(bytes / 2 ** 20).toFixed(1)} MiB in ${seconds.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB more memory at most, nothing else held up for longer than ${longestMs.toFixed(0)} ms`,
      ...heldAgainst('pack', { seconds, mebibytes }),
    },
    {
      name: `${size.toLocaleString('en')} random changes of an evidence pack`,
      figure: `${(size - missed.length).toLocaleString('en')} found${missed.length > 0 ? `, but not ${missed.slice(0, 5).join('; ')}` : ''}`,
      ...heldAgainst('changed packs', { missed: missed.length }),
    },
  ];
}

async function madePack(size: readonly number[]) {
  const program = fork('test/bench/evidence-memory.ts', size.map(String));
  const measured = z.object({ bytes: z.number(), seconds: z.number(), mebibytes: z.number(), longestMs: z.number() });
  return measured.parse(await nextMessage(program));
}

async function missedOf(count: number, seed: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-evidence-'));
  try {
    return await missedChanges(count, seed, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
