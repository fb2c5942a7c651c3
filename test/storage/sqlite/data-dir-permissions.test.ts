import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

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
    const dataDir = folder(mode);
    const before = open(dataDir);
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
