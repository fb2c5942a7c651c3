import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMemoryLedger,
  serviceWindows,
  type Priority,
  type RateWindow,
} from '../../../src/quiz-api/budget/rate-windows.ts';
import { createRequestBudget } from '../../../src/quiz-api/budget/request-budget.ts';
import { createCountingService, mostInAnyWindow } from '../../support/mock-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { runs } from '../../support/drawn.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

interface Call {
  askedAt: number;
  priority: Priority;
  /** The delay of the request, and again of the answer. */
  wayMs: number;
}

interface Sent extends Call {
  sentAt: number;
  answeredAt: number;
}

/** Plays calls against a counting service. @returns the calls in the order in which they were sent */
async function play(calls: readonly Call[], windows: readonly RateWindow[]) {
  const clock = createVirtualClock(0);
  const { now, sleep } = clock;
  const budget = createRequestBudget({ ledger: createMemoryLedger({ windows, now }), now, sleep });
  const service = createCountingService(windows, now);
  const sent: Sent[] = [];

  await clock.runUntil(
    Promise.all(
      calls.map(async (call) => {
        await sleep(call.askedAt);
        const place = await budget.take({ priority: call.priority });
        const request: Sent = { ...call, sentAt: now(), answeredAt: Infinity };
        sent.push(request);
        await sleep(call.wayMs);
        service.request();
        await sleep(call.wayMs);
        place.answered();
        request.answeredAt = now();
      }),
    ),
  );
  return { service, sent };
}

describe('a scripted hour', () => {
  test('of normal work never exceeds 60 requests in any minute or 2,000 in any hour, and people wait less than half a second', async () => {
    const calls: Call[] = [
      // From the start, the directory and the reports need more than the limit of an hour.
      ...Array.from({ length: 2100 }, (): Call => ({ askedAt: 0, priority: 'background', wayMs: 80 })),
      // Every two minutes, a person does something that takes six calls.
      ...Array.from({ length: 180 }, (_, index): Call => ({
        askedAt: Math.floor(index / 6) * 2 * minuteMs + 1000,
        priority: 'person',
        wayMs: 120,
      })),
    ];
    const { service, sent } = await play(calls, serviceWindows);
    expect(sent).toHaveLength(calls.length);
    expect(mostInAnyWindow(service.arrivals, minuteMs)).toBeLessThanOrEqual(60);
    expect(mostInAnyWindow(service.arrivals, hourMs)).toBeLessThanOrEqual(2000);
    expect(service.refused()).toBe(0);
    const waits = sent.filter((call) => call.priority === 'person').map((call) => call.sentAt - call.askedAt);
    expect(Math.max(...waits)).toBeLessThan(500);
  });

  test('of too many people is never idle while a person waits and budget is left', async () => {
    const calls = Array.from({ length: 2300 }, (_, index): Call => ({
      askedAt: index * 700,
      priority: 'person',
      wayMs: 20 + ((index * 37) % 180),
    }));
    const { service, sent } = await play(calls, serviceWindows);
    expect(mostInAnyWindow(service.arrivals, minuteMs)).toBe(60);
    expect(mostInAnyWindow(service.arrivals, hourMs)).toBe(2000);
    expect(service.refused()).toBe(0);
    const answered = sent.map((call) => call.answeredAt).toSorted((a, b) => a - b);
    const idleMs = sent.map(
      (call, index) =>
        call.sentAt -
        Math.max(
          call.askedAt,
          (answered[index - 60] ?? -hourMs) + minuteMs,
          (answered[index - 2000] ?? -hourMs) + hourMs,
        ),
    );
    // The margins for differences between clocks: 7 ms per minute, 361 ms per hour.
    expect(Math.max(...idleMs.slice(0, 2000))).toBeLessThanOrEqual(7);
    expect(Math.max(...idleMs)).toBeLessThanOrEqual(361);
  });
});

const call = fc.record({
  askedAt: fc.integer({ min: 0, max: 3000 }),
  priority: fc.constantFrom<Priority>('person', 'background'),
  wayMs: fc.integer({ min: 0, max: 8 }),
});
const smallWindows = fc.tuple(
  fc.record({
    limit: fc.integer({ min: 2, max: 6 }),
    windowMs: fc.constant(1000),
    reserved: fc.integer({ min: 0, max: 1 }),
  }),
  fc.record({ limit: fc.integer({ min: 8, max: 12 }), windowMs: fc.constant(5000) }),
);

test('any calls at any time are all sent in order, and no window is exceeded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), smallWindows, async (calls, windows) => {
      const { service, sent } = await play(calls, windows);
      expect(service.refused()).toBe(0);
      expect(sent).toHaveLength(calls.length);
      for (const window of windows) {
        expect(mostInAnyWindow(service.arrivals, window.windowMs)).toBeLessThanOrEqual(window.limit);
      }
      for (const priority of ['person', 'background']) {
        const asked = sent.filter((one) => one.priority === priority).map((one) => one.askedAt);
        expect(asked).toEqual(asked.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: runs(60) },
  );
});

test('few requests are refused and all are served when another program uses the key', async () => {
  const clock = createVirtualClock(0);
  const { now, sleep } = clock;
  let dice = 0;
  const random = () => (dice = (dice + 0.618) % 1);
  const budget = createRequestBudget({ ledger: createMemoryLedger({ now, random }), now, sleep });
  const service = createCountingService(serviceWindows, now);
  const refusals: number[] = [];
  const others = async () => {
    for (let request = 0; request < 300; request += 1) {
      service.request();
      await sleep((request * 1733) % 4001);
    }
  };
  const ourCall = async () => {
    for (;;) {
      const place = await budget.take();
      await sleep(50);
      const retryAfterMs = service.request();
      if (retryAfterMs === null) return place.answered();
      place.cancel();
      refusals.push(now());
      await budget.recordRefusal(retryAfterMs);
    }
  };
  const theirs = others();
  await clock.advance(minuteMs);
  await clock.runUntil(Promise.all(Array.from({ length: 200 }, ourCall)));
  const tookMinutes = now() / minuteMs - 1;
  expect(mostInAnyWindow(service.arrivals, minuteMs)).toBeLessThanOrEqual(60);
  // The other program makes 30 requests per minute, so these need at least five minutes when the first minute is half used.
  expect(tookMinutes).toBeLessThan(6);
  expect(refusals.length).toBeLessThan(100);
  await clock.runUntil(theirs);
});
