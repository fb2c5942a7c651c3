import { expect, onTestFinished, test, vi } from 'vitest';
import { createHealth } from '../../src/health/health.ts';
import { ownerMeaning } from '../../src/storage/checks.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checksOf } from '../support/open-stores.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const dataDir = () => temporaryDirectory();

/** A bot's start with this store, workspace and account. */
async function begin(folder: string, teamId: string, userIds: readonly string[]) {
  const storage = openSqliteStorage(folder, { now: Date.now });
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
  const folder = dataDir();
  const first = await begin(folder, 'T1', ['u-1', 'u-2', 'u-3']);
  expect(await first.ask()).toBeUndefined();
  await first.end();
  const { ask, errors } = await begin(folder, 'T1', ['u-3', 'u-4']);
  expect(await ask()).toBeUndefined();
  expect(errors).toEqual([]);
});

test('a quiz account whose users are not known yet is not another one', async () => {
  const folder = dataDir();
  await (await begin(folder, 'T1', ['u-1'])).end();
  const { ask, errors } = await begin(folder, 'T1', []);
  expect(await ask()).toBeUndefined();
  expect(errors).toEqual([]);
});
