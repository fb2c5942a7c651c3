import { describe, expect, test } from 'vitest';
import {
  createMemoryLedger,
  serviceWindows,
  type RateWindow,
  type Claim,
} from '../../../src/quiz-api/budget/rate-windows.ts';
import {
  createRanks,
  createRequestBudget,
  TurnTooLateError,
  type PersonRank,
} from '../../../src/quiz-api/budget/request-budget.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';
import { getEventListeners } from 'node:events';

function createBudget(windows: RateWindow[], marginMs = 0, rankOf?: (personId: string) => PersonRank) {
  const clock = createVirtualClock();
  const startMs = clock.now();
  const { now, sleep } = clock;
  const budget = createRequestBudget({
    ledger: createMemoryLedger({ windows, marginMs, now, random: () => 0.5 }),
    now,
    sleep,
    rankOf,
  });
  const turns: string[] = [];
  return {
    clock,
    budget,
    turns,
    /** Takes a permit and records who took it, after how many milliseconds. */
    take: async (who: string, options: Parameters<typeof budget.take>[0] = {}) => {
      const permit = await budget.take(options);
      permit.answered();
      turns.push(`${who} ${now() - startMs}`);
    },
  };
}

const ten: RateWindow = { limit: 10, windowMs: 1000 };
/** How long a request counts in `ten`. */
const spanMs = 1002;

async function fill(take: (who: string) => Promise<void>, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, async () => take('first')));
}

describe('the request budget', () => {
  test('rejects a caller at once when its turn comes after its deadline', async () => {
    const { clock, budget, take } = createBudget([ten]);
    await fill(take, 10);
    void take('waits in front');
    const startMs = clock.now();
    const late = budget.take({ deadline: startMs + spanMs - 1 });
    await expect(late).rejects.toThrow(TurnTooLateError);
    await expect(late).rejects.toMatchObject({
      name: 'TurnTooLateError',
      code: 'turn_too_late',
      message: `The next request can be made at ${new Date(startMs + spanMs).toISOString()}`,
      availableAt: new Date(startMs + spanMs),
    });
    expect(clock.now()).toBe(startMs);
  });

  test('counts the callers in front when it predicts a turn', async () => {
    const { clock, budget, take } = createBudget([{ limit: 2, windowMs: 1000 }]);
    await fill(take, 2);
    const startMs = clock.now();
    for (const who of ['a', 'b', 'c']) void take(who);
    await expect(budget.take({ deadline: startMs + 2 * spanMs - 1 })).rejects.toMatchObject({
      availableAt: new Date(startMs + 2 * spanMs),
    });
    await expect(clock.runUntil(budget.take({ deadline: startMs + 2 * spanMs }))).resolves.toBeDefined();
  });

  test('forgets a caller that gave up', async () => {
    const { clock, take, turns } = createBudget([{ limit: 1, windowMs: 1000 }]);
    await fill(take, 1);
    const controller = new AbortController();
    const gaveUp = take('gave up', { signal: controller.signal });
    const stayed = take('stayed');
    await settle();
    controller.abort(new Error('no longer needed'));
    await expect(gaveUp).rejects.toThrow('no longer needed');
    await clock.runUntil(stayed);
    expect(turns.slice(1)).toEqual([`stayed ${spanMs}`]);
  });

  test('rejects a caller that has given up already', async () => {
    const { budget } = createBudget([ten]);
    await expect(budget.take({ signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(await budget.left()).toMatchObject({ windows: [{ left: 10 }] });
  });

  test('reports what is left, who waits and when the next request can be sent', async () => {
    const { clock, budget, take } = createBudget([ten, { limit: 11, windowMs: 60_000 }]);
    const startMs = clock.now();
    await fill(take, 8);
    expect(await budget.left()).toEqual({
      windows: [
        { windowMs: 1000, limit: 10, left: 2 },
        { windowMs: 60_000, limit: 11, left: 3 },
      ],
      waiting: { person: 0, background: 0 },
      availableAt: new Date(startMs),
    });
    await fill(take, 2);
    void take('waits', { priority: 'background' });
    await settle();
    expect(await budget.left()).toMatchObject({
      windows: [{ left: 0 }, { left: 1 }],
      waiting: { person: 0, background: 1 },
      availableAt: new Date(startMs + spanMs),
    });
  });

  test.each([
    { limit: 0, windowMs: 1000 },
    { limit: 0, windowMs: 1000, reserved: -1 },
    { limit: 5, windowMs: 0 },
    { limit: 5, windowMs: 1000, reserved: 5 },
    { limit: Number.NaN, windowMs: 1000 },
  ])('refuses the window %j, which permits nothing', (window) => {
    expect(() => createBudget([ten, window])).toThrow(new RangeError(`No request fits into ${JSON.stringify(window)}`));
  });

  test('reports when a person’s next request can be sent, although background work has to wait', async () => {
    const { clock, budget, take } = createBudget([{ ...ten, reserved: 4 }]);
    await fill(take, 6);
    expect((await budget.left()).availableAt).toEqual(new Date(clock.now()));
  });

  test('rejects a waiting caller as soon as a refusal moves its turn after its deadline', async () => {
    const { clock, budget, take } = createBudget([ten]);
    await fill(take, 10);
    const startMs = clock.now();
    const waiting = budget.take({ deadline: startMs + 5000 });
    await settle();
    await budget.recordRefusal(60_000);
    await expect(waiting).rejects.toMatchObject({ name: 'TurnTooLateError', availableAt: new Date(startMs + 60_000) });
    expect(clock.now()).toBe(startMs);
  });

  test.each([
    ['respondent', 15],
    ['trainer', 30],
    ['administrator', 45],
    ['person of unknown rank', 45],
  ] as const)(
    'gives a %s %i requests of a minute and half of an hour, and tells them when they can go on',
    async (rank, most) => {
      const hour: RateWindow = { limit: 200, windowMs: 3_600_000 };
      const rankOf = rank === 'person of unknown rank' ? undefined : () => rank;
      const { clock, budget, take } = createBudget([{ limit: 60, windowMs: 60_000 }, hour], 0, rankOf);
      const startMs = clock.now();
      const send = async (count: number) => {
        for (let n = 0; n < count; n += 1) await take('mallory', { personId: 'U1' });
      };
      await send(most);
      await expect(budget.take({ personId: 'U1' })).rejects.toMatchObject({
        name: 'ShareSpentError',
        availableAt: new Date(startMs + 60_000),
      });
      for (let sent = most; sent < 100; sent += most) {
        await clock.advance(61_000);
        await send(Math.min(most, 100 - sent));
      }
      await expect(budget.take({ personId: 'U1' })).rejects.toMatchObject({
        name: 'ShareSpentError',
        availableAt: new Date(startMs + 3_600_000),
      });
      await clock.advance(3_600_000);
      await take('mallory', { personId: 'U1' });
    },
  );

  test('keeps six requests of a minute for administrators, and tells the others when they can go on', async () => {
    const windows: RateWindow[] = [
      { limit: 2_000, windowMs: 3_600_000 },
      { limit: 60, windowMs: 60_000 },
    ];
    const { clock, budget, take } = createBudget(windows, 0, (personId) =>
      personId === 'UADA' ? 'administrator' : 'respondent',
    );
    const startMs = clock.now();
    const inAMinute = { deadline: startMs + 30_000 };
    const asked = await Promise.allSettled(
      Array.from({ length: 130 }, async (_, n) => take('others', { personId: `U${n % 10}`, ...inAMinute })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(54);
    await expect(budget.take({ personId: 'U99', ...inAMinute })).rejects.toMatchObject({
      name: 'TurnTooLateError',
      availableAt: expect.toSatisfy((at: Date) => at.getTime() >= startMs + 60_000 && at.getTime() < startMs + 61_000),
    });
    for (let n = 0; n < 6; n += 1) await take('ada', { personId: 'UADA', ...inAMinute });
    expect(clock.now()).toBe(startMs);
    const waits = Array.from({ length: 3 }, async () => take('waits', { personId: 'U99', deadline: startMs + 90_000 }));
    await clock.runUntil(Promise.all(waits));
    expect(clock.now()).toBeGreaterThanOrEqual(startMs + 60_000);
    expect(clock.now()).toBeLessThan(startMs + 62_000);
  });

  test('remembers what somebody sent in this minute, however many people have sent something since', async () => {
    const { budget, take } = createBudget([{ limit: 1_600, windowMs: 60_000 }], 0, () => 'respondent');
    await Promise.all(Array.from({ length: 400 }, async () => take('mallory', { personId: 'U1' })));
    await Promise.all(Array.from({ length: 1_000 }, async (_, n) => take('others', { personId: `U${n + 2}` })));
    await expect(budget.take({ personId: 'U1' })).rejects.toMatchObject({ name: 'ShareSpentError' });
  });

  test.each(['respondent', 'trainer', 'administrator'] as const)(
    'gives a %s a first request within two seconds and four within five, beside background work that nobody interrupted before',
    async (rank) => {
      const { clock, budget, take, turns } = createBudget([...serviceWindows], 0, () => rank);
      const work = async () => {
        for (let n = 0; n < 300; n += 1) {
          (await budget.take({ priority: 'background' })).answered();
          await clock.sleep(1_017);
        }
      };
      const person = async () => {
        await clock.sleep(150_000);
        for (let n = 0; n < 4; n += 1) await take('erin', { personId: 'UERIN', deadline: clock.now() + 10_000 });
      };
      await clock.runUntil(Promise.all([work(), person()]));
      const afterMs = turns.map((turn) => Number(turn.split(' ')[1]) - 150_000);
      expect(afterMs[0]).toBeLessThan(2_000);
      expect(afterMs[3]).toBeLessThan(5_000);
    },
  );

  test('keeps six requests of a minute for administrators while background work leaves ten', async () => {
    const [minute] = serviceWindows;
    const { clock, budget, take } = createBudget([minute!], 0, (personId) =>
      personId === 'UADA' ? 'administrator' : 'trainer',
    );
    const startMs = clock.now();
    await take('ada', { personId: 'UADA' });
    const work = Array.from({ length: 60 }, () => budget.take({ priority: 'background' }));
    await settle();
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, n) =>
        take('others', { personId: `U${n % 10}`, deadline: startMs + 30_000 }),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    for (let n = 0; n < 6; n += 1) await take('ada', { personId: 'UADA', deadline: startMs + 30_000 });
    expect(clock.now()).toBe(startMs);
    await clock.runUntil(Promise.all(work));
  });

  describe('for people who are no administrators', () => {
    const asTrainer = { personId: 'UERIN' };
    const ofTrainers = (windows: RateWindow[]) => {
      const bed = createBudget(windows, 0, () => 'trainer');
      /** Requests of nobody in particular, which count as an administrator’s. */
      const others = async (count: number) =>
        Promise.all(Array.from({ length: count }, async () => bed.take('others')));
      return { ...bed, others };
    };

    test('waits where only what is kept is left, until the moment at which more is left', async () => {
      const { clock, budget, take, turns, others } = ofTrainers([ten]);
      await others(9);
      const turn = clock.now() + spanMs;
      await expect(budget.take({ ...asTrainer, deadline: turn - 1 })).rejects.toMatchObject({
        name: 'TurnTooLateError',
        availableAt: new Date(turn),
      });
      await clock.runUntil(take('erin', { ...asTrainer, deadline: turn }));
      expect(turns.at(-1)).toBe(`erin ${spanMs}`);
    });

    test('keeps nothing of longer windows', async () => {
      const { clock, take, turns, others } = ofTrainers([{ limit: 11, windowMs: 60_000 }, ten]);
      await others(10);
      await clock.runUntil(take('erin', { ...asTrainer, deadline: clock.now() + 2 * spanMs }));
      expect(turns.at(-1)).toBe(`erin ${spanMs}`);
    });

    test('keeps nothing from their background work', async () => {
      const { clock, take, turns, others } = ofTrainers([ten]);
      await others(9);
      await clock.runUntil(take('work', { ...asTrainer, priority: 'background' }));
      expect(turns.at(-1)).toBe('work 0');
    });

    test('gives what background work leaves beyond that in each window anew', async () => {
      const { clock, take, turns, others } = ofTrainers([{ ...ten, reserved: 3 }]);
      await take('erin', asTrainer);
      await take('erin', asTrainer);
      await clock.advance(1000);
      await others(7);
      await take('erin', { ...asTrainer, deadline: clock.now() });
      expect(turns.at(-1)).toBe('erin 1000');
    });

    test('gives as many as wait their turns in the order in which they came, and predicts the next one', async () => {
      const { clock, budget, take, turns, others } = ofTrainers([{ limit: 2, windowMs: 1000, reserved: 1 }]);
      const startMs = clock.now();
      await take('first', { personId: 'U0' });
      await others(1);
      const waits = ['U1', 'U2', 'U3'].map(async (personId) => take(personId, { personId }));
      await settle();
      await expect(budget.take({ personId: 'U4', deadline: startMs + 2 * spanMs - 1 })).rejects.toMatchObject({
        availableAt: new Date(startMs + 2 * spanMs),
      });
      await clock.runUntil(Promise.all(waits));
      expect(turns.slice(-3)).toEqual([`U1 ${spanMs}`, `U2 ${spanMs}`, `U3 ${2 * spanMs}`]);
    });

    test('gives a share back at the very moment at which it is theirs again', async () => {
      const { clock, budget, take } = ofTrainers([
        { limit: 2, windowMs: 1000 },
        { limit: 100, windowMs: 60_000 },
      ]);
      await take('erin', asTrainer);
      await clock.advance(999);
      await expect(budget.take(asTrainer)).rejects.toMatchObject({ name: 'ShareSpentError' });
      await clock.advance(1);
      await take('erin', { ...asTrainer, priority: 'background' });
    });
  });
});

const single: RateWindow = { limit: 1, windowMs: 1000 };

describe('the request budget', () => {
  test('returns a permit whose caller gave up while it was granted', async () => {
    const claims = Promise.withResolvers<Claim>();
    let cancelled = 0;
    const permit = {
      answered: () => {},
      cancel: () => {
        cancelled += 1;
      },
    };
    const budget = createRequestBudget({
      ledger: {
        windows: [ten],
        claim: async () => claims.promise,
        recordRefusal: () => {},
        read: () => ({ now: 0, counted: [], personAt: -Infinity, refusedUntil: 0 }),
      },
    });
    const controller = new AbortController();
    const gaveUp = budget.take({ signal: controller.signal });
    controller.abort(new Error('no longer needed'));
    claims.resolve({ granted: { person: [permit], background: [] }, retryInMs: 0 });
    await expect(gaveUp).rejects.toThrow('no longer needed');
    await settle();
    expect(cancelled).toBe(1);
  });

  test('stops listening to a signal once the permit is granted', async () => {
    const budget = createRequestBudget({ ledger: createMemoryLedger({ windows: [ten], now: () => 0 }) });
    const { signal } = new AbortController();
    await budget.take({ signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('sleeps only while somebody waits', async () => {
    const sleeps: (AbortSignal | undefined)[] = [];
    const budget = createRequestBudget({
      ledger: createMemoryLedger({ windows: [single], now: () => 0 }),
      now: () => 0,
      sleep: async (_ms, signal) => {
        sleeps.push(signal);
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    await budget.take();
    await settle();
    expect(sleeps).toEqual([]);
    const controller = new AbortController();
    const gaveUp = budget.take({ signal: controller.signal });
    await settle();
    controller.abort(new Error('no longer needed'));
    await expect(gaveUp).rejects.toThrow('no longer needed');
    expect(sleeps.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test('makes one claim at a time, and reads what was sent only where somebody has a deadline', async () => {
    const ledger = createMemoryLedger({ windows: [ten], now: () => 0 });
    const asked: string[] = [];
    const budget = createRequestBudget({
      ledger: {
        ...ledger,
        async claim(wanted) {
          asked.push('claim');
          await settle();
          asked.push('answer');
          return ledger.claim(wanted);
        },
        read() {
          asked.push('read');
          return ledger.read();
        },
      },
      now: () => 0,
    });
    await Promise.all([budget.take(), budget.take(), budget.take()]);
    expect(asked).toEqual(['claim', 'answer', 'claim', 'answer']);
  });

  test('rejects all waiting callers when the clock fails', async () => {
    const budget = createRequestBudget({
      ledger: createMemoryLedger({ windows: [single], now: () => 0 }),
      sleep: async () => {
        throw new Error('the clock is broken');
      },
    });
    await budget.take();
    await expect(budget.take()).rejects.toThrow('the clock is broken');
  });

  test('rejects all waiting callers when the ledger fails', async () => {
    const budget = createRequestBudget({
      ledger: {
        windows: [ten],
        claim: async () => {
          throw new Error('store is away');
        },
        recordRefusal: () => {},
        read: () => ({ now: 0, counted: [], personAt: -Infinity, refusedUntil: 0 }),
      },
    });
    const both = await Promise.allSettled([budget.take(), budget.take()]);
    expect(both).toMatchObject([{ reason: new Error('store is away') }, { reason: new Error('store is away') }]);
  });
});

test('without a ledger, the budget keeps the limits of the service, by the clock that it has', async () => {
  const { now, advance } = createVirtualClock();
  const budget = createRequestBudget({ now });
  for (let n = 0; n < 60; n += 1) (await budget.take()).answered();
  const left = async () => (await budget.left()).windows.map((window) => window.left);
  expect(await left()).toEqual([0, 1_940]);
  await advance(61_000);
  expect(await left()).toEqual([60, 1_940]);
});

test('the ranks of the ten thousand people who were noted last are known, and anyone else counts as an administrator', () => {
  const ranks = createRanks();
  for (let n = 0; n < 10_000; n += 1) ranks.note(`U${n}`, 'respondent');
  ranks.note('U0', 'trainer');
  const known = () => ['U0', 'U1', 'U2', 'new'].map((id) => ranks.of(id));
  expect(known()).toEqual(['trainer', 'respondent', 'respondent', 'administrator']);
  ranks.note('new', 'trainer');
  expect(known()).toEqual(['trainer', 'administrator', 'respondent', 'trainer']);
});
