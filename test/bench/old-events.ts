import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../src/storage/open-storage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { median, metricIn } from '../support/measurements.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const dayMs = 24 * 3_600_000;
/** The bot forgets for some seconds at the start and every 30 seconds. */
const everyMs = 200;

/** How many events there are to forget, and how long a bot is watched, in stretches in each of which it forgets. */
interface ForgettingSize {
  events: number;
  settleMs: number;
  stretches: number;
  stretchMs: number;
}

const fullSize: ForgettingSize = { events: 1_000_000, settleMs: 15_000, stretches: 5, stretchMs: 31_000 };
const shortSize: ForgettingSize = { events: 1_000, settleMs: 0, stretches: 1, stretchMs: 1_000 };

/**
 * A bot that has a million events to forget: how long it is held up, and how large the WAL gets, against an idle bot before it.
 * A single long hold-up by the machine would decide over the longest of all, so the goal is about the median of the longest ones
 * of each stretch.
 */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  const idle = await measure({ ...size, events: 0 });
  const forgetting = await measure(size);
  if (forgetting.forgotten === 0) throw new Error('nothing was forgotten');
  const [ofIdle, ofForgetting] = [median(idle.heldUpMs), median(forgetting.heldUpMs)];
  const events = size.events.toLocaleString('en');
  const within = `${size.stretchMs / 1_000} s`;
  const shown = ({ heldUpMs }: Watched) =>
    `${median(heldUpMs).toFixed(0)} ms within ${within}, ${Math.max(...heldUpMs).toFixed(0)} ms in all`;
  return [
    {
      name: `forgetting ${events} old events, against an idle bot: longest hold-up`,
      figure: `${shown(forgetting)} (${forgetting.forgotten.toLocaleString('en')} forgotten); the idle bot ${shown(idle)}`,
      ...heldAgainst('forgetting', { moreMs: ofForgetting - ofIdle }),
    },
    {
      name: `forgetting ${events} old events: largest WAL`,
      figure: `${forgetting.walMB.toFixed(1)} MiB`,
      ...heldAgainst('WAL of forgetting', { mebibytes: forgetting.walMB }),
    },
  ];
}

interface Watched {
  /** The longest hold-up of each stretch. */
  heldUpMs: number[];
  walMB: number;
  forgotten: number;
}

async function measure({ events, settleMs, stretches, stretchMs }: ForgettingSize): Promise<Watched> {
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    beforeStart: async ({ DATA_DIR: dataDir = '' }) => addOldEvents(dataDir, events),
  });
  const {
    bots: [bot],
    folder,
  } = testBed;
  const metrics = async () => (await fetch(`${bot!.url}/metrics`)).text();
  try {
    await pause(settleMs);
    const heldUpMs: number[] = [];
    let walBytes = 0;
    for (let stretch = 0; stretch < stretches; stretch += 1) {
      let longestMs = 0;
      for (const begin = performance.now(); performance.now() - begin < stretchMs; await pause(everyMs)) {
        longestMs = Math.max(longestMs, 1000 * metricIn(await metrics(), 'nodejs_eventloop_lag_max_seconds'));
        walBytes = Math.max(walBytes, statSync(join(folder, 'kept', 'invigilator.sqlite-wal')).size);
      }
      heldUpMs.push(longestMs);
    }
    return { heldUpMs, walMB: walBytes / 2 ** 20, forgotten: events - countKnown(join(folder, 'kept')) };
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
