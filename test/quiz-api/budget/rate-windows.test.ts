import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  backgroundDurationMs,
  backgroundPerMinute,
  Forecast,
  insertSorted,
  mostRequests,
  nextTurnAt,
  othersStayMs,
  permitsLeft,
  serviceWindows,
  spanMs,
  timesOfOthers,
  createKeptLedger,
  type LedgerState,
  type RateWindow,
  type KeptRequests,
} from '../../../src/quiz-api/budget/rate-windows.ts';

const second: RateWindow = { limit: 3, windowMs: 1000, reserved: 1 };
/** A request counts in `second` for this long. */
const secondSpanMs = 1002;
const minute: RateWindow = { limit: 5, windowMs: 60_000 };

function stateOf(counted: number[], overrides: Partial<LedgerState> = {}): LedgerState {
  return { now: 10_000, counted, personAt: -Infinity, refusedUntil: 0, ...overrides };
}

test('the windows of the service are those of the specification, with permits reserved for people', () => {
  expect(serviceWindows).toEqual([
    { limit: 60, windowMs: 60_000, reserved: 10, reservedInQuiet: 1 },
    { limit: 2000, windowMs: 3_600_000, reserved: 100 },
  ]);
  expect(mostRequests(serviceWindows)).toBe(2000);
});

test('a request counts for the window, 100 millionths of it and a millisecond', () => {
  expect([1000, 60_000, 3_600_000].map((windowMs) => spanMs({ limit: 1, windowMs }))).toEqual([
    1002, 60_007, 3_600_361,
  ]);
});

describe('background work', () => {
  const window: RateWindow = { limit: 6, windowMs: 60_000, reserved: 3, reservedInQuiet: 1 };
  /** The ledger 61 seconds after `times`, in seconds, at which requests were counted. */
  const turn = (times: number[], personAt = -Infinity) =>
    (nextTurnAt(
      stateOf(
        times.map((time) => time * 1000),
        { now: 61_000, personAt },
      ),
      [window],
      'background',
    ) -
      7) /
    1000;

  test('leaves all that is reserved to people who used the bot lately', () => {
    expect(turn([10, 20, 30], 50_000)).toBe(10 + 60);
    expect(turn([20, 30], 50_000)).toBeLessThan(61);
  });

  test('leaves less to people who have not used the bot for two windows', () => {
    expect(turn([50, 50, 50, 50], -20_000)).toBe(99.993);
  });

  test('leaves so many permits after a quiet time that people have the second within two distances, and the third within three', () => {
    // Three wait from 110 on: the third within 30 seconds of 80.
    expect(turn([50, 50, 50])).toBe(110 - 30);
    // The second is there at 110, which is within 20 seconds of 90.
    expect(turn([50, 50, 50, 50])).toBe(110 - 20);
    // Evenly spread, each permit comes in time.
    expect(turn([11, 23, 35, 47])).toBeLessThan(61);
  });
});

test('work in the background begins at once, and goes on at what the minute and the hour leave to it', () => {
  expect([backgroundPerMinute(), backgroundPerMinute('inUse')]).toEqual([59, 50]);
  const durations = [0, 1, 30, 60, 1_901, 1_960].map((requests) => backgroundDurationMs(requests));
  expect(durations).toEqual([0, 0, 29_492, 60_000, 3_600_000, 3_660_000]);
  expect(backgroundDurationMs(51, 'inUse')).toBe(60_000);
});

describe('the next turn', () => {
  test('is now while the window has room', () => {
    expect(nextTurnAt(stateOf([9000, 9001]), [second], 'person')).toBe(0);
    expect(nextTurnAt(stateOf([9000]), [second], 'background')).toBe(0);
  });

  test('is when the request that fills the limit leaves the window', () => {
    expect(nextTurnAt(stateOf([9000, 9100, 9200]), [second], 'person')).toBe(9000 + secondSpanMs);
    expect(nextTurnAt(stateOf([9000, 9100, 9200]), [second], 'background')).toBe(9100 + secondSpanMs);
  });

  test('is that of the window that is full for longest', () => {
    expect(nextTurnAt(stateOf([9000, 9100, 9200, 9300, 9400]), [second, minute], 'person')).toBe(9000 + 60_007);
    expect(nextTurnAt(stateOf([9000, 9100, 9200, 9300, 9400]), [minute, second], 'person')).toBe(9000 + 60_007);
  });

  test('comes no earlier than the service accepts requests again', () => {
    expect(nextTurnAt(stateOf([], { refusedUntil: 15_000 }), [second], 'person')).toBe(15_000);
    expect(nextTurnAt(stateOf([9000, 9100, 9200], { refusedUntil: 9500 }), [second], 'person')).toBe(
      9000 + secondSpanMs,
    );
  });

  test('may come earlier by the margin when it waits for a request without an answer', () => {
    const [past, present, future] = [9999, 10_000, 10_001].map((at) =>
      nextTurnAt(stateOf([at, at, at]), [second], 'person', 100),
    );
    expect([past, present, future]).toEqual([9999 + secondSpanMs, 10_000 + secondSpanMs, 10_001 + secondSpanMs - 100]);
  });
});

describe('the permits that are left', () => {
  test('are the limit without the requests in the window', () => {
    expect(permitsLeft(stateOf([]), second)).toBe(3);
    expect(permitsLeft(stateOf([9500, 9600]), second)).toBe(1);
    expect(permitsLeft(stateOf([9500, 9600, 9700, 9800]), second)).toBe(0);
  });

  test('include that of a request that has just left the window', () => {
    expect(permitsLeft(stateOf([10_000 - secondSpanMs]), second)).toBe(3);
    expect(permitsLeft(stateOf([10_001 - secondSpanMs]), second)).toBe(2);
  });

  test('are none until the service accepts requests again', () => {
    expect(permitsLeft(stateOf([], { refusedUntil: 10_001 }), second)).toBe(0);
    expect(permitsLeft(stateOf([], { refusedUntil: 10_000 }), second)).toBe(3);
  });
});

describe('the requests of another program', () => {
  const leaveInMs = (retryAfterMs: number, chance: number, windows = [second, minute], state = stateOf([])) =>
    timesOfOthers(state, windows, retryAfterMs, () => chance);

  test('fill the shortest window that explains the wait, except for a single permit', () => {
    expect(leaveInMs(1000, 0)).toEqual([1, 2].map(() => 10_000 + 1000 - secondSpanMs));
    expect(leaveInMs(1001, 0)).toEqual([1, 2, 3, 4].map(() => 10_000 + 1001 - 60_007));
    expect(leaveInMs(1000, 0, [minute, second])).toHaveLength(2);
  });

  test('fill the longest window when no window explains the wait', () => {
    expect(leaveInMs(70_000, 0)).toEqual([1, 2, 3, 4].map(() => 10_000 + 70_000 - 60_007));
    expect(leaveInMs(70_000, 1)).toEqual([1, 2, 3, 4].map(() => 10_000 + 70_000 - 60_007));
  });

  test('leave out what we sent ourselves', () => {
    expect(leaveInMs(500, 0, [second], stateOf([9500]))).toHaveLength(1);
    expect(leaveInMs(500, 0, [second], stateOf([9500, 9600]))).toHaveLength(0);
    expect(leaveInMs(500, 0, [second], stateOf([9500, 9600, 9700]))).toHaveLength(0);
  });

  test('are recorded although the service already refuses', () => {
    expect(leaveInMs(500, 0, [second], stateOf([], { refusedUntil: 20_000 }))).toHaveLength(2);
  });

  test('leave at random times, at the latest after four of the shortest windows', () => {
    expect(leaveInMs(1000, 1)).toEqual([1, 2].map(() => 10_000 + 4000 - secondSpanMs));
    expect(leaveInMs(1000, 0.5)).toEqual([1, 2].map(() => 10_000 + 2500 - secondSpanMs));
    expect(leaveInMs(2000, 0.25)).toEqual([1, 2, 3, 4].map(() => 10_000 + 2000 + 14_500 - 60_007));
    expect([othersStayMs([second, minute], second), othersStayMs([minute, second], minute)]).toEqual([4000, 60_000]);
  });

  test('need a window', () => {
    expect(() => leaveInMs(1000, 0, [])).toThrow(new RangeError('a budget needs a window'));
  });
});

describe('a forecast', () => {
  test('says in how many milliseconds the next request can be sent, after those that were added', () => {
    const state = stateOf([9000, 9100]);
    const forecast = new Forecast(state, [second]);
    const turns = [0, 1, 2].map(() => {
      const inMs = forecast.nextTurnInMs('person');
      forecast.add(inMs);
      return inMs;
    });
    expect(turns).toEqual([0, secondSpanMs - 1000, secondSpanMs - 900]);
    expect(state.counted).toEqual([9000, 9100]);
  });

  test('keeps to the limit of a priority', () => {
    expect(new Forecast(stateOf([9000, 9100]), [second]).nextTurnInMs('background')).toBe(secondSpanMs - 1000);
  });
});

test('insertion keeps an array ascending', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (values) => {
      const ascending: number[] = [];
      for (const value of values) insertSorted(ascending, value);
      expect(ascending).toEqual(values.toSorted((a, b) => a - b));
    }),
  );
});

const windows = [{ limit: 60, windowMs: 60_000, reserved: 10 }];

function keeping(of: readonly RateWindow[] = windows) {
  const kept = new Map<string, KeptRequests>();
  let now = 1_000_000;
  const open = (apiKey = 'key') =>
    createKeptLedger({
      store: { get: async (key) => kept.get(key), set: async (key, value) => kept.set(key, structuredClone(value)) },
      apiKey,
      windows: of,
      now: () => now,
    });
  return { open, pass: (ms: number) => (now += ms), kept };
}

test('requests from before a restart count', async () => {
  const { open, pass } = keeping();
  const { granted } = await open().claim({ person: 58, background: 0 });
  for (const permit of granted.person) permit.answered();
  pass(1_000);
  expect((await open().claim({ person: 10, background: 0 })).granted.person).toHaveLength(2);
  pass(62_000);
  expect((await open().claim({ person: 10, background: 0 })).granted.person).toHaveLength(10);
});

test('nothing is kept for longer than the longest window, and no key of the account', async () => {
  const { open, pass, kept } = keeping();
  const ledger = open();
  await ledger.claim({ person: 2, background: 0 });
  // The person was there for the last time a window ago, their requests count for the margin longer.
  pass(60_007);
  await ledger.claim({ person: 0, background: 1 });
  const key = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect([...kept]).toEqual([[key, { counted: [1_001_000, 1_001_000, 1_061_007], refusedUntil: 0 }]]);
  pass(1_000);
  await ledger.claim({ person: 0, background: 1 });
  expect([...kept]).toEqual([[key, { counted: [1_061_007, 1_062_007], refusedUntil: 0 }]]);
  const byHour = keeping([...windows, { limit: 2000, windowMs: 3_600_000 }]);
  await byHour.open().claim({ person: 2, background: 0 });
  byHour.pass(61_100);
  await byHour.open().claim({ person: 0, background: 1 });
  expect((await byHour.open().read()).counted).toEqual([1_001_000, 1_001_000, 1_062_100]);
});

test('a claim that gets nothing is not written down', async () => {
  const { open, kept } = keeping();
  const ledger = open();
  await ledger.claim({ person: 60, background: 0 });
  kept.clear();
  await ledger.claim({ person: 1, background: 1 });
  expect(kept.size).toBe(0);
});

test('a refusal from before a restart is waited out', async () => {
  const { open } = keeping();
  await open().recordRefusal(30_000);
  expect(await open().claim({ person: 1, background: 0 })).toMatchObject({
    granted: { person: [] },
    retryInMs: 30_000,
  });
});

test('another key has a budget of its own', async () => {
  const { open } = keeping();
  await open().claim({ person: 60, background: 0 });
  expect((await open('other').claim({ person: 60, background: 0 })).granted.person).toHaveLength(60);
});

test('a clock that was ahead before the restart blocks nothing for longer than a window', async () => {
  const { open, pass } = keeping();
  await open().claim({ person: 60, background: 0 });
  pass(-40 * 24 * 3_600_000);
  expect((await open().claim({ person: 1, background: 0 })).retryInMs).toBeLessThan(62_000);
});

test('people who used the bot before a restart still have all that is reserved', async () => {
  const { open, pass } = keeping([{ limit: 60, windowMs: 60_000, reserved: 10, reservedInQuiet: 1 }]);
  await open().claim({ person: 1, background: 0 });
  pass(10_000);
  const retryInMs = async (apiKey: string) => {
    await open(apiKey).claim({ person: 0, background: 50 });
    return (await open(apiKey).claim({ person: 0, background: 1 })).retryInMs;
  };
  // After a quiet time, the tenth permit must come within ten seconds.
  // The person’s request is the first to leave the window.
  expect([await retryInMs('key'), await retryInMs('other')]).toEqual([51_007, 50_007]);
});
