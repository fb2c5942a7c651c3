import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWebhookCounters } from '../../../src/features/webhooks/tally.ts';
import type { RefusedSignature } from '../../../src/domain/alerts-status.ts';
import type { Counters } from '../../../src/storage/records.ts';
import { recordingLog } from '../../support/log.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';

const startMs = Date.UTC(2026, 10, 2, 8);

/** Counters that last as long as a test. */
function memoryCounters() {
  const kept: Record<string, number> = {};
  const counters = {
    add: vi.fn<Counters['add']>(async (_, counts) => {
      for (const [field, count] of Object.entries(counts)) kept[field] = (kept[field] ?? 0) + count;
    }),
    raise: vi.fn<Counters['raise']>(async (_, field, value) => {
      kept[field] = Math.max(value, kept[field] ?? 0);
    }),
    of: vi.fn<Counters['of']>(async () => ({ ...kept })),
  };
  const refusals = {
    set: vi.fn<(key: 'latest', refusals: RefusedSignature[], ttlMs: number) => Promise<void>>(async () => {}),
  };
  return { kept, counters, refusals };
}

function setUp(store = memoryCounters(), fromMs = startMs) {
  const clock = createVirtualClock(fromMs);
  const { log, lines } = recordingLog();
  const webhookCounters = createWebhookCounters({
    counters: store.counters,
    refusals: store.refusals,
    now: clock.now,
    everyMs: 5_000,
    sleep: (ms, signal) => clock.sleep(ms, signal).catch(() => {}),
    log,
  });
  webhookCounters.start();
  onTestFinished(() => webhookCounters.stop());
  return { ...store, clock, webhookCounters, lines };
}

describe('webhook counters', () => {
  test('is kept every few seconds, with the time of the last', async () => {
    const { kept, clock, webhookCounters } = setUp();
    await clock.advance(1_000);
    webhookCounters.took('taken');
    webhookCounters.took('taken');
    await clock.advance(1_000);
    webhookCounters.took('known');
    expect(kept).toEqual({ since: startMs });
    await clock.advance(3_000);
    expect(kept).toEqual({ since: startMs, taken: 2, known: 1, lastAt: startMs + 2_000 });
    await clock.advance(60_000);
    expect(kept).toMatchObject({ taken: 2, known: 1 });
  });

  test('cost one write and one log line for a thousand refused webhooks', async () => {
    const { kept, clock, webhookCounters, counters, lines } = setUp();
    await settle();
    for (let index = 0; index < 999; index += 1) webhookCounters.refused('the signature does not match');
    webhookCounters.refused('malformed');
    await clock.advance(5_000);
    expect(kept).toEqual({
      since: startMs,
      'refused: the signature does not match': 999,
      'refused: malformed': 1,
      lastRefusedAt: startMs,
    });
    expect(counters.add).toHaveBeenCalledOnce();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'webhooks refused',
        reasons: { 'the signature does not match': 999, malformed: 1 },
      }),
    ]);
    await clock.advance(60_000);
    expect(counters.add).toHaveBeenCalledOnce();
    expect(lines).toHaveLength(1);
  });

  test('keep the latest three different refusals of signatures, the last first, in one write', async () => {
    const { clock, webhookCounters, refusals, lines } = setUp();
    await settle();
    const lacks = (problem: string) => ({ tried: [{ scheme: 'body', problem }], headers: ['x-hub-signature-256'] });
    for (const problem of ['a', 'b', 'c', 'd', 'b'])
      webhookCounters.refused('the signature is missing', lacks(problem));
    webhookCounters.refused('no secret is configured', { tried: [], headers: [] });
    await clock.advance(5_000);
    expect(refusals.set.mock.calls).toEqual([
      ['latest', ['b', 'd', 'c'].map((problem) => ({ at: startMs, ...lacks(problem) })), 7 * 24 * 3_600_000],
    ]);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'webhooks refused',
      tried: ['body: b'],
      headerNames: ['x-hub-signature-256'],
    });
    webhookCounters.refused('malformed');
    await clock.advance(60_000);
    expect(refusals.set).toHaveBeenCalledOnce();
    expect(JSON.parse(lines[1]!)).not.toHaveProperty('tried');
  });

  test('keep refusals of signatures later where the store is away', async () => {
    const { clock, webhookCounters, refusals } = setUp();
    await settle();
    refusals.set.mockRejectedValueOnce(new Error('the store is away'));
    webhookCounters.refused('the signature is missing', { tried: [{ scheme: 'body', problem: 'a' }], headers: [] });
    await clock.advance(10_000);
    expect(refusals.set).toHaveBeenCalledTimes(2);
    await clock.advance(60_000);
    expect(refusals.set).toHaveBeenCalledTimes(2);
  });

  test('is kept at the end', async () => {
    const { kept, webhookCounters } = setUp();
    await settle();
    webhookCounters.took('taken');
    await webhookCounters.stop();
    expect(kept).toMatchObject({ taken: 1, lastAt: startMs });
  });

  test('waits for a store that is away, counts on, and counts nothing twice', async () => {
    const { kept, clock, webhookCounters, counters, lines } = setUp();
    await settle();
    counters.add.mockRejectedValueOnce(new Error('the store is away'));
    counters.raise.mockRejectedValueOnce(new Error('the store is away'));
    webhookCounters.refused('malformed');
    webhookCounters.took('taken');
    await clock.advance(5_000);
    webhookCounters.took('taken');
    expect(kept).toEqual({ since: startMs });
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs, taken: 2, 'refused: malformed': 1 });
    await clock.advance(5_000);
    expect(kept).toEqual({
      since: startMs,
      taken: 2,
      'refused: malformed': 1,
      lastAt: startMs + 5_000,
      lastRefusedAt: startMs,
    });
    expect(lines.filter((line) => line.includes('webhooks refused'))).toHaveLength(1);
    const failures = lines
      .filter((line) => !line.includes('webhooks refused'))
      .map((line): unknown => JSON.parse(line));
    expect(failures).toMatchObject([
      {
        level: 'warn',
        msg: 'webhooks could not be counted; they are counted later',
        error: { message: 'the store is away' },
      },
      { level: 'info', msg: 'webhooks are counted again', times: 2 },
    ]);
  });

  test('goes on from what was counted before a restart', async () => {
    const store = memoryCounters();
    const first = setUp(store);
    first.webhookCounters.took('taken');
    await first.webhookCounters.stop();
    const second = setUp(store, startMs + 60_000);
    await settle();
    second.webhookCounters.took('taken');
    await second.webhookCounters.stop();
    expect(store.kept).toEqual({ since: startMs, taken: 2, lastAt: startMs + 60_000 });
  });
});
