import { setTimeout as pause } from 'node:timers/promises';
import { costOf, memoryMBOf } from '../support/process-cost.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { sendWebhooks } from '../support/send-webhooks.ts';
import type { BenchOptions, BenchRow } from './bench-row.ts';

const fullSize = { idleMs: 5_000, warmUp: 5_000, webhooks: 15_000 };
const shortSize = { idleMs: 0, warmUp: 10, webhooks: 10 };

/** What V8 may use for new objects, in MB. With 0, V8 chooses. */
const choices = [
  { semiSpaceMB: 0, name: 'as V8 chooses' },
  { semiSpaceMB: 8, name: '--max-semi-space-size=8' },
  { semiSpaceMB: 4, name: '--max-semi-space-size=4' },
];

/** Measures what the space for new objects does to the memory of a bot, and to its speed. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const { idleMs, warmUp, webhooks } = isShort ? shortSize : fullSize;
  const rows: BenchRow[] = [];
  for (const { semiSpaceMB, name } of choices) {
    // The last of two flags counts.
    const testBed = await openProcessTestBed({
      store: 'sqlite',
      nodeOptions: [`--max-semi-space-size=${semiSpaceMB}`],
    });
    try {
      const [bot] = testBed.bots;
      await pause(idleMs);
      const idleMB = memoryMBOf(bot!.pid());
      await sendWebhooks({ urls: [bot!.url], count: warmUp, eventIdPrefix: 'warm-up' });
      const before = costOf(bot!.pid());
      await sendWebhooks({ urls: [bot!.url], count: webhooks, eventIdPrefix: 'measured' });
      const cpuMs = costOf(bot!.pid()).cpuMs - before.cpuMs;
      rows.push({
        name: `space for new objects ${name}`,
        figure: `${idleMB.toFixed(0)} MB idle, ${memoryMBOf(bot!.pid()).toFixed(0)} MB after ${(warmUp + webhooks).toLocaleString('en')} webhooks; ${((1_000 * webhooks) / cpuMs).toFixed(0)} webhooks per second of CPU time`,
      });
    } finally {
      await testBed.close();
    }
  }
  return rows;
}
