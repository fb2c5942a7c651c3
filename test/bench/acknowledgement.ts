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

/** How long a person's client waits for the 200 after `/quiz list`, against a bare Bolt app; in turn, with the load in a process of its own. */
export async function run(): Promise<BenchRow[]> {
  const box = await openProcessTestBed({ store: 'sqlite' });
  const bare = forkProgram('test/bench/ack-bare.ts');
  try {
    const bareUrl = await serverUrl(bare);
    await (await box.workspace.as(people.ada.id).command('/quiz list')).reply();
    const times = { bot: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const [ofBare, ofBot] = [await timesOf(bareUrl, false), await timesOf(box.bots[0]?.url ?? '', true)];
      // In the first round both warm up.
      if (round > 0) {
        times.bare.push(...ofBare);
        times.bot.push(...ofBot);
      }
    }
    const p99 = { bot: percentile(times.bot, 99), bare: percentile(times.bare, 99) };
    const ratio = p99.bot / p99.bare;
    return [{
      name: `acknowledgement of /quiz list, ${atOnce} at once, against a bare Bolt app`,
      figure: `p99 ${ratio.toFixed(2)} times as long (${p99.bot.toFixed(1)} to ${p99.bare.toFixed(1)} ms; p50 ${percentile(times.bot, 50).toFixed(1)} to ${percentile(times.bare, 50).toFixed(1)} ms)`,
      goal: `p99 at most ${goal} times`,
      met: ratio <= goal,
    }];
  } finally {
    bare.disconnect();
    await box.close();
  }
}

async function timesOf(url: string, answers: boolean): Promise<number[]> {
  return z.array(z.number()).parse(await nextMessage(forkProgram('test/bench/ack-load.ts', JSON.stringify({ url, bursts, atOnce, answers }))));
}
