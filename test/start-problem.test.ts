import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listenError, startProblem } from '../src/configuration/start-problem.ts';
import { openSqliteStorage } from '../src/storage/sqlite/sqlite-storage.ts';
import { ownDiskMissing, runOnDisk } from './support/programs.ts';
import { temporaryDirectory } from './support/temporary.ts';

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

const config = { http: { port: 80, host: '0.0.0.0' }, dataDir: '/srv/bot' };

test.each([
  ['EACCES', 'listen', /^the bot’s user may not listen on PORT 80 \(EACCES\): set PORT to one above 1023$/],
  ['EROFS', 'mkdir', /^DATA_DIR \/srv\/bot is on a disk that can only be read \(EROFS\): set DATA_DIR/],
  ['ENOSPC', 'write', /^the disk of DATA_DIR \/srv\/bot is full \(ENOSPC\): make room/],
])('%s of %s is a sentence that says what to do', (code, syscall, said) => {
  expect(startProblem(Object.assign(new Error('raw'), { code, syscall }), config)).toMatch(said);
});

test('an address that is not of this machine, and a folder that is a file or leads through one, are told as what they are', async () => {
  const elsewhere = { ...config, http: { port: 0, host: '192.0.2.1' } };
  expect(startProblem(await listenError(0, '192.0.2.1'), elsewhere)).toMatch(
    /^HOST 192\.0\.2\.1 is no address of this machine \(EADDRNOTAVAIL\)/,
  );
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  for (const dataDir of [file, join(file, 'data')])
    expect(
      startProblem(
        errorOf(() => openSqliteStorage(dataDir, { now: Date.now })),
        { ...config, dataDir },
      ),
    ).toMatch(/^DATA_DIR .* is a file, or leads through one .*set DATA_DIR to a folder$/);
});

test('what the error itself says best stays', () => {
  expect(startProblem(new Error('DATA_DIR is in use'), config)).toBeUndefined();
  expect(startProblem(Object.assign(new Error('raw'), { code: 'EACCES', syscall: 'open' }), config)).toBeUndefined();
});

test.skipIf(ownDiskMissing !== null).each([
  ['full', 'size=64k', false, 'the disk of DATA_DIR /disk is full (ENOSPC): make room', 'only 0 MB are free'],
  ['read-only', 'ro', false, 'DATA_DIR /disk is on a disk that can only be read (EROFS): set', 'can only be read: set'],
  [
    'read-only, with a folder that is yet to be made',
    'ro',
    true,
    'DATA_DIR /disk/data is on a disk that can only be read (EROFS): set',
    'DATA_DIR /disk/data is on a disk that can only be read: set',
  ],
])('a disk that is %s is told as what it is, by the bot and by the doctor', (_, options, below, said, inDoctor) => {
  expect(runOnDisk('src/main.ts', options, { below })).toContain(`The bot could not start: ${said}`);
  expect(runOnDisk('src/doctor.ts', options, { below })).toMatch(new RegExp(`^✗ Store: .*${inDoctor}`, 'm'));
});
