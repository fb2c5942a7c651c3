import { fork } from 'node:child_process';
import * as z from 'zod';
import { nextMessage } from '../support/child-process.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** Attempts at a quiz, and its questions. */
const fullSize = [5_000, 200] as const;
const shortSize = [50, 20] as const;

/** Measures the questions of a large quiz: the first answer, the reading of all attempts, and the answer from all of them. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const [attempts, questions] = isShort ? shortSize : fullSize;
  const program = fork('test/bench/questions-memory.ts', [attempts, questions].map(String));
  const { firstMs, knownMs, restartMs, mebibytes, requests } = z
    .object({
      firstMs: z.number(),
      knownMs: z.number(),
      restartMs: z.number(),
      mebibytes: z.number(),
      requests: z.number(),
    })
    .parse(await nextMessage(program));
  return [
    {
      name: `the ${questions} questions of a quiz with ${attempts.toLocaleString('en')} attempts`,
      figure: `first answer in ${firstMs.toFixed(0)} ms, from all attempts in ${knownMs.toFixed(0)} ms (p50), right after a start in ${restartMs.toFixed(0)} ms; ${mebibytes.toFixed(0)} MiB more memory at most, ${requests.toLocaleString('en')} requests for answers`,
      ...heldAgainst('questions of many', { firstMs, knownMs, mebibytes, again: requests - attempts }),
    },
  ];
}
