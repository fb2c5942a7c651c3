import { mkdirSync } from 'node:fs';
import { Keyv } from 'keyv';
import type { Clock } from '../../time/clock.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { createMemoryQueues } from './memory-queues.ts';
import { createMemoryLeases } from './memory-leases.ts';
import { createSqliteApprovals } from './approvals.ts';
import { createSqliteAudit } from './audit.ts';
import { createGroupCommit } from './group-commit.ts';
import { createSqliteInbox } from './inbox.ts';
import { openOrElse, openSqliteFile, refuseMovedState } from './file.ts';
import { createSqliteKv } from './kv.ts';
import { createSqliteOutbox } from './outbox.ts';
import { createSqliteSubscriptions } from './subscriptions.ts';
import { createSqliteCounters } from './counters.ts';
import type { Storage } from '../storage.ts';

/** Of what is written to see whether the store takes anything: some pages of the file. */
const probeLength = 16_384;

/**
 * Opens (or makes) the one file in which an embedded bot keeps its state.
 *
 * @throws {DataDirInUseError} where another process uses the folder
 * @param options.onError hears of what fails where nobody waits for it, such as the run of a queue
 */
export function openSqliteStorage(dataDir: string, options: Pick<Clock, 'now'> & Partial<Pick<Clock, 'setTimer'>> & { onError?: (error: unknown) => void }): Storage {
  const { now, setTimer, onError = () => {} } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataDir(dataDir);
  const database = openOrElse(lock.release, () => {
    refuseMovedState(dataDir);
    return openSqliteFile(dataDir, now);
  });
  const probe = database.prepare("INSERT OR REPLACE INTO keyed_values VALUES ('probe', ?, NULL)");
  const clean = database.prepare("DELETE FROM keyed_values WHERE key = 'probe'");
  const group = createGroupCommit(database);

  return {
    kv: (namespace) =>
      new Keyv({ store: createSqliteKv(database, now), namespace, throwOnErrors: true }),
    inbox: createSqliteInbox(database, group),
    outbox: createSqliteOutbox(database, group),
    queues: createMemoryQueues({ now, setTimer, onFailure: (queue, error) => onError(new Error(`the lane ${queue} failed`, { cause: error })) }),
    subscriptions: createSqliteSubscriptions(database, group),
    counters: createSqliteCounters(database, group),
    approvals: createSqliteApprovals(database),
    audit: createSqliteAudit(database, group),
    leases: createMemoryLeases(now),
    open: async () => {},
    // A disk that is full can still be read.
    ping: () =>
      group.write(() => {
        probe.run('x'.repeat(probeLength));
        clean.run();
      }),
    async close() {
      group.flush();
      database.close();
      lock.release();
    },
  };
}
