import { connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ContentLoss } from '../../../src/storage/known-content.ts';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { connectRedis, redisMissing, startRedis, type TestRedis } from '../../support/redis.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const portOf = ({ url }: TestRedis) => Number(new URL(url).port);

/** What follows the primary for the bot: passes connections on to one Redis, and cuts them when it turns to another. */
async function startFollower(first: TestRedis) {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(portOf(target), '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from
        .on('error', () => {})
        .on('close', () => {
          open.delete(from);
          to.destroy();
        });
    }
  });
  const url = await listenOnLoopback(server);
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    url: url.replace('http:', 'redis:'),
    follow(redis: TestRedis) {
      target = redis;
      for (const socket of open) socket.destroy();
    },
  };
}

/** A primary that takes writes only while a replica follows, its replica, and a bot’s store. */
async function openPair() {
  const [primary, replica] = [await startRedis(temporaryDirectory()), await startRedis(temporaryDirectory())];
  onTestFinished(async () => {
    replica.thaw();
    await Promise.all([primary.kill(), replica.kill()]);
  });
  const [ofPrimary, ofReplica] = [await connectRedis(primary.url), await connectRedis(replica.url)];
  for (const client of [ofPrimary, ofReplica]) {
    client.on('error', () => {});
    onTestFinished(() => client.destroy());
    await client.configSet({
      'min-replicas-to-write': '1',
      'min-replicas-max-lag': '2',
      'repl-diskless-sync-delay': '0',
    });
  }
  await ofReplica.sendCommand(['REPLICAOF', '127.0.0.1', String(portOf(primary))]);
  await expect.poll(async () => ofPrimary.info('replication')).toContain('min_slaves_good_slaves:1');

  const follower = await startFollower(primary);
  const storage = createRedisStorage({ url: follower.url, now: Date.now, onError: () => {} });
  await storage.open();
  onTestFinished(() => storage.close());
  const losses: ContentLoss[] = [];
  storage.content.onLoss((loss) => losses.push(loss));
  const acknowledged: string[] = [];
  let sent = 0;
  /** As a webhook is taken: with 200 or, where this rejects, with 503. */
  async function take(): Promise<unknown> {
    const id = `event-${(sent += 1)}`;
    try {
      await storage.inbox.take({ id, subject: id, isBackfilled: false, takenAt: Date.now(), content: undefined });
      acknowledged.push(id);
      return undefined;
    } catch (error) {
      return error;
    }
  }
  const missing = async () => {
    const known = await storage.inbox.knownIds(acknowledged);
    return acknowledged.filter((id) => !known.has(id));
  };
  const knownSubjects = async (ids: readonly string[]) => storage.inbox.knownSubjects(ids);
  return { primary, replica, ofPrimary, ofReplica, follower, acknowledged, losses, take, missing, knownSubjects };
}

describe.skipIf(redisMissing !== null)('a failover of Redis behind one address', () => {
  test('that is planned loses no webhook that got 200, among those that come meanwhile', async () => {
    const { replica, ofPrimary, ofReplica, follower, acknowledged, losses, take, missing } = await openPair();
    const over = new AbortController();
    const webhooks = (async () => {
      while (!over.signal.aborted) await Promise.all([take(), setImmediate()]);
    })();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(200);
    await ofPrimary.sendCommand(['FAILOVER', 'TO', '127.0.0.1', String(portOf(replica)), 'TIMEOUT', '10000']);
    await expect.poll(async () => ofReplica.info('replication')).toContain('role:master');
    follower.follow(replica);
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
    const { primary, replica, ofPrimary, follower, acknowledged, take, missing, knownSubjects } = await openPair();
    await expect.poll(async () => [await take(), acknowledged.length > 20]).toEqual([undefined, true]);
    await ofPrimary.set('after them', '1');
    expect(await ofPrimary.sendCommand(['WAIT', '1', '10000'])).toBe(1);
    replica.freeze();
    const before = acknowledged.length;
    await expect.poll(take).toBeInstanceOf(StoreAwayError);
    const lost = acknowledged.slice(before);
    expect(lost.length).toBeGreaterThan(0);
    await Promise.all([primary.kill(), replica.kill()]);
    await replica.startAgain();
    follower.follow(replica);
    await expect.poll(take).toBeUndefined();
    expect(await missing()).toEqual(lost);
    expect(await knownSubjects(lost)).toEqual(new Set());
  });
});
