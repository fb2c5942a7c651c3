import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMemoryLedger,
  defaultMarginMs,
  type Claim,
  type Ledger,
  permitsLeft,
  type RateWindow,
} from '../../../src/quiz-api/budget/rate-windows.ts';
import { createRedisLedger, type RedisClient } from '../../../src/quiz-api/budget/redis-ledger.ts';
import { createRequestBudget } from '../../../src/quiz-api/budget/request-budget.ts';
import { mostInAnyWindow } from '../../support/mock-service.ts';
import { connectRedis, redisMissing, startRedis } from '../../support/redis.ts';

const minute: RateWindow = { limit: 10, windowMs: 60_000, reserved: 4 };
const hour: RateWindow = { limit: 15, windowMs: 3_600_000, reserved: 0 };
const windows = [minute, hour];

const nobody = { person: 0, background: 0 };

function granted({ granted: permits }: Claim) {
  return { person: permits.person.length, background: permits.background.length };
}

test('the margin for the way to the service is a sixtieth of the shortest window, rounded up', () => {
  expect(defaultMarginMs([hour, minute])).toBe(1000);
  expect(defaultMarginMs([{ limit: 1, windowMs: 61 }])).toBe(2);
});

function holdsFor(createLedger: (options?: { windows: RateWindow[] }) => Ledger) {
  test('grants a window’s worth and no more', async () => {
    const ledger = createLedger();
    expect(granted(await ledger.claim({ ...nobody, person: 7 }))).toEqual({ person: 7, background: 0 });
    expect(granted(await ledger.claim({ ...nobody, person: 7 }))).toEqual({ person: 3, background: 0 });
    expect(granted(await ledger.claim({ ...nobody, person: 7 }))).toEqual({ person: 0, background: 0 });
  });

  test('grants permits to people first, and to background work those that are not reserved', async () => {
    const ledger = createLedger();
    expect(granted(await ledger.claim({ person: 2, background: 9 }))).toEqual({ person: 2, background: 4 });
    expect(granted(await ledger.claim({ person: 9, background: 9 }))).toEqual({ person: 4, background: 0 });
  });

  test('leaves less to people after a quiet time, and all that is reserved while they use the bot', async () => {
    const quiet = [{ ...minute, reservedInQuiet: 1 }];
    const ledger = createLedger({ windows: quiet });
    expect(granted(await ledger.claim({ ...nobody, background: 9 }))).toEqual({ person: 0, background: 6 });
    const { retryInMs } = await ledger.claim({ ...nobody, background: 1 });
    // The fourth permit must come within four distances of six seconds.
    expect(retryInMs).toBeGreaterThan(60_000 - 24_000 - 1_000);
    expect(retryInMs).toBeLessThan(60_000 - 24_000 + 1_000);
    await ledger.claim({ ...nobody, person: 1 });
    expect((await ledger.claim({ ...nobody, background: 1 })).retryInMs).toBeGreaterThan(58_000);
    const { now, personAt } = await ledger.read();
    expect(now - personAt).toBeLessThan(1_000);
  });

  test('suggests another claim for about the time when the first request leaves the window', async () => {
    const ledger = createLedger();
    const { retryInMs } = await ledger.claim({ ...nobody, person: 11 });
    expect(retryInMs).toBeGreaterThan(0);
    expect(retryInMs).toBeLessThanOrEqual(60_000 + 7 + 1);
  });

  test('takes back a permit that was not used', async () => {
    const ledger = createLedger();
    const {
      granted: { person },
    } = await ledger.claim({ ...nobody, person: 10 });
    person[3]?.cancel();
    await expect.poll(async () => (await ledger.read()).counted.length).toBe(9);
    expect(granted(await ledger.claim({ ...nobody, person: 2 }))).toEqual({ person: 1, background: 0 });
  });

  test('counts a request from its answer, and from the future until then', async () => {
    const ledger = createLedger();
    const {
      granted: {
        person: [permit],
      },
    } = await ledger.claim({ ...nobody, person: 1 });
    const sent = await ledger.read();
    expect(sent.counted[0]).toBeGreaterThan(sent.now);
    permit?.answered();
    await expect
      .poll(async () => {
        const {
          counted: [answeredAt = Infinity],
          now,
        } = await ledger.read();
        return answeredAt <= now;
      })
      .toBe(true);
  });

  test('grants nothing while the service refuses, and leaves a single permit for the time after', async () => {
    const ledger = createLedger();
    await ledger.claim({ ...nobody, person: 3 });
    await ledger.recordRefusal(20_000);
    const claim = await ledger.claim({ person: 1, background: 0 });
    const reading = await ledger.read();
    expect(granted(claim)).toEqual(nobody);
    expect(claim.retryInMs).toBeGreaterThan(0);
    expect(claim.retryInMs).toBeLessThanOrEqual(20_000);
    expect(reading.refusedUntil).toBeGreaterThan(reading.now);
    expect(permitsLeft(reading, minute)).toBe(0);
    expect(permitsLeft({ ...reading, refusedUntil: 0 }, minute)).toBe(1);
  });

  test('expects the requests of other programs to stay for up to four windows', async () => {
    const ledger = createLedger({ windows: [{ limit: 1000, windowMs: 60_000 }] });
    await ledger.recordRefusal(20_000);
    const { counted, now } = await ledger.read();
    const leavesInMs = counted.map((at) => at + 60_000 + 7 - now);
    expect(counted).toHaveLength(999);
    expect(Math.min(...leavesInMs)).toBeGreaterThan(19_000);
    expect(Math.max(...leavesInMs)).toBeLessThanOrEqual(240_001);
    expect(Math.max(...leavesInMs) - Math.min(...leavesInMs)).toBeGreaterThan(110_000);
  });

  test('takes a short wait for a full minute, in whatever order the windows are', async () => {
    const ledger = createLedger({ windows: [hour, minute] });
    await ledger.recordRefusal(20_000);
    expect((await ledger.read()).counted).toHaveLength(9);
  });

  test('takes a long wait for a full hour', async () => {
    const ledger = createLedger();
    await ledger.recordRefusal(600_000);
    await ledger.recordRefusal(600_000);
    const { counted, now } = await ledger.read();
    expect(counted).toHaveLength(14);
    expect(Math.min(...counted)).toBeGreaterThanOrEqual(now - 3_600_361 + 600_000 - 1000);
    expect(counted).toEqual(counted.toSorted((a, b) => a - b));
  });
}

describe('the ledger in memory', () => {
  holdsFor((options) => createMemoryLedger({ windows, ...options }));

  test('counts a request without an answer from its grant plus the margin, also when the answer comes late', async () => {
    let time = 0;
    const ledger = createMemoryLedger({ windows, marginMs: 100, now: () => time });
    const {
      granted: {
        person: [quick, slow],
      },
    } = await ledger.claim({ ...nobody, person: 2 });
    time = 40;
    quick?.answered();
    time = 500;
    slow?.answered();
    expect((await ledger.read()).counted).toEqual([40, 100]);
  });

  test('keeps no more requests than its windows look back on, and takes back nothing for the others', async () => {
    let time = 0;
    const ledger = createMemoryLedger({ windows: [{ limit: 2, windowMs: 1000 }], marginMs: 0, now: () => time });
    const {
      granted: {
        person: [forgotten],
      },
    } = await ledger.claim({ ...nobody, person: 1 });
    time = 2000;
    await ledger.claim({ ...nobody, person: 2 });
    expect((await ledger.read()).counted).toEqual([2000, 2000]);
    forgotten?.cancel();
    expect((await ledger.read()).counted).toEqual([2000, 2000]);
  });

  test('grants background work nothing while people wait', async () => {
    const ledger = createMemoryLedger({ windows, now: () => 0 });
    expect((await ledger.claim({ person: 11, background: 1 })).granted.background).toEqual([]);
  });
});

describe.skipIf(redisMissing !== null)(`the ledger in Redis${redisMissing ? ` (${redisMissing})` : ''}`, () => {
  let client: RedisClient & { destroy(): void };
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const redis = await startRedis();
    stop = redis.stop;
    client = await connectRedis(redis.url);
  });
  afterAll(async () => {
    client.destroy();
    await stop();
  });

  holdsFor((options) => createRedisLedger({ client, windows, apiKey: randomUUID(), ...options }));

  test('holds the limit in any window, whichever instances ask at the same time', async () => {
    const short: RateWindow = { limit: 20, windowMs: 400 };
    // Longer than a busy machine delays a request after its grant.
    const marginMs = 1_000;
    const apiKey = randomUUID();
    const budgets = Array.from({ length: 4 }, () =>
      createRequestBudget({ ledger: createRedisLedger({ client, windows: [short], apiKey, marginMs }) }),
    );
    const arrivals: number[] = [];
    await Promise.all(
      budgets.flatMap((budget) =>
        Array.from({ length: 15 }, async () => {
          const permit = await budget.take();
          arrivals.push(performance.now());
          permit.answered();
        }),
      ),
    );
    expect(arrivals).toHaveLength(60);
    expect(mostInAnyWindow(arrivals, short.windowMs)).toBeLessThanOrEqual(20);
  });

  test('is shared by instances with the same key only', async () => {
    const apiKey = randomUUID();
    const [ledger, same] = [
      createRedisLedger({ client, apiKey, windows }),
      createRedisLedger({ client, apiKey, windows }),
    ];
    const other = createRedisLedger({ client, apiKey: randomUUID(), windows });
    await ledger.claim({ ...nobody, person: 10 });
    expect(granted(await same.claim({ ...nobody, person: 1 }))).toEqual({ person: 0, background: 0 });
    expect(granted(await other.claim({ ...nobody, person: 1 }))).toEqual({ person: 1, background: 0 });
  });

  test('does not store the key', async () => {
    const keys: string[] = [];
    const spy: RedisClient = {
      eval: async (script, options) => {
        keys.push(...options.keys, ...options.arguments);
        return client.eval(script, options);
      },
      zRem: async (key, member) => client.zRem(key, member),
    };
    await createRedisLedger({ client: spy, apiKey: 'canary-key', windows }).claim({ ...nobody, person: 1 });
    expect(keys.slice(0, 3)).toEqual([
      expect.stringMatching(/^quiz-budget:\{[\da-f]{32}\}:counted$/),
      expect.stringMatching(/^quiz-budget:\{[\da-f]{32}\}:refused$/),
      expect.stringMatching(/^quiz-budget:\{[\da-f]{32}\}:person$/),
    ]);
    expect(keys.join(' ')).not.toContain('canary-key');
  });

  test('records the answers of the same turn in a single command', async () => {
    const answered: string[][] = [];
    const spy: RedisClient = {
      eval: async (script, options) => {
        if (script.includes("'LT'")) answered.push(options.arguments.slice(1));
        return client.eval(script, options);
      },
      zRem: async (key, member) => client.zRem(key, member),
    };
    const ledger = createRedisLedger({ client: spy, apiKey: randomUUID(), windows });
    const {
      granted: { person },
    } = await ledger.claim({ ...nobody, person: 3 });
    const names = [0, 1, 2].map((index) => expect.stringMatching(new RegExp(`^[\\da-f-]{36}:${index}$`)));
    person[0]?.answered();
    person[1]?.answered();
    await expect.poll(() => answered).toEqual([names.slice(0, 2)]);
    person[2]?.answered();
    await expect.poll(() => answered).toEqual([names.slice(0, 2), names.slice(2)]);
  });

  test('reports answers that could not be recorded', async () => {
    const errors: unknown[] = [];
    const failing: RedisClient = {
      eval: async (script, options) => {
        if (script.includes("'LT'")) throw new Error('connection lost');
        return client.eval(script, options);
      },
      zRem: async () => 0,
    };
    const ledger = createRedisLedger({
      client: failing,
      apiKey: randomUUID(),
      windows,
      onError: (error) => errors.push(error),
    });
    const {
      granted: {
        person: [permit],
      },
    } = await ledger.claim({ ...nobody, person: 1 });
    permit?.answered();
    await expect.poll(() => errors).toEqual([new Error('connection lost')]);
  });
});
