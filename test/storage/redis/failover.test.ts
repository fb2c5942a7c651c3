import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { redisMissing } from '../../support/redis.ts';
import { openRedisPair } from '../../support/redis-pair.ts';

async function openPair() {
  const pair = await openRedisPair();
  onTestFinished(() => pair.close());
  return pair;
}

describe.skipIf(redisMissing !== null)('a failover of Redis behind one address', () => {
  test('that is planned loses no webhook that got 200, among those that come meanwhile', async () => {
    const { failOver, acknowledged, losses, take, missing } = await openPair();
    const over = new AbortController();
    const webhooks = (async () => {
      while (!over.signal.aborted) await Promise.all([take(), setImmediate()]);
    })();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(200);
    await failOver();
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 200);
    over.abort();
    await webhooks;
    expect(await missing()).toEqual([]);
    expect(losses).toEqual([]);
  });

  test('without a replica that follows, webhooks get 503 once the lag that is allowed is over', async () => {
    const { replica, take } = await openPair();
    expect(await take()).toBeUndefined();
    replica.freeze();
    await expect.poll(take).toBeInstanceOf(StoreAwayError);
    replica.thaw();
    await expect.poll(take).toBeUndefined();
  });

  test('to a replica that was away loses what got 200 within the lag that is allowed, and no longer knows it, so that comparing with the service finds it', async () => {
    const { replica, untilReplicated, loseThePrimary, acknowledged, take, missing, knownSubjects } = await openPair();
    await expect.poll(async () => [await take(), acknowledged.length > 20]).toEqual([undefined, true]);
    await untilReplicated();
    replica.freeze();
    const before = acknowledged.length;
    await expect.poll(take).toBeInstanceOf(StoreAwayError);
    const lost = acknowledged.slice(before);
    expect(lost.length).toBeGreaterThan(0);
    await loseThePrimary();
    await expect.poll(take).toBeUndefined();
    expect(await missing()).toEqual(lost);
    expect(await knownSubjects(lost)).toEqual(new Set());
  });
});
