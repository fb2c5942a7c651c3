import { Agent } from 'undici';
import * as z from 'zod';
import { createMemoryLedger } from '../../src/quiz-api/budget/rate-windows.ts';
import { createRequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { nextMessage, forkProgram, serverUrl } from '../support/child-process.ts';
import { median } from '../support/measurements.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** The rate limit of the service: 600 requests per second. */
const serviceWindow = { limit: 600, windowMs: 1000 };
/** 600 concurrent requests delay each other, on a small machine by much more than a sixtieth of a second. */
const marginMs = 1000;
/** Enough connections to keep the service busy. With 600, it would be busy with connecting. */
const connections = 32;
const instanceCount = 4;
const rounds = 5;

/**
 * Measures 600 calls that wait for a window with 600 earlier calls, at a limit of 600 per second. Ideally, each call
 * arrives one second after the call that it replaces, and the last call one second after the last earlier one. The
 * figure is the additional delay on the clock of the service.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const times = isShort ? 1 : rounds;
  const rows = [toRow('one instance', await repeat(times, callFromOneInstance))];
  if (redisMissing === null)
    rows.push(toRow(`${instanceCount} processes over Redis`, await repeat(times, callFromSeveralInstances)));
  return rows;
}

interface Outcome {
  /** The delay over the ideal time, as a share of it. */
  excess: number;
  refused: number;
}

async function repeat(times: number, makeCalls: (baseUrl: string, count: number) => Promise<void>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let round = 0; round < times; round += 1) outcomes.push(await measure(makeCalls));
  return outcomes;
}

async function measure(makeCalls: (baseUrl: string, count: number) => Promise<void>): Promise<Outcome> {
  const { limit, windowMs } = serviceWindow;
  const service = forkProgram('test/bench/counting-server.ts', String(limit), String(windowMs));
  const url = await serverUrl(service);
  try {
    await makeCalls(url, 2 * limit);
    service.send('report');
    const report = z.object({ arrivals: z.array(z.number()), refused: z.number() }).parse(await nextMessage(service));
    const lastOf = (window: number) => report.arrivals[window * limit - 1] ?? Number.NaN;
    return { excess: (lastOf(2) - lastOf(1)) / windowMs - 1, refused: report.refused };
  } finally {
    service.disconnect();
  }
}

async function callFromOneInstance(baseUrl: string, count: number): Promise<void> {
  const budget = createRequestBudget({ ledger: createMemoryLedger({ windows: [serviceWindow], marginMs }) });
  const dispatcher = new Agent({ connections });
  const api = createQuizApi({ baseUrl, apiKey: 'bench-key', budget, dispatcher });
  await Promise.all(Array.from({ length: count }, async () => api.groups.list()));
  await dispatcher.close();
}

async function callFromSeveralInstances(baseUrl: string, count: number): Promise<void> {
  const redis = await startRedis();
  const settings = { windows: [serviceWindow], marginMs, connections: connections / instanceCount };
  const instances = Array.from({ length: instanceCount }, () =>
    forkProgram('test/bench/budget-instance.ts', baseUrl, redis.url, JSON.stringify(settings)),
  );
  await Promise.all(instances.map(nextMessage));
  const done = instances.map(nextMessage);
  for (const instance of instances) instance.send(count / instanceCount);
  await Promise.all(done);
  for (const instance of instances) instance.disconnect();
  await redis.stop();
}

function toRow(from: string, outcomes: readonly Outcome[]): BenchRow {
  const excess = median(outcomes.map((outcome) => outcome.excess));
  const refused = outcomes.reduce((sum, outcome) => sum + outcome.refused, 0);
  return {
    name: `budget, ${serviceWindow.limit} calls behind a full window of ${serviceWindow.limit} per second, from ${from}`,
    figure: `${(100 * excess).toFixed(1)}% over the ideal, ${refused} times 429`,
    ...heldAgainst('budget', { excessPercent: 100 * excess, refused }),
  };
}
