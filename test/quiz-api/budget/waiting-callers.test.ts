import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger, type Claim, type RateWindow } from '../../../src/quiz-api/budget/rate-windows.ts';
import { createRequestBudget } from '../../../src/quiz-api/budget/request-budget.ts';
import { settle } from '../../support/virtual-clock.ts';

const ten: RateWindow = { limit: 10, windowMs: 1000 };
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
