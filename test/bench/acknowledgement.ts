import * as z from 'zod';
import { people } from '../../src/sandbox/workspace/people.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { nextMessage, forkProgram, serverUrl } from '../support/child-process.ts';
import { percentile } from '../support/measurements.ts';
import type { BenchRow } from './bench-row.ts';

const rounds = 5;
const bursts = 80;
const atOnce = 4;
const goal = 1.3;

/** Compares the time from `/quiz list` to its 200 with a bare Bolt app. The apps take turns, with the load in its own process. */
export async function run(): Promise<BenchRow[]> {
  const testBed = await openProcessTestBed({ store: 'sqlite' });
  const bare = forkProgram('test/bench/ack-bare.ts');
  try {
    const bareUrl = await serverUrl(bare);
    await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
    const times = { bot: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const [bareTimes, botTimes] = [await timesOf(bareUrl, false), await timesOf(testBed.bots[0]?.url ?? '', true)];
      // The first round is the warm-up.
      if (round > 0) {
        times.bare.push(...bareTimes);
        times.bot.push(...botTimes);
      }
    }
    const p99 = { bot: percentile(times.bot, 99), bare: percentile(times.bare, 99) };
    const ratio = p99.bot / p99.bare;
    return [
      {
        name: `acknowledgement of /quiz list, ${atOnce} at once, against a bare Bolt app`,
        figure: `p99 ${ratio.toFixed(2)} times as long (${p99.bot.toFixed(1)} to ${p99.bare.toFixed(1)} ms; p50 ${percentile(times.bot, 50).toFixed(1)} to ${percentile(times.bare, 50).toFixed(1)} ms)`,
        goal: `p99 at most ${goal} times`,
        met: ratio <= goal,
      },
    ];
  } finally {
    bare.disconnect();
    await testBed.close();
  }
}

async function timesOf(url: string, answers: boolean): Promise<number[]> {
  return z
    .array(z.number())
    .parse(await nextMessage(forkProgram('test/bench/ack-load.ts', JSON.stringify({ url, bursts, atOnce, answers }))));
}
