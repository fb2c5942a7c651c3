import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSqlite } from '../../src/storage/sqlite/doctor.ts';
import { readOnlyChecks } from '../../src/storage/checks.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { createHandTimers } from '../support/hand-timers.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function openWithEntries(count: number) {
  const dataDir = temporaryDirectory();
  const timers = createHandTimers();
  const open = async () => {
    const storage = openSqliteStorage(dataDir, { now: Date.now, setTimer: timers.setTimer });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    return storage;
  };
  const storage = await open();
  for (let n = 0; n < count; n += 1) await storage.audit.append('T1', auditEntry({ correlationId: String(n) }));
  const deleteFile = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `invigilator.sqlite${end}`), { force: true });
  };
  return { dataDir, storage, timers, open, deleteFile };
}

test('an audit trail whose file was deleted while the bot was stopped is known to have had entries', async () => {
  const { storage, deleteFile, open } = await openWithEntries(3);
  await storage.close();
  deleteFile();
  const again = await open();
  expect(await again.audit.missingEnd('T1')).toEqual({ knownPosition: 3, lastPosition: 0 });
  await again.audit.append('T1', auditEntry({ correlationId: 'later' }));
  await again.close();
  expect(await (await open()).audit.missingEnd('T1')).toEqual({ knownPosition: 3, lastPosition: 1 });
});

test('the last entry is known outside the file within a second, also where the bot is killed after that', async () => {
  const { dataDir, timers } = await openWithEntries(2);
  const trailCheck = readOnlyChecks(
    {
      ...readSqlite(dataDir),
      text: async () => undefined,
      trail: async (read) => read({ head: async () => ({ position: 0, hash: '' }), since: async () => [] }),
    },
    join(dataDir, 'known-store.json'),
    { workspace: 'T1', userIds: async () => undefined },
  ).find(({ name }) => name === 'auditTrail');
  expect(await trailCheck?.look()).toBeUndefined();
  timers.fire(1_000);
  expect(await trailCheck?.look()).toMatchObject({ code: 'audit_trail_cut' });
});
