import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import { redisMissing, connectRedis, startRedis, type TestRedis } from '../../support/redis.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentLoss } from '../../../src/storage/passport.ts';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { listenOnLoopback, findFreePort } from '../../support/loopback.ts';
import { watchdogMs } from '../../../src/sandbox/workspace/clock.ts';
import { untilSo } from '../../support/watchdog.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { diagnoseSettings } from '../../../src/storage/redis/doctor.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

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

/** A primary that takes writes only while a replica follows, its replica, and a bot’s store behind what follows the primary. */
async function openRedisPair() {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'invigilator-pair-')));
  const [primary, replica] = [await startRedis(folders[0]), await startRedis(folders[1])];
  const [ofPrimary, ofReplica] = [await connectRedis(primary.url), await connectRedis(replica.url)];
  for (const client of [ofPrimary, ofReplica]) {
    client.on('error', () => {});
    await client.configSet({
      'min-replicas-to-write': '1',
      'min-replicas-max-lag': '2',
      'repl-diskless-sync-delay': '0',
    });
  }
  await ofReplica.sendCommand(['REPLICAOF', '127.0.0.1', String(portOf(primary))]);
  await untilSo(async () => (await ofPrimary.info('replication')).includes('min_slaves_good_slaves:1'));

  const follower = await startFollower(primary);
  const storage = createRedisStorage({ url: follower.url, now: Date.now, onError: () => {} });
  await storage.open();
  const losses: ContentLoss[] = [];
  storage.content.onLoss((loss) => losses.push(loss));
  const acknowledged: string[] = [];
  let sent = 0;

  return {
    replica,
    acknowledged,
    losses,
    knownSubjects: async (ids: readonly string[]) => storage.inbox.knownSubjects(ids),
    /** As a webhook is taken: undefined with 200, the error with 503. */
    async take(): Promise<unknown> {
      const id = `event-${(sent += 1)}`;
      try {
        await storage.inbox.take({ id, subject: id, isBackfilled: false, takenAt: Date.now(), content: undefined });
        acknowledged.push(id);
        return undefined;
      } catch (error) {
        return error;
      }
    },
    /** What got 200 and is not known any more. */
    async missing(): Promise<string[]> {
      const known = await storage.inbox.knownIds(acknowledged);
      return acknowledged.filter((id) => !known.has(id));
    },
    /** Resolves when the replica has all that was written. */
    async untilReplicated(): Promise<void> {
      await ofPrimary.set('after them', '1');
      const replicas = Number(await ofPrimary.sendCommand(['WAIT', '1', String(watchdogMs)]));
      if (replicas !== 1) throw new Error('the replica did not follow');
    },
    /** The replica becomes the primary, as an operator has it. */
    async failOver(): Promise<void> {
      await ofPrimary.sendCommand(['FAILOVER', 'TO', '127.0.0.1', String(portOf(replica)), 'TIMEOUT', '10000']);
      await untilSo(async () => (await ofReplica.info('replication')).includes('role:master'));
      follower.follow(replica);
    },
    /** Both servers die, and the replica alone comes back. */
    async loseThePrimary(): Promise<void> {
      await Promise.all([primary.kill(), replica.kill()]);
      await replica.startAgain();
      follower.follow(replica);
    },
    async close(): Promise<void> {
      await storage.close();
      follower.close();
      for (const client of [ofPrimary, ofReplica]) client.destroy();
      replica.thaw();
      await Promise.all([primary.kill(), replica.kill()]);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.replace('http:', 'redis:'),
    follow(redis: TestRedis) {
      target = redis;
      cutAll();
    },
    close() {
      server.close();
      cutAll();
    },
  };
}

const portOf = ({ url }: TestRedis) => Number(new URL(url).port);

test.skipIf(redisMissing !== null)('a Sentinel at a plain address is refused with what to do instead', async () => {
  const port = await findFreePort();
  const file = join(temporaryDirectory(), 'sentinel.conf');
  writeFileSync(file, `port ${port}\nbind 127.0.0.1\n`);
  const server = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  onTestFinished(async () => {
    server.kill();
    await once(server, 'exit');
  });
  const url = `redis://127.0.0.1:${port}`;
  const isUp = () =>
    connectRedis(url).then(
      async (client) => client.close().then(() => true),
      () => false,
    );
  await expect.poll(isUp).toBe(true);

  const says = 'REDIS_URL is the address of a Redis Sentinel: set the address of a proxy that follows the primary';
  const errors: unknown[] = [];
  const storage = createRedisStorage({ url, now: Date.now, onError: (error) => errors.push(error) });
  onTestFinished(() => storage.close());
  const opened = await storage.open().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect([opened, ...errors].map(String)).toContainEqual(expect.stringContaining(says));
  expect(await diagnoseSettings(url)).toEqual([{ state: 'fault', text: expect.stringContaining(says) }]);
});
