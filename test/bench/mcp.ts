import * as z from 'zod';
import { people } from '../../src/sandbox/workspace/people.ts';
import { forkProgram, nextMessage } from '../support/child-process.ts';
import { percentile } from '../support/measurements.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** Reads that the bot answers from what it keeps, so that the service’s own time is not in the figures. */
const reads = [
  { tool: 'list-quizzes', command: '/quiz', text: 'list' },
  { tool: 'who-am-i', command: '/quiz-admin', text: 'whoami' },
];

/** Compares a read tool with the same operation by command, in turns. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const calls = isShort ? 10 : 800;
  const testBed = await openProcessTestBed({ store: 'sqlite', env: { MCP_ENABLED: 'true' } });
  try {
    await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
    const rows: BenchRow[] = [];
    for (const read of reads) {
      const times = await timesOf({ ...read, calls, url: testBed.bots[0]?.url ?? '' });
      rows.push(besideCommand(read.tool, times));
    }
    return rows;
  } finally {
    await testBed.close();
  }
}

async function timesOf(read: object) {
  const load = forkProgram('test/bench/mcp-load.ts', JSON.stringify(read));
  return z.object({ command: z.array(z.number()), tool: z.array(z.number()) }).parse(await nextMessage(load));
}

function besideCommand(tool: string, { command, tool: called }: { command: number[]; tool: number[] }): BenchRow {
  const [commandMs, toolMs] = [percentile(command, 99), percentile(called, 99)];
  return {
    name: `the tool ${tool} called over and over, against the same operation by command`,
    figure: `p99 ${toolMs.toFixed(1)} to ${commandMs.toFixed(1)} ms, ${(toolMs / commandMs).toFixed(2)} times as long; difference ${(toolMs - commandMs).toFixed(1)} ms (p50 ${percentile(called, 50).toFixed(1)} to ${percentile(command, 50).toFixed(1)} ms)`,
    ...heldAgainst('tool beside its command', { moreMs: toolMs - commandMs }),
  };
}
