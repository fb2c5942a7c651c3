import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { people } from '../../src/sandbox/workspace/people.ts';
import { forkProgram, nextMessage } from '../support/child-process.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { percentile } from '../support/measurements.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** The bot sends its spans once a second. */
const spansWithinMs = 3_000;

/** Reads that the bot answers from what it keeps, so that the service’s own time is not in the figures. */
const reads = [
  { tool: 'list-quizzes', command: '/quiz', text: 'list' },
  { tool: 'who-am-i', command: '/quiz-admin', text: 'whoami' },
];

/** Compares a read tool with its operation inside, by the bot’s spans, and with the same operation by command, in turns. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const calls = isShort ? 10 : 800;
  const receiver = await startSpanReceiver();
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    env: { MCP_ENABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
  });
  try {
    await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
    const rows: BenchRow[] = [];
    for (const read of reads) {
      receiver.spans.length = 0;
      const times = await timesOf({ ...read, calls, url: testBed.bots[0]?.url ?? '' });
      await pause(spansWithinMs);
      rows.push(besideOperation(read.tool, receiver.spans), besideCommand(read.tool, times));
    }
    return rows;
  } finally {
    await testBed.close();
    receiver.close();
  }
}

async function timesOf(read: object) {
  const load = forkProgram('test/bench/mcp-load.ts', JSON.stringify(read));
  return z.object({ command: z.array(z.number()), tool: z.array(z.number()) }).parse(await nextMessage(load));
}

const span = z.object({
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
});
const delivery = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});
type Span = z.infer<typeof span>;

async function startSpanReceiver(): Promise<{ url: string; spans: Span[]; close: () => void }> {
  const spans: Span[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const { scopeSpans } of delivery.parse(await json(request)).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
  const server = createServer((request, response) => void take(request, response));
  return { url: await listenOnLoopback(server), spans, close: () => void server.close() };
}

const lengthMs = ({ startTimeUnixNano, endTimeUnixNano }: Span): number =>
  Number(endTimeUnixNano - startTimeUnixNano) / 1e6;

/** The time from the head of a request to the end of its answer, without the operation that it ran. */
function besideOperation(tool: string, spans: readonly Span[]): BenchRow {
  const requests = new Map(
    spans.filter(({ name }) => name === 'POST /mcp').map((request) => [request.spanId, request]),
  );
  const pairs = spans.flatMap((operation) => {
    const request = operation.name === `operation ${tool}` ? requests.get(operation.parentSpanId ?? '') : undefined;
    return request ? [{ operationMs: lengthMs(operation), besidesMs: lengthMs(request) - lengthMs(operation) }] : [];
  });
  const [besides, operations] = [pairs.map(({ besidesMs }) => besidesMs), pairs.map(({ operationMs }) => operationMs)];
  const p99 = percentile(besides, 99);
  return {
    name: `the tool ${tool} called over and over: time besides the operation in it, of ${pairs.length} calls`,
    figure: `p99 ${p99.toFixed(1)} ms, p50 ${percentile(besides, 50).toFixed(1)} ms (the operation: p99 ${percentile(operations, 99).toFixed(1)}, p50 ${percentile(operations, 50).toFixed(1)} ms)`,
    ...heldAgainst('tool beside its operation', { p99Ms: p99 }),
  };
}

function besideCommand(tool: string, { command, tool: called }: { command: number[]; tool: number[] }): BenchRow {
  const [commandMs, toolMs] = [percentile(command, 99), percentile(called, 99)];
  return {
    name: `the tool ${tool} called over and over, against the same operation by command`,
    figure: `p99 ${toolMs.toFixed(1)} to ${commandMs.toFixed(1)} ms, ${(toolMs / commandMs).toFixed(2)} times as long; difference ${(toolMs - commandMs).toFixed(1)} ms (p50 ${percentile(called, 50).toFixed(1)} to ${percentile(command, 50).toFixed(1)} ms)`,
    ...heldAgainst('tool beside its command', { moreMs: toolMs - commandMs }),
  };
}
