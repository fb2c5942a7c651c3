import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryQueues } from '../../src/storage/memory-queues.ts';
import { createFailFastConnection, type RedisConnection } from '../../src/storage/redis/connection.ts';
import { watchLeftJobs } from '../../src/storage/redis/queues.ts';
import type { Queues } from '../../src/storage/storage.ts';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { fastClock } from '../support/fast-clock.ts';
import { openQueues } from '../support/redis-queues.ts';
import { connectRedis, redisMissing, startRedis, type TestRedis } from '../support/redis.ts';
import { eventually, untilSo } from '../support/watchdog.ts';

/** A run that the test ends. */
function gate() {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  return { isOpen, open };
}

/** @param options.clock the clock of the queues; `retryPausesMs` are its pauses after the first and the second failure */
function holdsFor(options: {
  create: (onFailure: (queue: string, error: unknown) => void) => Promise<Queues>;
  clock: Pick<Clock, 'now'>;
  retryPausesMs: readonly [number, number];
}) {
  const {
    create,
    clock: { now: read },
    retryPausesMs,
  } = options;
  let queues: Queues;
  let failures: { queue: string; error: unknown }[];
  beforeEach(async () => {
    failures = [];
    queues = await create((queue, error) => failures.push({ queue, error }));
  });
  afterEach(() => queues.stop());

  test('runs a queue that is woken before or after the start', async () => {
    const ran: string[] = [];
    await queues.wake('channel/T1/C1');
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('digest/T1/sub_1-a.b');
    await eventually(() => expect(ran.toSorted()).toEqual(['channel/T1/C1', 'digest/T1/sub_1-a.b']));
  });

  test('runs a queue again if it is woken during a run, but never concurrently', async () => {
    let [running, most, count] = [0, 0, 0];
    const [first, second] = [gate(), gate()];
    await queues.start(async () => {
      count += 1;
      running += 1;
      most = Math.max(most, running);
      await (count === 1 ? first : second).isOpen;
      running -= 1;
      return undefined;
    });
    await queues.wake('a');
    await eventually(() => expect(count).toBe(1));
    for (let n = 0; n < 10; n += 1) await queues.wake('a');
    expect(count).toBe(1);
    first.open();
    await eventually(() => expect(count).toBe(2));
    second.open();
    await eventually(() => expect(running).toBe(0));
    await queues.stop();
    expect({ count, most }).toEqual({ count: 2, most: 1 });
  });

  test('runs a queue once at the earliest of its wake times', async () => {
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    const now = read();
    await queues.wake('a', now + 3_600_000);
    await queues.wake('a', now + 250);
    await queues.wake('a', now + 50);
    await queues.wake('b', now + 300);
    await eventually(() => expect(ran).toContain('b'));
    expect(ran).toEqual(['a', 'b']);
    expect(read()).toBeGreaterThanOrEqual(now + 300);
  });

  test('runs a waiting queue at once when it is woken', async () => {
    const ran: string[] = [];
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('a', read() + 3_600_000);
    await queues.wake('a');
    await eventually(() => expect(ran).toEqual(['a']));
  });

  test('runs a queue again at the time that the run returns', async () => {
    const times: number[] = [];
    await queues.start(async () => {
      times.push(read());
      return times.length < 3 ? read() + 20 : undefined;
    });
    await queues.wake('a');
    await eventually(() => expect(times).toHaveLength(3));
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(19);
  });

  test('runs a queue again at once, any number of times, if the run asks for it', async () => {
    let count = 0;
    await queues.start(async () => {
      count += 1;
      return count < 50 ? 0 : undefined;
    });
    await queues.wake('a');
    await eventually(() => expect(count).toBe(50));
  });

  test('prefers a wake during a run over the later time that the run returns', async () => {
    let count = 0;
    await queues.start(async () => {
      count += 1;
      if (count === 1) await queues.wake('a');
      return read() + 3_600_000;
    });
    await queues.wake('a');
    await eventually(() => expect(count).toBe(2));
  });

  test('runs a failed queue again after a pause that a wake does not shorten', async () => {
    const times: number[] = [];
    await queues.start(async () => {
      times.push(read());
      if (times.length < 3) throw new Error(`no ${times.length}`);
      return undefined;
    });
    await queues.wake('a');
    await eventually(() => expect(failures).toHaveLength(1));
    await queues.wake('a');
    await eventually(() => expect(times.length).toBeGreaterThanOrEqual(3));
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(retryPausesMs[0]);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(retryPausesMs[1]);
    expect(failures.map(({ queue, error }) => [queue, (error as Error).message])).toEqual([
      ['a', 'no 1'],
      ['a', 'no 2'],
    ]);
  });

  test('runs many queues concurrently', async () => {
    const ran = new Set<string>();
    const all = gate();
    await queues.start(async (queue) => {
      ran.add(queue);
      if (ran.size === 40) all.open();
      await all.isOpen;
      return undefined;
    });
    await Promise.all(Array.from({ length: 40 }, (_, n) => queues.wake(`queue-${n}`)));
    await eventually(() => expect(ran.size).toBe(40));
  });

  test('stops after the running queues and starts no new run', async () => {
    const ran: string[] = [];
    const held = gate();
    await queues.start(async (queue) => {
      ran.push(queue);
      await held.isOpen;
      ran.push('ended');
      return read() + 10;
    });
    await queues.wake('a');
    await eventually(() => expect(ran).toEqual(['a']));
    const stopping = queues.stop().then(() => ran.push('stopped'));
    await queues.wake('a').catch(() => {});
    await new Promise(setImmediate);
    held.open();
    await stopping;
    expect(ran).toEqual(['a', 'ended', 'stopped']);
  });
}

describe('queues in memory', () => {
  const fast = fastClock(20);
  holdsFor({
    create: async (onFailure) => createMemoryQueues({ ...fast, onFailure }),
    clock: fast,
    retryPausesMs: [980, 1_980],
  });

  test('run a queue without a timer, after the caller of wake', async () => {
    const ran: string[] = [];
    const queues = createMemoryQueues({
      now: () => 0,
      onFailure: () => {},
      setTimer: () => {
        throw new Error('a timer');
      },
    });
    await queues.start(async (queue) => void ran.push(queue));
    await queues.wake('a');
    await queues.wake('a');
    expect(ran).toEqual([]);
    await new Promise(setImmediate);
    expect(ran).toEqual(['a']);
    await queues.stop();
  });

  /** Timers that fire when the test advances the clock. */
  function clock() {
    let now = 0;
    const timers = new Set<{ at: number; callback: () => void }>();
    return {
      now: () => now,
      timers,
      setTimer(callback: () => void, afterMs: number) {
        expect(afterMs).toBeLessThanOrEqual(2 ** 31 - 1);
        const timer = { at: now + afterMs, callback };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
      async advanceTo(time: number) {
        for (;;) {
          const next = [...timers].filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at)[0];
          if (next === undefined) break;
          now = next.at;
          timers.delete(next);
          next.callback();
          await new Promise(setImmediate);
          await new Promise(setImmediate);
        }
        now = time;
      },
    };
  }

  test('can wait for months', async () => {
    const time = clock();
    const ran: number[] = [];
    const queues = createMemoryQueues({ now: time.now, onFailure: () => {}, setTimer: time.setTimer });
    await queues.start(async () => void ran.push(time.now()));
    const inThreeMonths = 90 * 24 * 3_600_000;
    await queues.wake('a', inThreeMonths);
    await time.advanceTo(inThreeMonths + 1);
    expect(ran).toEqual([inThreeMonths]);
    expect(time.timers.size).toBe(0);
  });

  test('retry after 1 s, 2 s, 4 s, and at most 30 s', async () => {
    const time = clock();
    const ran: number[] = [];
    const queues = createMemoryQueues({ now: time.now, onFailure: () => {}, setTimer: time.setTimer });
    await queues.start(async () => {
      ran.push(time.now());
      throw new Error('no');
    });
    await queues.wake('a', 1);
    await time.advanceTo(125_000);
    expect(ran.slice(1).map((at, n) => (at - ran[n]!) / 1_000)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    await queues.stop();
  });

  test('run at the earliest of any wake times', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1 }), async (times) => {
        const time = clock();
        const ran: number[] = [];
        const queues = createMemoryQueues({ now: time.now, onFailure: () => {}, setTimer: time.setTimer });
        await queues.start(async () => void ran.push(time.now()));
        for (const at of times) await queues.wake('a', at);
        await time.advanceTo(2_000);
        expect(ran).toEqual([Math.min(...times)]);
      }),
    );
  });
});

describe.skipIf(redisMissing !== null)(`queues over Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let redis: TestRedis;
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'invigilator-'));
    redis = await startRedis(directory);
  });
  afterAll(async () => {
    await redis.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const client = await connectRedis(redis.url);
    await client.flushAll();
    client.destroy();
  });

  const createInstance = (options: Parameters<typeof openQueues>[1] = {}) => openQueues(redis.url, options);

  holdsFor({
    create: (onFailure) => createInstance({ onFailure, retryPauseMs: (failures) => failures * 50 }),
    clock: systemClock,
    retryPausesMs: [49, 99],
  });

  test('that failed run again after a second', async () => {
    const failedAt: number[] = [];
    const queues = await createInstance({ onFailure: () => failedAt.push(Date.now()) });
    await queues.start(() => Promise.reject(new Error('no')));
    await queues.wake('a');
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    const [delayed] = await untilSo(async () => {
      const found = await client.zRangeWithScores('invigilator:queues:delayed', 0, 0);
      return found.length > 0 && found;
    });
    // BullMQ keeps the time in the score, above 12 bits for the order among equals.
    const restsUntil = delayed!.score / 0x1000;
    expect(restsUntil).toBeGreaterThanOrEqual(failedAt[0]! + 1_000);
    expect(restsUntil).toBeLessThan(Date.now() + 1_900);
  });

  test('leave nothing behind', async () => {
    const queues = await createInstance();
    let count = 0;
    await queues.start(async () => {
      count += 1;
      return count < 5 ? Date.now() + 5 : undefined;
    });
    await queues.wake('a');
    await eventually(() => expect(count).toBe(5));
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    const lasting = new Set(
      ['events', 'id', 'marker', 'meta', 'stalled-check'].map((name) => `invigilator:queues:${name}`),
    );
    await eventually(async () => expect((await client.keys('*')).filter((key) => !lasting.has(key))).toEqual([]));
  });

  test('are shared by instances, and no queue runs on two at the same time', async () => {
    const instances = await Promise.all(Array.from({ length: 3 }, () => createInstance()));
    const running = new Map<string, number>();
    const ranBy = new Set<number>();
    let most = 0;
    for (const [n, instance] of instances.entries()) {
      await instance.start(async (queue) => {
        const now = (running.get(queue) ?? 0) + 1;
        running.set(queue, now);
        most = Math.max(most, now);
        ranBy.add(n);
        await new Promise(setImmediate);
        running.set(queue, now - 1);
        return undefined;
      });
    }
    // Any instance can take a queue, so the test wakes queues until each instance has run one.
    for (let n = 0; n < 200 || ranBy.size < 3; n += 1) await instances[n % 3]!.wake(`queue-${n % 5}`);
    await Promise.all(instances.map((instance) => instance.stop()));
    expect(most).toBe(1);
  });

  test('lose no wake at any time', async () => {
    const [one, two] = [await createInstance(), await createInstance()];
    const [waiting, dealtWith] = [new Set<number>(), new Set<number>()];
    for (const instance of [one, two]) {
      await instance.start(async () => {
        const taken = [...waiting];
        await new Promise((resolve) => setTimeout(resolve, taken.length % 4));
        for (const thing of taken) {
          waiting.delete(thing);
          dealtWith.add(thing);
        }
        return undefined;
      });
    }
    for (let n = 0; n < 300; n += 1) {
      waiting.add(n);
      await (n % 2 === 0 ? one : two).wake('a');
      // Every third wake comes after the previous ones are done: between two runs, or as one ends.
      if (n % 3 === 0) await untilSo(() => dealtWith.has(n));
    }
    await eventually(() => expect(waiting.size).toBe(0));
  });

  describe('what an instance left', () => {
    let client: RedisConnection;
    beforeAll(async () => {
      client = createFailFastConnection(redis.url);
      await client.connect();
    });
    afterAll(() => client.destroy());

    function watch() {
      const moveStalled = vi.fn(async () => {});
      let isOver = false;
      const end = watchLeftJobs({
        client,
        isUsable: () => true,
        keyOf: (part) => `jobs:${part}`,
        moveStalled,
        everyMs: 5,
        // A look that is under way at the end can find the client closed.
        onError: (error) => {
          if (!isOver) throw error;
        },
      });
      onTestFinished(() => {
        isOver = true;
        end();
      });
      return moveStalled;
    }

    test('a job whose announcement was taken is announced again', async () => {
      await client.lPush('jobs:wait', '1');
      watch();
      await eventually(async () => expect(await client.zRange('jobs:marker', 0, -1)).toEqual(['0']));
      await client.zPopMin('jobs:marker');
      await eventually(async () => expect(await client.zCard('jobs:marker')).toBe(1));
    });

    test('jobs that are running are looked through for those that nobody runs any more, and not announced', async () => {
      await client.lPush('jobs:active', '1');
      const moveStalled = watch();
      await eventually(() => expect(moveStalled.mock.calls.length).toBeGreaterThan(2));
      expect(await client.exists('jobs:marker')).toBe(0);
    });

    test('while there are no jobs, Redis is asked one question each time', async () => {
      await client.sendCommand(['CONFIG', 'RESETSTAT']);
      const moveStalled = watch();
      const stats = () => client.info('commandstats');
      await eventually(async () =>
        expect(Number(/cmdstat_exists:calls=(\d+)/.exec(await stats())?.[1])).toBeGreaterThan(2),
      );
      const asked = [...(await stats()).matchAll(/^cmdstat_([^:]+)/gm)].map(([, name]) => name);
      expect(new Set(asked)).toEqual(new Set(['config|resetstat', 'exists', 'info']));
      expect(moveStalled).not.toHaveBeenCalled();
    });
  });
});
