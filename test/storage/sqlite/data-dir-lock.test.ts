import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { DataDirInUseError, lockDataDir } from '../../../src/storage/sqlite/folder.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { newEvent } from '../../support/new-event.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A process that locks the data directory. */
async function holdElsewhere(dataDir: string) {
  const child = spawn(process.execPath, ['test/support/folder-holder.ts', dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  await once(child.stdout, 'data');
  return {
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function refusal(dataDir: string): unknown {
  try {
    lockDataDir(dataDir).release();
    return undefined;
  } catch (error) {
    return error;
  }
}

test('a locked directory is refused with a one-line error and is free as soon as the other process is killed', async () => {
  const dataDir = temporaryDirectory();
  const other = await holdElsewhere(dataDir);
  const error = refusal(dataDir);
  expect(error).toBeInstanceOf(DataDirInUseError);
  expect((error as Error).message).toBe(
    `DATA_DIR ${dataDir} is in use by another process (pid ${other.pid}): stop that one first, or set DATA_DIR to a folder of this bot’s own. Bots share their state over REDIS_URL.`,
  );
  expect(() => openSqliteStorage(dataDir, { now: Date.now })).toThrow(DataDirInUseError);
  await other.kill();
  expect(refusal(dataDir)).toBeUndefined();
});

test('a directory is locked while its store is open', async () => {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  expect(refusal(dataDir)).toBeInstanceOf(DataDirInUseError);
  expect(refusal(dataDir)).toBeInstanceOf(DataDirInUseError);
  await storage.close();
  expect(refusal(dataDir)).toBeUndefined();
});

test('a directory with an unusable file is not locked', () => {
  const dataDir = temporaryDirectory();
  const newer = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openSqliteStorage(dataDir, { now: Date.now })).toThrow('newer version');
  expect(refusal(dataDir)).toBeUndefined();
});

test('the holder of a lock can be unknown', async () => {
  const dataDir = temporaryDirectory();
  await holdElsewhere(dataDir);
  rmSync(join(dataDir, 'lock.pid'));
  expect(String(refusal(dataDir))).toContain('(pid unknown)');
});

test('the database file can be read and backed up while the bot holds the lock', async () => {
  const dataDir = temporaryDirectory();
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  await storage.inbox.take(newEvent({ id: 'a' }));
  const reader = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  await backup(reader, join(dataDir, 'copy.sqlite'));
  await storage.inbox.take(newEvent({ id: 'b' }));
  expect(reader.prepare('SELECT id FROM known_events').all()).toEqual([{ id: 'a' }, { id: 'b' }]);
  reader.close();
  await storage.close();
  const copy = new DatabaseSync(join(dataDir, 'copy.sqlite'));
  expect(copy.prepare('SELECT id FROM known_events').all()).toEqual([{ id: 'a' }]);
  copy.close();
});
