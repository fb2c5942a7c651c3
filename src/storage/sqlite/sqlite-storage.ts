import { mkdirSync } from 'node:fs';
import { Keyv } from 'keyv';
import type { Clock } from '../../time/clock.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { createMemoryQueues } from './memory-queues.ts';
import { createMemoryLeaseStore } from './memory-lease-store.ts';
import { createSqliteApprovals } from './approvals.ts';
import { createSqliteAudit } from './audit.ts';
import { createGroupCommit } from './group-commit.ts';
import { createSqliteInbox } from './inbox.ts';
import { openOrElse, openSqliteFile, refuseMovedState } from './file.ts';
import { createSqliteKv } from './kv.ts';
import { createQueueEntryWriter } from './queue-entries.ts';
import { createSqliteOutbox } from './outbox.ts';
import { createSqliteSubscriptions } from './subscriptions.ts';
import { createSqliteCounters } from './counters.ts';
import { createLeases } from '../leases.ts';
import type { Storage } from '../storage.ts';

/** What a check of the store writes: some pages, since a full disk may still have room for a row. */
const probeLength = 16_384;

/**
 * Opens or creates the SQLite file that holds the bot's state.
 *
 * @throws {DataDirInUseError} when another process uses the folder
 * @param options.onError called with failures that no caller waits for, such as the run of a queue
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
  const queueEntries = createQueueEntryWriter(database);
  const subscriptions = createSqliteSubscriptions(database, group);

  return {
    kv: (namespace) =>
      new Keyv({ store: createSqliteKv(database, now), namespace, throwOnErrors: true }),
    inbox: createSqliteInbox(database, group, { queueEntries, isCurrent: subscriptions.isCurrent }),
    outbox: createSqliteOutbox(database, group, queueEntries),
    queues: createMemoryQueues({ now, setTimer, onFailure: (queue, error) => onError(new Error(`the queue ${queue} failed`, { cause: error })) }),
    subscriptions,
    counters: createSqliteCounters(database, group),
    approvals: createSqliteApprovals(database),
    audit: createSqliteAudit(database, group),
    leases: createLeases(createMemoryLeaseStore(now), setTimer),
    open: async () => {},
    // A full disk can still be read.
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
