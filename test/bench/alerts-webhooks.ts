import { openProcessTestBed } from '../support/process-test-bed.ts';
import { start, urlOf } from '../support/child.ts';
import { median } from '../support/figures.ts';
import { redisMissing } from '../support/redis.ts';
import { sendWebhooks } from '../support/send-webhooks.ts';
import type { BenchRow } from './bench-row.ts';
import { untilQuiet } from './quiet.ts';

const webhooksARound = 6_000;
const rounds = 5;

/**
 * Webhooks a second: the bot keeps each before it answers, and posts what came meanwhile; the others keep nothing.
 * Everybody in turn, in a process of their own, with the load in another one.
 */
export async function run(): Promise<BenchRow[]> {
  return [...await againstOthers(), ...(redisMissing === null ? [await twoInstances()] : [])];
}

async function againstOthers(): Promise<BenchRow[]> {
  const box = await openProcessTestBed({ store: 'sqlite' });
  const [bare, octokit] = [start('test/bench/webhook-bare.ts'), start('test/bench/webhook-octokit.ts')];
  try {
    const [bareUrl, octokitUrl] = [await urlOf(bare), await urlOf(octokit)];
    const rates = { bot: [] as number[], bare: [] as number[], octokit: [] as number[] };
    for (let round = 0; round <= rounds; round += 1) {
      const ofBare = await rateOf([bareUrl], `bare-${round}`);
      const ofBot = await rateOf(box.bots.map(({ url }) => url), `bot-${round}`);
      await untilQuiet(box.bots);
      const ofOctokit = await rateOf([octokitUrl], `octokit-${round}`);
      // In the first round everybody warms up.
      if (round === 0) continue;
      rates.bare.push(ofBare);
      rates.bot.push(ofBot);
      rates.octokit.push(ofOctokit);
    }
    const row = (name: string, others: readonly number[], goal: number): BenchRow => {
      // Round by round: the machine is not equally busy all the time.
      const ratio = median(rates.bot.map((rate, round) => rate / (others[round] ?? Number.NaN)));
      return {
        name: `webhooks taken durably (SQLite), against ${name}`,
        figure: `${ratio.toFixed(2)} of its webhooks a second (${figure(median(rates.bot))} to ${figure(median(others))})`,
        goal: `at least ${goal.toFixed(1)}`,
        met: ratio >= goal,
      };
    };
    return [row('bare node:http that checks the HMAC', rates.bare, 0.6), row('@octokit/webhooks, which keeps nothing', rates.octokit, 1)];
  } finally {
    bare.disconnect();
    octokit.disconnect();
    await box.close();
  }
}

/** Two bots and the load share two cores with Redis: what a second machine would bring, this cannot show. */
async function twoInstances(): Promise<BenchRow> {
  const box = await openProcessTestBed({ store: 'redis', instances: 2 });
  try {
    const urls = box.bots.map(({ url }) => url);
    const rates: { one: number; two: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await untilQuiet(box.bots);
      const one = await rateOf(urls.slice(0, 1), `one-${round}`);
      await untilQuiet(box.bots);
      const two = await rateOf(urls, `two-${round}`);
      if (round > 0) rates.push({ one, two });
    }
    const [one, two] = [median(rates.map((rate) => rate.one)), median(rates.map((rate) => rate.two))];
    return {
      name: 'webhooks taken over Redis, two instances against one',
      figure: `${(two / one).toFixed(2)} of its webhooks a second (${figure(two)} to ${figure(one)})`,
    };
  } finally {
    await box.close();
  }
}

/** Webhooks a second. */
async function rateOf(urls: readonly string[], eventIdPrefix: string): Promise<number> {
  return (webhooksARound / (await sendWebhooks({ urls, count: webhooksARound, eventIdPrefix }))) * 1000;
}

const figure = (rate: number): string => Math.round(rate).toLocaleString('en');
