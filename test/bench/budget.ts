import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import * as z from 'zod';
import { createMemoryLedger, type Ledger, type RateWindow } from '../../src/quiz-api/budget/rate-windows.ts';
import { createRedisLedger } from '../../src/quiz-api/budget/redis-ledger.ts';
import { createRequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { openApart } from '../support/apart.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { median } from '../support/measurements.ts';
import { createCountingService } from '../support/mock-service.ts';
import { connectRedis, redisMissing, startRedis } from '../support/redis.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** The rate limit of the service: 600 requests per second. */
const serviceWindow = { limit: 600, windowMs: 1000 };
/** 600 concurrent requests delay each other, on a small machine by much more than a sixtieth of a second. */
const limits = { windows: [serviceWindow], marginMs: 1000 };
const apiKey = 'bench-key';
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
  using service = await openApart(import.meta.url, countArrivals, [serviceWindow]);
  await makeCalls(service.result, 2 * limit);
  const counted = await (await fetch(service.result + countedPath)).json();
  const { arrivals, refused } = z.object({ arrivals: z.array(z.number()), refused: z.number() }).parse(counted);
  const lastOf = (window: number) => arrivals[window * limit - 1] ?? Number.NaN;
  return { excess: (lastOf(2) - lastOf(1)) / windowMs - 1, refused };
}

const countedPath = '/counted';

/** A service that accepts so many requests in any window and refuses more. @returns its URL */
export async function countArrivals(window: RateWindow): Promise<string> {
  const service = createCountingService([window], () => performance.now());
  return listenOnLoopback(
    createServer(({ url }, response) => {
      if (url === countedPath)
        return response.end(JSON.stringify({ arrivals: service.arrivals, refused: service.refused() }));
      const retryAfterMs = service.request();
      if (retryAfterMs === null) return response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      return response
        .writeHead(429, { 'retry-after': String(retryAfterMs / 1000) })
        .end('{"message":"Exceeded request rate limit"}');
    }),
  );
}

async function callFromOneInstance(baseUrl: string, count: number): Promise<void> {
  await call(baseUrl, count, createMemoryLedger(limits), connections);
}

async function callFromSeveralInstances(baseUrl: string, count: number): Promise<void> {
  const redis = await startRedis();
  // Answered calls of an instance count in the budget as long as it runs.
  const instances = await Promise.all(
    Array.from({ length: instanceCount }, () =>
      openApart(import.meta.url, callAsInstance, [baseUrl, redis.url, count / instanceCount]),
    ),
  );
  for (const instance of instances) instance[Symbol.dispose]();
  await redis.stop();
}

/** Calls as one of several instances with a shared budget, once all of them are there. */
export async function callAsInstance(baseUrl: string, redisUrl: string, count: number): Promise<void> {
  const client = await connectRedis(redisUrl);
  await client.incr('instances');
  while (Number(await client.get('instances')) < instanceCount) await pause(1);
  await call(baseUrl, count, createRedisLedger({ client, apiKey, ...limits }), connections / instanceCount);
}

async function call(baseUrl: string, count: number, ledger: Ledger, sockets: number): Promise<void> {
  const dispatcher = new Agent({ connections: sockets });
  const api = createQuizApi({ baseUrl, apiKey, budget: createRequestBudget({ ledger }), dispatcher });
  await Promise.all(Array.from({ length: count }, async () => api.groups.list()));
  await dispatcher.close();
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
