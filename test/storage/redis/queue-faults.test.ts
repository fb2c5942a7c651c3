import { describe, expect, onTestFinished, test } from 'vitest';
import { holdQueues, openQueues } from '../../support/redis-queues.ts';
import { connectRedis, redisMissing, startRedis, type TestRedis } from '../../support/redis.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { eventually } from '../../support/watchdog.ts';

const lockMs = 300;

/** A Redis that keeps what it has through a restart. */
async function openRedis(): Promise<TestRedis> {
  const redis = await startRedis(temporaryDirectory());
  onTestFinished(() => {
    redis.thaw();
    return redis.stop();
  });
  return redis;
}

/** Runs whose first one of a queue lasts until the test ends it. */
function holdFirst(queue: string) {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ended: string[] = [];
  return {
    begun,
    ended,
    end,
    async run(name: string): Promise<undefined> {
      begun.push(name);
      if (name === queue && begun.filter((one) => one === queue).length === 1) await isOver;
      ended.push(name);
    },
  };
}

/** Queues of which one runs until the test ends it. */
async function openHeld() {
  const redis = await openRedis();
  const queues = await openQueues(redis.url, { lockMs });
  const held = holdFirst('a');
  await queues.start(held.run);
  await queues.wake('a');
  await eventually(() => expect(held.begun).toEqual(['a']));
  return { redis, queues, ...held };
}

describe.skipIf(redisMissing !== null)(`queues over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  test('of a killed instance are run by another', async () => {
    const redis = await openRedis();
    const held = holdQueues(redis.url, lockMs);
    const queues = await openQueues(redis.url, { lockMs });
    await queues.wake('a');
    await held.isRunning('a');
    await queues.wake('a');
    await held.kill();
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('b');
    await eventually(() => expect(ran).toEqual(['b']));
    // The killed run, and the run for the wake during it.
    await eventually(() => expect(ran).toEqual(['b', 'a', 'a']));
  });

  test('of an instance that stands still are run by another, and it runs queues again when it comes back', async () => {
    const redis = await openRedis();
    const held = holdQueues(redis.url, lockMs);
    const queues = await openQueues(redis.url, { lockMs });
    await queues.wake('a');
    await held.isRunning('a');
    held.freeze();
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    await eventually(() => expect(ran).toEqual(['a']));
    held.thaw();
    await queues.stop();
    const other = await openQueues(redis.url);
    await other.wake('b');
    await held.isRunning('b');
    expect(ran).toEqual(['a']);
  });

  test('are not run by another while they run, however long that takes', async () => {
    const redis = await openRedis();
    // Long enough that a busy machine renews it in time.
    const longerMs = 1_500;
    const [one, two] = [
      await openQueues(redis.url, { lockMs: longerMs }),
      await openQueues(redis.url, { lockMs: longerMs }),
    ];
    const { begun, ended, end, run } = holdFirst('a');
    await one.start(run);
    await two.start(run);
    await one.wake('a');
    await one.wake('b', Date.now() + 2 * longerMs);
    await eventually(() => expect(ended).toEqual(['b']));
    expect(begun).toEqual(['a', 'b']);
    end();
    await eventually(() => expect(ended).toEqual(['b', 'a']));
  });

  test('continue after an outage of Redis, with earlier wakes and those that failed', async () => {
    const redis = await openRedis();
    const queues = await openQueues(redis.url);
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('before');
    await eventually(() => expect(ran).toEqual(['before']));
    await queues.wake('later', Date.now() + 300);
    await redis.stop();
    await expect(queues.wake('missed')).rejects.toThrow('the store is away');
    await redis.startAgain();
    await eventually(() => expect(ran.toSorted()).toEqual(['before', 'later', 'missed']));
    await eventually(() => queues.wake('after'));
    await eventually(() => expect(ran).toContain('after'));
  });

  test('that were running run again after a kill of Redis', async () => {
    const { redis, queues, begun, end } = await openHeld();
    await queues.wake('a');
    await redis.kill();
    await redis.startAgain();
    end();
    await eventually(() => expect(begun.length).toBeGreaterThanOrEqual(2));
  });

  test('lose no wake to kills of Redis', async () => {
    const redis = await openRedis();
    const instances = [await openQueues(redis.url, { lockMs }), await openQueues(redis.url, { lockMs })];
    const [waiting, ran] = [new Set<string>(), new Set<string>()];
    for (const instance of instances)
      await instance.start(async (queue) => {
        await new Promise(setImmediate);
        if (waiting.delete(queue)) ran.add(queue);
        return undefined;
      });
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 30; n += 1) {
        waiting.add(`${round}-${n}`);
        await instances[n % 2]!.wake(`${round}-${n}`).catch(() => {});
        if (n === 15) {
          await redis.kill();
          await redis.startAgain();
        }
      }
      await eventually(() => expect([...waiting]).toEqual([]));
    }
    expect(ran.size).toBe(90);
  });

  test('go on after Redis stood still for longer than a command may take', async () => {
    const { redis, queues, begun, end } = await openHeld();
    redis.freeze();
    await expect(queues.wake('b')).rejects.toThrow('the store is away');
    end();
    redis.thaw();
    await queues.wake('c');
    await eventually(() => expect(begun).toEqual(expect.arrayContaining(['a', 'c'])));
  });

  test('stop while Redis stands still', async () => {
    const { redis, queues, ended, end } = await openHeld();
    redis.freeze();
    const stopping = queues.stop();
    end();
    await stopping;
    expect(ended).toEqual(['a']);
  });

  test('go on when Redis refuses the bot no more', async () => {
    const redis = await openRedis();
    const queues = await openQueues(redis.url, { lockMs });
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('a');
    await eventually(() => expect(ran).toEqual(['a']));
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    await client.configSet('requirepass', 'secret');
    await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
    await eventually(() => expect(queues.wake('b')).rejects.toThrow('the store is away'));
    await client.configSet('requirepass', '');
    await eventually(() => queues.wake('c'));
    await eventually(() => expect(ran).toContain('c'));
  });

  test('leave what was running at their stop to others at once, and outlive an outage after it', async () => {
    const redis = await openRedis();
    const queues = await openQueues(redis.url);
    const { begun, end, run } = holdFirst('a');
    await queues.start(run);
    // Once a queue has run, all connections are open.
    await queues.wake('b');
    await eventually(() => expect(begun).toEqual(['b']));
    await queues.wake('a');
    await eventually(() => expect(begun).toEqual(['b', 'a']));
    const stopping = queues.stop();
    end();
    await stopping;
    const client = await connectRedis(redis.url);
    client.on('error', () => {});
    onTestFinished(() => client.destroy());
    expect(await client.lRange('invigilator:queues:active', 0, -1)).toEqual([]);
    await redis.stop();
    await redis.startAgain();
    // This one, and the one that the queues had.
    await eventually(async () => expect(await client.clientList()).toHaveLength(2));
  });

  test('stop after the running queue, and leave it to others at once, where Redis takes no second connection', async () => {
    const redis = await openRedis();
    const queues = await openQueues(redis.url);
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    await client.configSet('maxclients', '2');
    const { begun, ended, end, run } = holdFirst('a');
    await queues.start(run);
    await queues.wake('a');
    await eventually(() => expect(begun).toEqual(['a']));
    const stopping = queues.stop().then(() => ended.push('stopped'));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    end();
    await stopping;
    expect(ended).toEqual(['a', 'stopped']);
    expect(await client.lRange('invigilator:queues:active', 0, -1)).toEqual([]);
  });

  test('begin when Redis says its version, however late', async () => {
    const redis = await openRedis();
    const queues = await openQueues(redis.url);
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    const refused = async () =>
      /cmdstat_info:.*rejected_calls=(?!0)/.test(await client.sendCommand<string>(['INFO', 'commandstats']));
    await client.sendCommand(['ACL', 'SETUSER', 'other', 'on', '>secret', '+@all', '~*', '&*']);
    await client.sendCommand(['AUTH', 'other', 'secret']);
    await client.sendCommand(['ACL', 'SETUSER', 'default', '-info']);
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('a');
    await eventually(async () => expect(await refused()).toBe(true));
    await client.sendCommand(['ACL', 'SETUSER', 'default', '+info']);
    await eventually(() => expect(ran).toEqual(['a']));
  });

  test('stop whenever Redis is killed meanwhile', async () => {
    const redis = await openRedis();
    for (let round = 0; round < 40; round += 1) {
      const queues = await openQueues(redis.url, { lockMs });
      await queues.start(async () => undefined);
      for (const queue of ['a', 'b', 'c']) void queues.wake(queue).catch(() => {});
      const turns = async (count: number) => {
        for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
      };
      await turns(round * 7);
      const killed = redis.kill();
      await turns((round % 8) * 40);
      await expect(Promise.all([killed, queues.stop()])).resolves.toHaveLength(2);
      await redis.startAgain();
    }
  });
});
