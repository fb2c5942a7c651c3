import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRedisStorage } from '../../src/storage/redis/redis-storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { programEnv } from '../support/child-process.ts';
import { connectRedis, redisMissing, startRedis } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function erase(env: Record<string, string>, ...parameters: string[]) {
  const child = spawn(process.execPath, ['src/erase-tenant.ts', ...parameters], { env: { ...programEnv, ...env } });
  const ended = once(child, 'close') as Promise<[number]>;
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await ended)[0], stdout, stderr };
}

describe('npm run erase-tenant, over SQLite,', () => {
  function folderOf(...names: string[]) {
    const dataDir = temporaryDirectory();
    for (const name of names) {
      mkdirSync(join(dataDir, 'tenants', name), { recursive: true });
      writeFileSync(join(dataDir, 'tenants', name, 'file'), name);
    }
    return { dataDir, names: () => readdirSync(join(dataDir, 'tenants')) };
  }

  test('erases the folder of the tenant that is named, and no other', async () => {
    const { dataDir, names } = folderOf('acme', 'acme-two');
    const { code, stdout } = await erase({ DATA_DIR: dataDir }, 'acme');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Erased what acme had stored: 1 file in ${join(dataDir, 'tenants', 'acme')}.\nREDIS_URL is not set, so nothing was looked for in Redis.\n`,
    });
    expect(names()).toEqual(['acme-two']);
    expect(await erase({ DATA_DIR: dataDir }, 'acme')).toMatchObject({
      code: 1,
      stderr: `Nothing is stored of acme. ${join(dataDir, 'tenants')} has: acme-two.\n`,
    });
  });

  test('erases what a link leads to', async () => {
    const { dataDir, names } = folderOf('globex');
    const elsewhere = join(temporaryDirectory(), 'acme');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'file'), 'acme');
    symlinkSync(elsewhere, join(dataDir, 'tenants', 'acme'));
    expect((await erase({ DATA_DIR: dataDir }, 'acme')).code).toBe(0);
    expect([existsSync(elsewhere), names()]).toEqual([false, ['globex']]);
  });

  test('needs one name, and no path', async () => {
    const { dataDir, names } = folderOf('acme');
    for (const parameters of [[], ['acme', 'globex']])
      expect(await erase({ DATA_DIR: dataDir }, ...parameters)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('npm run erase-tenant -- acme'),
      });
    expect(await erase({ DATA_DIR: dataDir }, '../tenants')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing was erased: the name of a tenant must have at most 40 /),
    });
    expect(names()).toEqual(['acme']);
  });

  test('refuses while the bot of the tenant runs', async () => {
    const { dataDir } = folderOf('acme');
    const folder = join(dataDir, 'tenants', 'acme');
    const storage = openSqliteStorage(folder, { now: Date.now, onError() {} });
    await storage.open();
    const { code, stderr } = await erase({ DATA_DIR: dataDir }, 'acme');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Nothing was erased: the bot of acme runs (process ${process.pid}): stop it first.\n`,
    });
    expect(existsSync(join(folder, 'file'))).toBe(true);
    await storage.close();
    expect((await erase({ DATA_DIR: dataDir }, 'acme')).code).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });
});

test.skipIf(redisMissing !== null)(
  'over Redis, the keys of a tenant go once its bot has stopped, and those of others and of a bot that is alone stay',
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    const env = { DATA_DIR: temporaryDirectory(), REDIS_URL: redis.url };
    let whileItRuns: unknown;
    for (const tenant of ['acme', 'acme-two', undefined]) {
      const storage = createRedisStorage({ url: redis.url, tenant, now: Date.now, onError() {} });
      await storage.open();
      await storage.kv<string>('unreadable').set('key', tenant ?? 'alone');
      if (tenant === 'acme') whileItRuns = await erase(env, 'acme');
      await storage.close();
    }
    expect(whileItRuns).toMatchObject({
      code: 1,
      stderr: 'Nothing was erased: a bot of acme is connected to Redis: stop it first.\n',
    });
    const before = await client.keys('*');
    const others = before.filter((key) => !key.startsWith('invigilator/acme:'));
    expect(others.length).toBeGreaterThan(3);
    const { code, stdout } = await erase(env, 'acme');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Erased what acme had stored: 0 files in ${join(env.DATA_DIR, 'tenants', 'acme')}, and ${before.length - others.length} keys in Redis.\n`,
    });
    expect((await client.keys('*')).toSorted()).toEqual(others.toSorted());
  },
);
