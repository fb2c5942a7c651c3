import * as z from 'zod';
import { people } from '../../src/sandbox/workspace/people.ts';
import { nextMessage, forkProgram } from '../support/child-process.ts';
import { percentile } from '../support/measurements.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import type { BenchRow } from './bench-row.ts';

const bursts = 250;
const atOnce = 4;
const goalMs = 50;

/** Reads that the bot answers from what it keeps, so that the service’s own time is not in the figures. */
const reads = [
  { tool: 'list-quizzes', command: '/quiz', text: 'list' },
  { tool: 'who-am-i', command: '/quiz-admin', text: 'whoami' },
];

/** Compares the time of a read tool with that of the same operation by command, in turns, with the load in its own process. */
export async function run(): Promise<BenchRow[]> {
  const testBed = await openProcessTestBed({ store: 'sqlite', env: { MCP_ENABLED: 'true' } });
  try {
    await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
    const rows: BenchRow[] = [];
    for (const read of reads) rows.push(rowOf(read.tool, await timesOf({ ...read, url: testBed.bots[0]?.url ?? '' })));
    return rows;
  } finally {
    await testBed.close();
  }
}

async function timesOf(read: object) {
  const load = forkProgram('test/bench/mcp-load.ts', JSON.stringify({ ...read, bursts, atOnce }));
  return z.object({ command: z.array(z.number()), tool: z.array(z.number()) }).parse(await nextMessage(load));
}

function rowOf(tool: string, { command, tool: called }: { command: number[]; tool: number[] }): BenchRow {
  const [commandMs, toolMs] = [percentile(command, 99), percentile(called, 99)];
  return {
    name: `the tool ${tool}, ${atOnce} at once, against the same operation by command`,
    figure: `p99 ${toolMs.toFixed(1)} ms, ${(toolMs - commandMs).toFixed(1)} ms more and ${(toolMs / commandMs).toFixed(2)} times ${commandMs.toFixed(1)} ms (p50 ${percentile(called, 50).toFixed(1)} and ${percentile(command, 50).toFixed(1)} ms)`,
    goal: `p99 less than ${goalMs} ms more`,
    met: toolMs - commandMs < goalMs,
  };
}
