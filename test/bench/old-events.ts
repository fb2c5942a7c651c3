import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../src/storage/open-storage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { metricIn } from '../support/measurements.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import type { BenchRow } from './bench-row.ts';

const events = 1_000_000;
const dayMs = 24 * 3_600_000;
/** The bot forgets for some seconds at the start and every 30 seconds. */
const settleMs = 15_000;
const measuredMs = 100_000;
const everyMs = 200;
const goals = { heldUpMs: 50, walMB: 16 };

/** A bot that has a million events to forget: how long it is held up, and how large the WAL gets. A busy machine holds up the idle bot as well. */
export async function run(): Promise<BenchRow[]> {
  const idle = await measure(0);
  const { heldUpMs, walMB, forgotten } = await measure(events);
  const figure = `${heldUpMs.toFixed(0)} ms (${forgotten.toLocaleString('en')} forgotten in ${measuredMs / 1000} s; an idle bot before it: ${idle.heldUpMs.toFixed(0)} ms)`;
  return [
    {
      name: 'forgetting a million old events: longest hold-up',
      figure,
      goal: `${goals.heldUpMs} ms`,
      met: heldUpMs <= Math.max(goals.heldUpMs, idle.heldUpMs) && forgotten > 0,
    },
    {
      name: 'forgetting a million old events: largest WAL',
      figure: `${walMB.toFixed(1)} MiB`,
      goal: `${goals.walMB} MiB`,
      met: walMB <= goals.walMB,
    },
  ];
}

async function measure(oldEvents: number): Promise<{ heldUpMs: number; walMB: number; forgotten: number }> {
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    beforeStart: async ({ DATA_DIR: dataDir = '' }) => addOldEvents(dataDir, oldEvents),
  });
  const {
    bots: [bot],
    folder,
  } = testBed;
  const metrics = async () => (await fetch(`${bot!.url}/metrics`)).text();
  const count = () => countKnown(join(folder, 'kept'));
  try {
    await pause(settleMs);
    const before = count();
    let [heldUpMs, walBytes] = [0, 0];
    for (const begin = performance.now(); performance.now() - begin < measuredMs; await pause(everyMs)) {
      heldUpMs = Math.max(heldUpMs, 1000 * metricIn(await metrics(), 'nodejs_eventloop_lag_max_seconds'));
      walBytes = Math.max(walBytes, statSync(join(folder, 'kept', 'invigilator.sqlite-wal')).size);
    }
    return { heldUpMs, walMB: walBytes / 2 ** 20, forgotten: before - count() };
  } finally {
    await testBed.close();
  }
}

async function addOldEvents(dataDir: string, wanted: number): Promise<void> {
  const { storage } = await openStorage({ dataDir, redisUrl: undefined, clock: systemClock, onError: () => {} });
  await storage.open();
  await storage.close();
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
  database.exec(`
    BEGIN;
    INSERT INTO known_events (id, subject, is_backfilled, taken_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${wanted})
      SELECT lower(hex(randomblob(16))), lower(hex(randomblob(16))) || '/' || i, 0, ${Date.now() - 40 * dayMs} FROM n WHERE i <= ${wanted};
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

function countKnown(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM known_events').get()?.['count']);
  } finally {
    database.close();
  }
}
