import * as z from 'zod';
import { people } from '../../src/sandbox/workspace/people.ts';
import { forkProgram, nextMessage, serverUrl } from '../support/child-process.ts';
import { percentile } from '../support/measurements.ts';
import { openProcessTestBed, signingSecret } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const timesSchema = z.object({ acknowledgedMs: z.array(z.number()), answeredMs: z.array(z.number()) });
type Times = z.infer<typeof timesSchema>;

const rounds = 5;
const atOnce = 4;

/**
 * Compares `/quiz list` with a bare Bolt app: the time to the 200 with one that only acknowledges, while several commands come
 * at once, and the time until the answer is at the response URL with one that answers a fixed text. The apps take turns, with
 * the load in its own process.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const testBed = await openProcessTestBed({ store: 'sqlite' });
  const bare = {
    acks: forkProgram('test/bench/bare-bolt.ts', 'acks', signingSecret),
    answers: forkProgram('test/bench/bare-bolt.ts', 'answers', signingSecret),
  };
  try {
    const urls = {
      bot: testBed.bots[0]?.url ?? '',
      acks: await serverUrl(bare.acks),
      answers: await serverUrl(bare.answers),
    };
    await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
    const times = { bot: [] as Times[], acks: [] as Times[], oneByOne: [] as Times[], answers: [] as Times[] };
    for (let round = 0; round <= (isShort ? 1 : rounds); round += 1) {
      const size = { bursts: isShort ? 3 : 80, atOnce };
      const oneByOne = { bursts: isShort ? 3 : 160, atOnce: 1 };
      const measured = {
        acks: await timesOf({ url: urls.acks, answers: false, ...size }),
        bot: await timesOf({ url: urls.bot, answers: true, ...size }),
        answers: await timesOf({ url: urls.answers, answers: true, ...oneByOne }),
        oneByOne: await timesOf({ url: urls.bot, answers: true, ...oneByOne }),
      };
      // The first round is the warm-up.
      if (round > 0)
        for (const which of Object.keys(times) as (keyof typeof times)[]) times[which].push(measured[which]);
    }
    return [
      acknowledgementRow(
        times.bot.flatMap(({ acknowledgedMs }) => acknowledgedMs),
        times.acks.flatMap(({ acknowledgedMs }) => acknowledgedMs),
      ),
      answerRow(
        times.oneByOne.flatMap(({ answeredMs }) => answeredMs),
        times.answers.flatMap(({ answeredMs }) => answeredMs),
      ),
    ];
  } finally {
    bare.acks.disconnect();
    bare.answers.disconnect();
    await testBed.close();
  }
}

async function timesOf(load: { url: string; bursts: number; atOnce: number; answers: boolean }): Promise<Times> {
  return timesSchema.parse(await nextMessage(forkProgram('test/bench/command-load.ts', JSON.stringify(load))));
}

function acknowledgementRow(bot: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = percentile(bot, 99) / percentile(bare, 99);
  return {
    name: `acknowledgement of /quiz list, ${atOnce} at once, against a bare Bolt app`,
    figure: `p99 ${ratio.toFixed(2)} times as long (${compared(bot, bare, 99)}; p50 ${compared(bot, bare, 50)})`,
    ...heldAgainst('acknowledgement', { ratio }),
  };
}

function answerRow(bot: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = percentile(bot, 50) / percentile(bare, 50);
  return {
    name: 'from /quiz list to its answer, against a bare Bolt app that answers a fixed text',
    figure: `p50 ${ratio.toFixed(2)} times as long (${compared(bot, bare, 50)}; p99 ${compared(bot, bare, 99)})`,
    ...heldAgainst('answer', { ratio }),
  };
}

function compared(bot: readonly number[], bare: readonly number[], rank: number): string {
  return `${percentile(bot, rank).toFixed(1)} to ${percentile(bare, rank).toFixed(1)} ms`;
}
