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

/** A bot that has a million events to forget: how long it is held up, and how large the WAL gets. */
export async function run(): Promise<BenchRow[]> {
  const testBed = await openProcessTestBed({ store: 'sqlite', beforeStart: async ({ DATA_DIR: dataDir = '' }) => addOldEvents(dataDir) });
  const { bots: [bot], folder } = testBed;
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
    const forgotten = before - count();
    const walMB = walBytes / 2 ** 20;
    return [
      { name: 'forgetting a million old events: longest hold-up', figure: `${heldUpMs.toFixed(0)} ms (${forgotten.toLocaleString('en')} forgotten in ${measuredMs / 1000} s)`, goal: `${goals.heldUpMs} ms`, met: heldUpMs <= goals.heldUpMs && forgotten > 0 },
      { name: 'forgetting a million old events: largest WAL', figure: `${walMB.toFixed(1)} MiB`, goal: `${goals.walMB} MiB`, met: walMB <= goals.walMB },
    ];
  } finally {
    await testBed.close();
  }
}

async function addOldEvents(dataDir: string): Promise<void> {
  const { storage } = await openStorage({ dataDir, redisUrl: undefined, clock: systemClock, onError: () => {} });
  await storage.open();
  await storage.close();
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
  database.exec(`
    BEGIN;
    INSERT INTO known_events (id, subject, is_backfilled, taken_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${events})
      SELECT lower(hex(randomblob(16))), lower(hex(randomblob(16))) || '/' || i, 0, ${Date.now() - 40 * dayMs} FROM n;
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
