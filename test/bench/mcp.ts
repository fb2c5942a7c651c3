import { people } from '../../src/sandbox/workspace/people.ts';
import { askInTurn } from '../support/load.ts';
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
  } finally {
    await testBed.close();
  }
}

function besideCommand(tool: string, command: readonly number[], called: readonly number[]): BenchRow {
  const [commandMs, toolMs] = [percentile(command, 99), percentile(called, 99)];
  return {
    name: `the tool ${tool} called over and over, against the same operation by command`,
    figure: `p99 ${toolMs.toFixed(1)} to ${commandMs.toFixed(1)} ms, ${(toolMs / commandMs).toFixed(2)} times as long; difference ${(toolMs - commandMs).toFixed(1)} ms (p50 ${percentile(called, 50).toFixed(1)} to ${percentile(command, 50).toFixed(1)} ms)`,
    ...heldAgainst('tool beside its command', { moreMs: toolMs - commandMs }),
  };
}
