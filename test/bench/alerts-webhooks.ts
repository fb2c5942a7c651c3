import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openApart } from '../support/apart.ts';
import { sendWebhooks } from '../support/load.ts';
import { median, metricIn } from '../support/measurements.ts';
import { watchCores } from '../support/process-cost.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';
import { receiveInBullmq, receiveInSqlite } from './receiver.ts';

/** The webhooks are those of each round. */
const fullSize = { webhooks: 6_000, rounds: 5 };
const shortSize = { webhooks: 100, rounds: 1 };
/** Loads nothing of the bot. */
const receiver = import.meta.resolve('./receiver.ts');
const pollIntervalMs = 300;
/** The share of one core. */
const idleShare = 0.1;
const idleTimeoutMs = 60_000;
/** Two bots, the load and Redis. */
const coresForTwo = 4;

/**
 * Measures webhooks per second against receivers that keep each webhook as safely and do nothing else with it: the bot matches
 * it with subscriptions and posts messages at the same time. The receivers take turns, each in its own process, with the load
 * in another process.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  const rows = [await overSqlite(size)];
  if (redisMissing === null) rows.push(await overRedis(size), await twoInstances(size));
  return rows;
}

async function overSqlite(size: typeof fullSize): Promise<BenchRow> {
  await using testBed = await openProcessTestBed({ store: 'sqlite' });
  using other = await openApart(receiver, receiveInSqlite, [join(testBed.folder, 'receiver.sqlite')]);
  const { ratio, shown } = await compare(testBed, other.result, size);
  return {
    name: 'webhooks taken durably (SQLite), against the simplest durable receiver',
    figure: shown,
    ...heldAgainst('webhooks over SQLite', { ratio }),
  };
}

async function overRedis(size: typeof fullSize): Promise<BenchRow> {
  await using testBed = await openProcessTestBed({ store: 'redis', redisSync: 'everysec' });
  const folder = join(testBed.folder, 'redis-of-bullmq');
  mkdirSync(folder);
  const redis = await startRedis(folder, 'everysec');
  await using ends = new AsyncDisposableStack();
  ends.defer(() => redis.stop());
  using other = await openApart(receiver, receiveInBullmq, [redis.url]);
  const { ratio, shown } = await compare(testBed, other.result, size);
  return {
    name: 'webhooks taken over Redis (AOF everysec), against a receiver with BullMQ',
    figure: shown,
    ...heldAgainst('webhooks over Redis', { ratio }),
  };
}

/** Compares within each round, because the load of the machine varies over time. */
async function compare(
  { bots }: ProcessTestBed,
  other: string,
  { webhooks, rounds }: typeof fullSize,
): Promise<{ ratio: number; shown: string }> {
  const urls = { bot: bots.map(({ url }) => url), other: [other] };
  const rates = { bot: [] as number[], other: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const which of round % 2 === 0 ? (['bot', 'other'] as const) : (['other', 'bot'] as const)) {
      await untilIdle(bots);
      const rate = await rateOf(urls[which], webhooks, `${which}-${round}`);
      // The first round is the warm-up.
      if (round > 0) rates[which].push(rate);
    }
  }
  const ratio = median(rates.bot.map((rate, round) => rate / (rates.other[round] ?? Number.NaN)));
  return {
    ratio,
    shown: `${ratio.toFixed(2)} of its webhooks per second (${figure(median(rates.bot))} to ${figure(median(rates.other))})`,
  };
}

/** Two bots, the load and Redis share the cores of one machine: on fewer cores than programs, this says what they leave. */
async function twoInstances({ webhooks, rounds }: typeof fullSize): Promise<BenchRow> {
  await using testBed = await openProcessTestBed({ store: 'redis', redisSync: 'everysec', instances: 2 });
  const urls = testBed.bots.map(({ url }) => url);
  const measured = { one: [] as Busy[], two: [] as Busy[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [which, some] of [
      ['one', urls.slice(0, 1)],
      ['two', urls],
    ] as const) {
      await untilIdle(testBed.bots);
      const busyShare = watchCores();
      const rate = await rateOf(some, webhooks, `${which}-${round}`);
      if (round > 0) measured[which].push({ rate, busyShare: busyShare() });
    }
  }
  const rateOfEach = (all: readonly Busy[]) => median(all.map(({ rate }) => rate));
  const busyPercent = (all: readonly Busy[]) => Math.round(100 * median(all.map(({ busyShare }) => busyShare)));
  const [one, two] = [rateOfEach(measured.one), rateOfEach(measured.two)];
  const cores = availableParallelism();
  return {
    name: 'webhooks taken over Redis (AOF everysec), two instances against one',
    figure: `${(two / one).toFixed(2)} of its webhooks per second (${figure(two)} to ${figure(one)}); ${cores} cores, ${busyPercent(measured.one)} % busy with one, ${busyPercent(measured.two)} % with two`,
    ...heldAgainst('two instances', cores >= coresForTwo ? { ratio: two / one } : undefined),
  };
}

interface Busy {
  /** Webhooks per second. */
  rate: number;
  /** Of the time of all cores. */
  busyShare: number;
}

/** Webhooks per second. */
async function rateOf(urls: readonly string[], count: number, eventIdPrefix: string): Promise<number> {
  const { tookMs } = await sendWebhooks({ urls, count, eventIdPrefix });
  return (count / tookMs) * 1000;
}

const figure = (rate: number): string => Math.round(rate).toLocaleString('en');

/** Waits until the CPU time in the metrics of the bots shows that they are idle. */
async function untilIdle(bots: readonly { url: string }[]): Promise<void> {
  const deadline = performance.now() + idleTimeoutMs;
  for (let before = await cpuSeconds(bots), beforeMs = performance.now(); performance.now() < deadline;) {
    await pause(pollIntervalMs);
    const now = await cpuSeconds(bots);
    const nowMs = performance.now();
    if (now - before < (idleShare * (nowMs - beforeMs)) / 1000) return;
    [before, beforeMs] = [now, nowMs];
  }
  throw new Error(`the bots were busy for ${idleTimeoutMs} ms`);
}

async function cpuSeconds(bots: readonly { url: string }[]): Promise<number> {
  const seconds = await Promise.all(
    bots.map(async ({ url }) => metricIn(await (await fetch(`${url}/metrics`)).text(), 'process_cpu_seconds_total')),
  );
  return seconds.reduce((sum, value) => sum + value, 0);
}
