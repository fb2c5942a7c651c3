import { people } from '../../src/sandbox/workspace/people.ts';
import { forkProgram, serverUrl } from '../support/child-process.ts';
import { askInTurn } from '../support/load.ts';
import { percentile } from '../support/measurements.ts';
import { openProcessTestBed, signingSecret } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const several = 4;

/**
 * Compares `/quiz list` with a bare Bolt app: the time to the 200 with one that only acknowledges, while several commands come
 * at once, and the time until the answer is at the response URL with one that answers a fixed text.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  await using testBed = await openProcessTestBed({ store: 'sqlite' });
  using acks = forkProgram('test/bench/bare-bolt.ts', 'acks', signingSecret);
  using answers = forkProgram('test/bench/bare-bolt.ts', 'answers', signingSecret);
  const urls = {
    bot: testBed.bots[0]?.url ?? '',
    acks: await serverUrl(acks),
    answers: await serverUrl(answers),
  };
  await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
  const load = async (other: { url: string; answers: boolean }, atOnce: number, bursts: number) => {
    const asked = [{ url: urls.bot, answers: true }, other];
    const [ofBot, ofBare] = await askInTurn({ asked, atOnce, bursts: isShort ? 3 : bursts });
    return { bot: ofBot!, bare: ofBare! };
  };
  const severalAtOnce = await load({ url: urls.acks, answers: false }, several, 500);
  const oneByOne = await load({ url: urls.answers, answers: true }, 1, 800);
  return [
    acknowledgementRow(severalAtOnce.bot.acknowledgedMs, severalAtOnce.bare.acknowledgedMs),
    answerRow(oneByOne.bot.answeredMs, oneByOne.bare.answeredMs),
  ];
}

function acknowledgementRow(bot: readonly number[], bare: readonly number[]): BenchRow {
  const ratio = percentile(bot, 99) / percentile(bare, 99);
  return {
    name: `acknowledgement of /quiz list, ${several} at once, against a bare Bolt app`,
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

/** Reads that the bot answers from what it keeps, so that the service’s own time is not in the figures. */
const reads = [
  { tool: 'list-quizzes', command: '/quiz', text: 'list' },
  { tool: 'who-am-i', command: '/quiz-admin', text: 'whoami' },
];

/** Compares a read tool with the same operation by command, in turns. */
export async function tools({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const calls = isShort ? 10 : 800;
  await using testBed = await openProcessTestBed({ store: 'sqlite', env: { MCP_ENABLED: 'true' } });
  await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
  const rows: BenchRow[] = [];
  for (const { tool, ...typed } of reads) {
    const one = { url: testBed.bots[0]?.url ?? '', answers: true };
    const asked = [
      { ...one, ...typed },
      { ...one, tool },
    ];
    const [command, called] = await askInTurn({ asked, bursts: calls, atOnce: 1 });
    rows.push(besideCommand(tool, command!.answeredMs, called!.answeredMs));
  }
  return rows;
}

function besideCommand(tool: string, command: readonly number[], called: readonly number[]): BenchRow {
  const [commandMs, toolMs] = [percentile(command, 99), percentile(called, 99)];
  return {
    name: `the tool ${tool} called over and over, against the same operation by command`,
    figure: `p99 ${compared(called, command, 99)}, ${(toolMs / commandMs).toFixed(2)} times as long; difference ${(toolMs - commandMs).toFixed(1)} ms (p50 ${compared(called, command, 50)})`,
    ...heldAgainst('tool beside its command', { moreMs: toolMs - commandMs }),
  };
}
