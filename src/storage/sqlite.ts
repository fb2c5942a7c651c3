import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Keyv } from 'keyv';
import { createMemoryLeases } from './memory-leases.ts';
import { approvalsTable, createSqliteApprovals } from './sqlite-approvals.ts';
import { auditTables, createSqliteAudit } from './sqlite-audit.ts';
import { createSqliteInbox, eventsTable } from './sqlite-inbox.ts';
import { createSqliteKeyedValues, keyedValuesTable, sweepKeyedValues } from './sqlite-keyed-values.ts';
import type { Storage } from './storage.ts';

/** Opens (or makes) the one file in which an embedded bot keeps its state. */
export function openSqliteStorage(dataDir: string, now: () => number): Storage {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 2000;');
  database.exec(`${keyedValuesTable}; ${eventsTable}; ${approvalsTable}; ${auditTables};`);
  sweepKeyedValues(database, now);
  const read = database.prepare('SELECT count(*) FROM (SELECT 1 FROM events LIMIT 1)');

  return {
    keyed: (namespace) =>
      new Keyv({ store: createSqliteKeyedValues(database, now), namespace, throwOnErrors: true }),
    inbox: createSqliteInbox(database),
    approvals: createSqliteApprovals(database),
    audit: createSqliteAudit(database),
    leases: createMemoryLeases(now),
    open: async () => {},
    ping: async () => void read.get(),
    close: async () => database.close(),
  };
}
