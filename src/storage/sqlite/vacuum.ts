import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

/** Writes the file anew without what was deleted in it, and empties its log of writes, which has the old pages. */
const database = new DatabaseSync(String(workerData));
database.exec('PRAGMA busy_timeout = 10000; PRAGMA secure_delete = ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
database.close();
