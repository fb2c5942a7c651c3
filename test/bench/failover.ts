import { setImmediate } from 'node:timers/promises';
import { redisMissing } from '../support/redis.ts';
import { openRedisPair } from '../support/redis-pair.ts';
import { untilSo } from '../support/watchdog.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** What became of webhooks that got 200 around a failover of Redis, behind an address that follows the primary. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  if (redisMissing !== null) return [];
  const webhooks = isShort ? 20 : 2_000;
  return [await planned(webhooks), await crashed(webhooks)];
}

async function planned(webhooks: number): Promise<BenchRow> {
  const pair = await openRedisPair();
  try {
    const over = new AbortController();
    const sending = (async () => {
      while (!over.signal.aborted) await Promise.all([pair.take(), setImmediate()]);
    })();
    await untilSo(() => pair.acknowledged.length > webhooks / 2);
    await pair.failOver();
    await untilSo(() => pair.acknowledged.length > webhooks);
    over.abort();
    await sending;
    const lost = (await pair.missing()).length;
    return {
      name: 'a planned failover of Redis, while webhooks come',
      figure: `of ${pair.acknowledged.length.toLocaleString('en')} webhooks that got 200, ${lost} lost`,
      ...heldAgainst('failover', { lost }),
    };
  } finally {
    await pair.close();
  }
}

async function crashed(webhooks: number): Promise<BenchRow> {
  const pair = await openRedisPair();
  try {
    for (let sent = 0; sent < webhooks; sent += 1) await pair.take();
    await pair.untilReplicated();
    pair.replica.freeze();
    await untilSo(async () => (await pair.take()) !== undefined);
    await pair.loseThePrimary();
    await untilSo(async () => (await pair.take()) === undefined);
    const lost = (await pair.missing()).length;
    return {
      name: 'a crash of the primary Redis, whose replica had hung before',
      figure: `of ${pair.acknowledged.length.toLocaleString('en')} webhooks that got 200, ${lost.toLocaleString('en')} not in the store any more, all of the 2 to 3 s before: comparing with the service finds them`,
    };
  } finally {
    await pair.close();
  }
}
