import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreAwayError } from '../storage.ts';
import { lockFileName } from './data-dir-lock.ts';
import { fileName } from './file.ts';

/** The open database files are no longer the ones in `DATA_DIR`: what is written to them is lost when the process ends. */
export class StoreDeletedError extends StoreAwayError {
  override readonly code = 'store_deleted';

  constructor(name: string) {
    super(
      new Error(`${name} was deleted or replaced while the bot runs; stop the bot, restore a backup, and start it`),
    );
  }
}

/** SQLite's own files beside the database (https://www.sqlite.org/walformat.html), and the lock: without it, a second bot can use the folder. */
const names = [fileName, `${fileName}-wal`, `${fileName}-shm`, lockFileName];

/**
 * Compares the database files in `DATA_DIR` with those that the process has open. SQLite itself does not notice: an open
 * file that was deleted can still be read and written. Call after the database was read once, which creates all files.
 *
 * @returns a check that takes some microseconds and throws {@link StoreDeletedError}
 */
export function watchFiles(dataDir: string): () => void {
  const opened = names.map((name) => ({ name, path: join(dataDir, name), identity: identityOf(join(dataDir, name)) }));
  return () => {
    const changed = opened.find(({ path, identity }) => identityOf(path) !== identity);
    if (changed !== undefined) throw new StoreDeletedError(changed.name);
  };
}

function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}
