import { setTimeout as pause } from 'node:timers/promises';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { forkProgram, serverUrl } from '../support/child-process.ts';
import { median, metricIn } from '../support/measurements.ts';
import { redisMissing } from '../support/redis.ts';
import { sendWebhooks } from '../support/send-webhooks.ts';
import type { BenchRow } from './bench-row.ts';

const webhooksPerRound = 6_000;
const rounds = 5;
const pollIntervalMs = 300;
/** The share of one core. */
const idleShare = 0.1;
const idleTimeoutMs = 60_000;

/**
 * Measures webhooks per second. The bot stores each webhook before it answers and posts messages at the same time; the
 * other receivers store nothing. The receivers take turns, each in its own process, with the load in another process.
 */
export async function run(): Promise<BenchRow[]> {
  return [...(await againstOthers()), ...(redisMissing === null ? [await twoInstances()] : [])];
}

async function againstOthers(): Promise<BenchRow[]> {
  const testBed = await openProcessTestBed({ store: 'sqlite' });
  const [bare, octokit] = [forkProgram('test/bench/webhook-bare.ts'), forkProgram('test/bench/webhook-octokit.ts')];
  try {
    const [bareUrl, octokitUrl] = [await serverUrl(bare), await serverUrl(octokit)];
    const rates = { bot: [] as number[], bare: [] as number[], octokit: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const bareRate = await rateOf([bareUrl], `bare-${round}`);
      const botRate = await rateOf(
        testBed.bots.map(({ url }) => url),
        `bot-${round}`,
      );
      await untilIdle(testBed.bots);
      const octokitRate = await rateOf([octokitUrl], `octokit-${round}`);
      // The first round is the warm-up.
      if (round === 0) continue;
      rates.bare.push(bareRate);
      rates.bot.push(botRate);
      rates.octokit.push(octokitRate);
    }
    const row = (name: string, others: readonly number[], goal: number): BenchRow => {
      // Compares within each round, because the load of the machine varies over time.
      const ratio = median(rates.bot.map((rate, round) => rate / (others[round] ?? Number.NaN)));
      return {
        name: `webhooks taken durably (SQLite), against ${name}`,
        figure: `${ratio.toFixed(2)} of its webhooks per second (${figure(median(rates.bot))} to ${figure(median(others))})`,
        goal: `at least ${goal.toFixed(1)}`,
        met: ratio >= goal,
      };
    };
    return [
      row('bare node:http that checks the HMAC', rates.bare, 0.6),
      row('@octokit/webhooks, which stores nothing', rates.octokit, 1),
    ];
  } finally {
    bare.disconnect();
    octokit.disconnect();
    await testBed.close();
  }
}

/** Two bots, the load and Redis share the cores of one machine, so this does not show the gain of a second machine. */
async function twoInstances(): Promise<BenchRow> {
  const testBed = await openProcessTestBed({ store: 'redis', instances: 2 });
  try {
    const urls = testBed.bots.map(({ url }) => url);
    const rates: { one: number; two: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await untilIdle(testBed.bots);
      const one = await rateOf(urls.slice(0, 1), `one-${round}`);
      await untilIdle(testBed.bots);
      const two = await rateOf(urls, `two-${round}`);
      if (round > 0) rates.push({ one, two });
    }
    const [one, two] = [median(rates.map((rate) => rate.one)), median(rates.map((rate) => rate.two))];
    return {
      name: 'webhooks taken over Redis, two instances against one',
      figure: `${(two / one).toFixed(2)} of its webhooks per second (${figure(two)} to ${figure(one)})`,
    };
  } finally {
    await testBed.close();
  }
}

/** Webhooks per second. */
async function rateOf(urls: readonly string[], eventIdPrefix: string): Promise<number> {
  return (webhooksPerRound / (await sendWebhooks({ urls, count: webhooksPerRound, eventIdPrefix }))) * 1000;
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
