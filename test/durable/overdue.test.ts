import { beforeEach, describe, expect, test } from 'vitest';
import { createOverdue, type Overdue } from '../../src/durable/runtime.ts';

const start = Date.parse('2026-11-02T08:00:00Z');
const [minute, hour] = [60_000, 3_600_000];
const batch = 'batch/T1/1';
const busy = (queue: string, oldestAt?: number) => ({ queue, oldestAt });

describe('what is overdue', () => {
  let now = start;
  let overdue: Overdue;

  beforeEach(() => {
    now = start;
    overdue = createOverdue({ kinds: ['batch', 'campaign'], now: () => now });
  });

  test('is nothing while each mailbox runs when it is due', () => {
    for (let run = 0; run < 100; run += 1, now += minute) {
      overdue.ran(batch, now + minute, false);
      expect(overdue.sinceByKind([busy(batch)])).toEqual({ batch: undefined, campaign: undefined });
    }
  });

  test('begins when the next run is due and does not come', () => {
    overdue.ran(batch, start + hour, false);
    now += hour - 1;
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBeUndefined();
    now += 2 * hour;
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBe(start + hour);
  });

  test('begins with the first run that could not do its work, and ends with one that could', () => {
    for (let run = 0; run < 10; run += 1, now += minute) overdue.ran(batch, now + minute, true);
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBe(start);
    overdue.ran(batch, now + minute, false);
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBeUndefined();
  });

  test('is what came and nobody took, also in a mailbox that never ran', () => {
    now += hour;
    overdue.ran('campaign/T1/1', undefined, false);
    expect(overdue.sinceByKind([busy('campaign/T1/1')])['campaign']).toBeUndefined();
    expect(overdue.sinceByKind([busy('campaign/T1/1', now - minute)])['campaign']).toBe(now - minute);
    expect(overdue.sinceByKind([busy('campaign/T1/2', start - hour)])['campaign']).toBe(start - hour);
  });

  test('is counted from the start of the process for what did not run since, and the oldest of a kind counts', () => {
    now += hour;
    overdue.ran(batch, now - minute, false);
    expect(overdue.sinceByKind([busy(batch), busy('batch/T1/2')])['batch']).toBe(start);
  });

  test('ends with the mailbox: one that begins again is as new', () => {
    overdue.ran(batch, start, true);
    expect(overdue.sinceByKind([])['batch']).toBeUndefined();
    now += hour;
    overdue.ran(batch, now + minute, true);
    expect(overdue.sinceByKind([busy(batch)])['batch']).toBe(now);
  });

  test('are only the kinds that are watched', () => {
    overdue.ran('channel/T1/C1', start, false);
    now += hour;
    expect(overdue.sinceByKind([busy('channel/T1/C1', start)])).toEqual({ batch: undefined, campaign: undefined });
  });
});
