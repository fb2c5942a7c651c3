import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHealth } from '../../../src/health/health.ts';
import { ownerMeaning } from '../../../src/storage/checks.ts';
import { DataDirInUseError, lockDataDir } from '../../../src/storage/sqlite/folder.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { newEvent } from '../../support/event.ts';
import { checksOf } from '../../support/open-stores.ts';
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
  rmSync(join(dataDir, 'lock.pid'));
  expect(String(refusal(dataDir))).toContain('(pid unknown)');
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

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function folder(mode: number): string {
  const dataDir = join(temporaryDirectory(), 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, mode);
  return dataDir;
}

function open(dataDir: string) {
  const errors: unknown[] = [];
  return { storage: openSqliteStorage(dataDir, { now: Date.now, onError: (error) => errors.push(error) }), errors };
}

test.each([0o755, 0o750, 0o777, 0o2775])(
  'a folder with mode %o and the bot’s files in it are taken from other users, which is reported once',
  async (mode) => {
    const dataDir = join(temporaryDirectory(), 'data');
    const before = open(dataDir);
    expect(modeOf(dataDir)).toBe('700');
    await before.storage.close();
    chmodSync(dataDir, mode);
    writeFileSync(join(dataDir, 'notes.txt'), 'not the bot’s', { mode: 0o644 });
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);

    const { storage, errors } = open(dataDir);
    expect(modeOf(dataDir)).toMatch(/700$/);
    const modes = Object.fromEntries(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name))]));
    expect(modes).toMatchObject({
      'invigilator.sqlite': '600',
      'invigilator.sqlite-wal': '600',
      'lock.sqlite': '600',
      'lock.pid': '600',
      'notes.txt': '644',
    });
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('was open to other users of this machine') }),
    ]);
    await storage.close();
    const again = open(dataDir);
    expect(again.errors).toEqual([]);
    await again.storage.close();
  },
);

test('a folder that users share is refused, and stays as it is', () => {
  const dataDir = folder(0o1777);
  expect(() => open(dataDir)).toThrow(
    /^DATA_DIR .* is shared by all users of this machine: set DATA_DIR to a folder of the bot’s own, such as a subfolder/,
  );
  expect(modeOf(dataDir)).toBe('1777');
  expect(readdirSync(dataDir)).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)('an open folder of another user is refused', () => {
  const dataDir = folder(0o755);
  chownSync(dataDir, 65_534, 65_534);
  expect(() => open(dataDir)).toThrow(
    /belongs to the user 65534, but the bot runs as 0: set DATA_DIR to .+, or make it the bot’s with chown 0$/,
  );
});

/** A bot's start with this store, workspace and account. */
async function begin(dataDir: string, teamId: string, userIds: readonly string[]) {
  const storage = openSqliteStorage(dataDir, { now: Date.now });
  const errors: string[] = [];
  const checks = await checksOf(storage, teamId, userIds);
  const health = createHealth({
    checks: checks.filter(({ name }) => name === ownerMeaning.name),
    timeoutMs: 1_000,
    now: Date.now,
    onFound: (_check, { forOperator }) => errors.push(forOperator),
  });
  const ask = async () => (await health.look())[0]!.finding;
  const end = vi.fn(async () => storage.close());
  onTestFinished(async () => (end.mock.calls.length === 0 ? end() : undefined));
  return { ask, end, errors };
}

test('a store is used on with the account and the workspace it belongs to, also when some users are gone', async () => {
  const dataDir = temporaryDirectory();
  const first = await begin(dataDir, 'T1', ['u-1', 'u-2', 'u-3']);
  expect(await first.ask()).toBeUndefined();
  await first.end();
  const { ask, errors } = await begin(dataDir, 'T1', ['u-3', 'u-4']);
  expect(await ask()).toBeUndefined();
  expect(errors).toEqual([]);
});

test('a quiz account whose users are not known yet is not another one', async () => {
  const dataDir = temporaryDirectory();
  await (await begin(dataDir, 'T1', ['u-1'])).end();
  const { ask, errors } = await begin(dataDir, 'T1', []);
  expect(await ask()).toBeUndefined();
  expect(errors).toEqual([]);
});
