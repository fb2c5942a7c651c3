import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { verifyChain } from '../../../src/domain/audit-chain.ts';
import { moveState } from '../../../src/storage/move-state.ts';
import { createRedisStorage } from '../../../src/storage/redis/redis-storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { newEvent } from '../../support/event.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { createPlainOutbox } from '../../support/memory-outbox.ts';
import { connectRedis, createRedisUser, redisMissing, startRedis } from '../../support/redis.ts';
import { runProgram } from '../../support/killable-bot.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { wholeTrail } from '../../support/opened-links.ts';
import { expectToGoOn, fill, look } from '../cases/filled-store.ts';
import { expectTheSame, outboxSteps, plainVersion } from '../cases/outbox-model.ts';
import { eventually } from '../../support/watchdog.ts';

async function openRedis(url: string) {
  const storage = createRedisStorage({ url, now: Date.now, onError: () => {} });
  await storage.open();
  onTestFinished(() => storage.close());
  return storage;
}

async function filledFolder(): Promise<{ dataDir: string; file: string; kept: Awaited<ReturnType<typeof look>> }> {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  await fill(storage);
  const kept = await look(storage);
  await storage.close();
  return { dataDir, file: join(dataDir, 'invigilator.sqlite'), kept };
}

const runMove = (env: Record<string, string>) => runProgram('src/move-to-redis.ts', env);

test('a move without a URL of Redis is refused with a one-line error', async () => {
  const { output, exit } = runMove({ DATA_DIR: temporaryDirectory() });
  expect(await exit).toBe(1);
  expect(output()).toEqual({
    stdout: '',
    stderr: 'REDIS_URL is not set. Set it to the address of the Redis that is to hold the bot’s state.\n',
  });
});

test('a move to an unreachable Redis changes nothing', async () => {
  const { dataDir, file } = await filledFolder();
  await expect(moveState({ dataDir, redisUrl: 'redis://127.0.0.1:1', now: Date.now })).rejects.toThrow(
    /^Redis does not answer/,
  );
  expect(existsSync(file)).toBe(true);
});

describe.skipIf(redisMissing !== null)(`a move to Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let client: Awaited<ReturnType<typeof connectRedis>>;
  beforeAll(async () => {
    redis = await startRedis();
    client = await connectRedis(redis.url);
  });
  afterAll(async () => {
    await client.close();
    await redis.stop();
  });
  beforeEach(async () => void (await client.flushAll()));

  const move = (dataDir: string) => moveState({ dataDir, redisUrl: redis.url, now: Date.now });

  test('keeps all stored data, renames the file, and leaves what others keep; new writes continue from it', async () => {
    const { dataDir, file, kept } = await filledFolder();
    await client.set('somebody else’s', '1');
    expect((await move(dataDir)).path).toBe(`${file}.moved`);
    expect((await client.keys('*')).filter((key) => !key.startsWith('invigilator:'))).toEqual(['somebody else’s']);
    expect([existsSync(file), existsSync(`${file}-wal`), existsSync(`${file}.moved`)]).toEqual([false, false, true]);
    const copy = new DatabaseSync(`${file}.moved`, { readOnly: true });
    expect(copy.prepare('SELECT count(*) AS events FROM known_events').get()).toEqual({ events: 5 });
    copy.close();
    const storage = await openRedis(redis.url);
    expect(await look(storage)).toEqual(kept);
    expect(kept.entries.flat().length).toBe(6);
    await expectToGoOn(storage, kept);
    const raw = await storage.kv('slack-people').getRaw('T1:U2');
    expect(raw?.expires).toBeGreaterThan(Date.now() + 3_500_000);
    expect((await client.keys('*people*U2'))[0]).toBeDefined();
    expect(await client.pTTL((await client.keys('*people*U2'))[0]!)).toBeGreaterThan(3_500_000);
  });

  test('keeps an outbox after any sequence of operations', async () => {
    const storage = await openRedis(redis.url);
    await fc.assert(
      fc.asyncProperty(outboxSteps, outboxSteps, async (before, afterwards) => {
        await client.flushAll();
        const dataDir = temporaryDirectory();
        const plain = createPlainOutbox(() => plainVersion);
        const embedded = openSqliteStorage(dataDir, { now: Date.now });
        await expectTheSame(embedded, plain, before, { run: 1 });
        await embedded.close();
        await move(dataDir);
        await expectTheSame(storage, plain, afterwards, { run: 1, after: before.length });
      }),
      { numRuns: 20 },
    );
  });

  test('prevents a start with an empty store next to the moved file, and a second move', async () => {
    const { dataDir, file, kept } = await filledFolder();
    await move(dataDir);
    expect(() => openSqliteStorage(dataDir, { now: Date.now })).toThrow(/was moved to Redis: set REDIS_URL/);
    await expect(move(dataDir)).rejects.toThrow(/was moved already/);
    renameSync(`${file}.moved`, file);
    const storage = openSqliteStorage(dataDir, { now: Date.now });
    expect(await look(storage)).toEqual(kept);
    await storage.close();
  });

  test('moves an invalid audit trail unchanged', async () => {
    const { dataDir, file } = await filledFolder();
    const database = new DatabaseSync(file);
    database.exec(
      "DELETE FROM audit WHERE team_id = 'T1' AND position = 3; DELETE FROM audit_heads WHERE team_id = 'T2'",
    );
    database.close();
    const { copied } = await move(dataDir);
    expect(copied?.trails).toMatchObject([
      { teamId: 'T1', entries: 6, check: { kind: 'broken', at: 3, problem: 'gap' } },
      { teamId: 'T2', entries: 1, check: { kind: 'broken', at: 1, problem: 'end' } },
    ]);
    const { audit } = await openRedis(redis.url);
    expect(await verifyChain(wholeTrail(audit, 'T1'), await audit.head('T1'))).toEqual({
      kind: 'broken',
      at: 3,
      problem: 'gap',
    });
  });

  test('refuses a missing file, a store in use and a Redis with data, and changes nothing', async () => {
    const { dataDir, file } = await filledFolder();
    await expect(move(temporaryDirectory())).rejects.toThrow(/^there is no invigilator\.sqlite in DATA_DIR/);

    const bot = openSqliteStorage(dataDir, { now: Date.now });
    await expect(move(dataDir)).rejects.toThrow(/is in use by another process/);
    await bot.close();

    const other = await openRedis(redis.url);
    await other.subscriptions.add(subscription());
    const before = new Set(await client.keys('*'));
    await expect(move(dataDir)).rejects.toThrow(
      /^Redis has state of a bot already \(4 keys that begin with invigilator:\)/,
    );
    expect(new Set(await client.keys('*'))).toEqual(before);
    expect(existsSync(file)).toBe(true);
  });

  test('keeps when the states of queues last changed', async () => {
    const dataDir = temporaryDirectory();
    const storage = openSqliteStorage(dataDir, { now: () => 1_000 });
    await storage.outbox.commit('batch/T1/over', { version: 0, state: {}, isBusy: false });
    await storage.close();
    await move(dataDir);
    const { outbox } = await openRedis(redis.url);
    await outbox.forgetStates({ batch: 1_000 });
    expect(await outbox.versionOf('batch/T1/over')).toBe(1);
    await outbox.forgetStates({ batch: 1_001 });
    expect(await outbox.versionOf('batch/T1/over')).toBe(0);
  });

  test('sets aside what cannot be read, moves it under a name of its own, and says how many there are', async () => {
    const { dataDir, file } = await filledFolder();
    const database = new DatabaseSync(file);
    database.exec(
      "UPDATE queue_entries SET content = '{' WHERE position = (SELECT min(position) FROM queue_entries); UPDATE queue_states SET state = '{' WHERE queue = 'digest/T1/s-2'",
    );
    database.exec(
      "UPDATE queue_states SET state = '{' WHERE queue = 'request/T1/open'; UPDATE queue_state_parts SET content = '{' WHERE queue = 'subscriptions/T2'",
    );
    database.close();
    const { copied } = await move(dataDir);
    expect(copied?.counts).toMatchObject({
      'entries in queues': 5,
      'states of queues': 3,
      subscriptions: 1,
      'requests for approval': 2,
      'rows that cannot be read, under unreadable:': 4,
    });
    expect((await client.keys('invigilator:unreadable:*')).map((key) => key.replace(/\d+$/, 'n')).toSorted()).toEqual(
      [
        'queue_entries/n',
        'queue_state_parts/subscriptions/T2/n',
        'queue_states/digest/T1/s-n',
        'queue_states/request/T1/open',
      ].map((name) => `invigilator:unreadable::${name}`),
    );
    const storage = await openRedis(redis.url);
    expect((await storage.subscriptions.all('T1')).map(({ id }) => id)).toEqual(['s-1']);
  });

  test('changes nothing when killed in the middle, and can be repeated', async () => {
    const { dataDir, file } = await filledFolder();
    const filling = openSqliteStorage(dataDir, { now: Date.now });
    await Promise.all(
      Array.from({ length: 40_000 }, (_, n) => filling.inbox.take(newEvent({ id: `more-${n}`, content: undefined }))),
    );
    const kept = await look(filling);
    await filling.close();

    const { exit, kill } = runMove({ DATA_DIR: dataDir, REDIS_URL: redis.url });
    await eventually(async () => expect(await client.zCard('invigilator-move:{alerts}:known')).toBeGreaterThan(500));
    kill('SIGKILL');
    expect(await exit).toBeNull();
    expect(await client.keys('invigilator:*')).toEqual([]);
    expect(existsSync(file)).toBe(true);

    await client.set('invigilator-move:left', 'over');
    await move(dataDir);
    expect(await look(await openRedis(redis.url))).toEqual(kept);
    expect(await client.keys('*left')).toEqual([]);
  });

  test('can be finished when killed at its end', async () => {
    const { dataDir, kept } = await filledFolder();
    await move(dataDir);
    for (const key of await client.keys('invigilator:*'))
      await client.rename(key, key.replace('invigilator:', 'invigilator-move:'));
    await client.set('invigilator-move:complete', '1');
    expect(await move(dataDir)).toMatchObject({ copied: undefined });
    expect(await look(await openRedis(redis.url))).toEqual(kept);
    expect(await client.keys('invigilator-move:*')).toEqual([]);
  });

  test('prints what it has moved, as a user with the documented rights', async () => {
    const { dataDir, file } = await filledFolder();
    const { url } = await createRedisUser(redis.url);
    const { output, exit } = runMove({ DATA_DIR: dataDir, REDIS_URL: url });
    expect(await exit).toBe(0);
    const { stdout, stderr } = output();
    expect(stderr).toBe('');
    const counts = Object.fromEntries(
      Array.from(stdout.matchAll(/^ *(\d+) (.+)$/gm), ([, count, what]) => [what, Number(count)]),
    );
    expect(counts).toEqual({
      'keyed values': 3,
      'known events': 5,
      'entries in queues': 6,
      'states of queues': 4,
      subscriptions: 2,
      counters: 1,
      'requests for approval': 3,
      'keys of the audit trail': 7,
      'audit entries': 8,
    });
    expect(stdout).toMatch(/^The audit trail of T1 is whole: 7 entries, the last with the hash [0-9a-f]{64}\.$/m);
    expect(stdout).toContain(`${file}.moved`);
  });
});
