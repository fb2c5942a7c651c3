import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

/**
 * Writes the file anew without what was deleted in it, and empties its log of writes, which has the old pages.
 * @throws where another program reads the file for longer than it waits
 */
const database = new DatabaseSync(String(workerData));
database.exec('PRAGMA busy_timeout = 2000; PRAGMA secure_delete = ON; VACUUM');
const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
database.close();
if (busy !== 0) throw new Error('the log of writes can’t be emptied: another program reads the file of the store');
