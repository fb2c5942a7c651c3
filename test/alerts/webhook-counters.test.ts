import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createWebhookTally } from '../../src/alerts/webhook-counters.ts';
import type { Tallies } from '../../src/storage/storage.ts';
import { recordingLog } from '../support/log.ts';
import { createVirtualClock, settle } from '../support/virtual-clock.ts';

const startMs = Date.UTC(2026, 10, 2, 8);

/** Tallies that last as long as a test. */
function memoryTallies() {
  const kept: Record<string, number> = {};
  const tallies = {
    add: vi.fn<Tallies['add']>(async (_, counts) => {
      for (const [field, count] of Object.entries(counts)) kept[field] = (kept[field] ?? 0) + count;
    }),
    raise: vi.fn<Tallies['raise']>(async (_, field, value) => {
      kept[field] = Math.max(value, kept[field] ?? 0);
    }),
    of: vi.fn<Tallies['of']>(async () => ({ ...kept })),
  };
  return { kept, tallies };
}

function setUp(store = memoryTallies(), fromMs = startMs) {
  const clock = createVirtualClock(fromMs);
  const { log, lines } = recordingLog();
  const tally = createWebhookTally({
    tallies: store.tallies,
    now: clock.now,
    everyMs: 5_000,
    sleep: (ms, signal) => clock.sleep(ms, signal).catch(() => {}),
    log,
  });
  tally.start();
  onTestFinished(() => tally.stop());
  return { ...store, clock, tally, lines };
}

describe('the tally of webhooks', () => {
  test('is kept every few seconds, with the time of the last', async () => {
    const { kept, clock, tally } = setUp();
    await clock.advance(1_000);
    tally.took('taken');
    tally.took('taken');
    await clock.advance(1_000);
    tally.took('known');
    expect(kept).toEqual({ since: startMs });
    await clock.advance(3_000);
    expect(kept).toEqual({ since: startMs, taken: 2, known: 1, lastAt: startMs + 2_000 });
    await clock.advance(60_000);
    expect(kept).toMatchObject({ taken: 2, known: 1 });
  });

  test('of a thousand refused webhooks costs one write and one line in the log', async () => {
    const { kept, clock, tally, tallies, lines } = setUp();
    await settle();
    for (let index = 0; index < 999; index += 1) tally.refused('the signature does not match');
    tally.refused('malformed');
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs, 'refused: the signature does not match': 999, 'refused: malformed': 1, lastRefusedAt: startMs });
    expect(tallies.add).toHaveBeenCalledOnce();
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'webhooks refused', reasons: { 'the signature does not match': 999, malformed: 1 } }),
    ]);
    await clock.advance(60_000);
    expect(tallies.add).toHaveBeenCalledOnce();
    expect(lines).toHaveLength(1);
  });

  test('does not take what the bot found itself for a webhook that came', async () => {
    const { kept, clock, tally } = setUp();
    tally.took('missed', 7);
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs, missed: 7 });
  });

  test('is kept at the end', async () => {
    const { kept, tally } = setUp();
    await settle();
    tally.took('taken');
    await tally.stop();
    expect(kept).toMatchObject({ taken: 1, lastAt: startMs });
  });

  test('waits for a store that is away, counts on, and counts nothing twice', async () => {
    const { kept, clock, tally, tallies, lines } = setUp();
    await settle();
    tallies.add.mockRejectedValueOnce(new Error('the store is away'));
    tallies.raise.mockRejectedValueOnce(new Error('the store is away'));
    tally.refused('malformed');
    tally.took('taken');
    await clock.advance(5_000);
    tally.took('taken');
    expect(kept).toEqual({ since: startMs });
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs, taken: 2, 'refused: malformed': 1 });
    await clock.advance(5_000);
    expect(kept).toEqual({ since: startMs, taken: 2, 'refused: malformed': 1, lastAt: startMs + 5_000, lastRefusedAt: startMs });
    expect(lines.filter((line) => line.includes('webhooks refused'))).toHaveLength(1);
  });

  test('goes on from what was counted before a restart', async () => {
    const store = memoryTallies();
    const first = setUp(store);
    first.tally.took('taken');
    await first.tally.stop();
    const second = setUp(store, startMs + 60_000);
    await settle();
    second.tally.took('taken');
    await second.tally.stop();
    expect(store.kept).toEqual({ since: startMs, taken: 2, lastAt: startMs + 60_000 });
  });
});
