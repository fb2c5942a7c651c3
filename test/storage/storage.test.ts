import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite.ts';
import type { Storage } from '../../src/storage/storage.ts';

let dataDir: string;
let storage: Storage;
let now = 0;
const open = () => openSqliteStorage(dataDir, () => now);
const event = (id: string) => ({ id, type: 'response.submitted', body: `{"event_id":"${id}"}`, trusted: true });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'invigilator-'));
  now = Date.now();
  storage = open();
});
afterEach(async () => {
  await storage.close().catch(() => {});
  rmSync(dataDir, { recursive: true });
});

describe('the inbox', () => {
  test('remembers an event once, whether it still waits or is settled', async () => {
    expect(await storage.inbox.remember(event('a'))).toBe(true);
    expect(await storage.inbox.remember(event('a'))).toBe(false);
    await storage.inbox.settle('a');
    expect(await storage.inbox.remember(event('a'))).toBe(false);
    expect(await storage.inbox.countWaiting()).toBe(0);
  });

  test('gives what waits in the order it came', async () => {
    for (const id of ['c', 'a', 'b']) await storage.inbox.remember(event(id));
    await storage.inbox.settle('a');
    expect((await storage.inbox.waiting(10)).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(await storage.inbox.waiting(1)).toEqual([event('c')]);
  });

  test('is as it was after the process ended', async () => {
    await storage.inbox.remember(event('a'));
    await storage.inbox.remember({ ...event('b'), trusted: false });
    await storage.inbox.settle('a');
    await storage.close();
    storage = open();
    expect(await storage.inbox.waiting(10)).toEqual([{ ...event('b'), trusted: false }]);
    expect(await storage.inbox.remember(event('a'))).toBe(false);
  });

  test('says when it cannot keep an event', async () => {
    await storage.close();
    await expect(storage.inbox.remember(event('a'))).rejects.toThrow();
    await expect(storage.ping()).rejects.toThrow();
  });
});

describe('keyed values', () => {
  test('are kept by name space, over a restart', async () => {
    await storage.keyed('one').set('key', { n: 1 });
    await storage.keyed('two').set('key', { n: 2 });
    await storage.close();
    storage = open();
    expect(await storage.keyed('one').get('key')).toEqual({ n: 1 });
    expect(await storage.keyed('two').get('key')).toEqual({ n: 2 });
    expect(await storage.keyed('one').get('missing')).toBeUndefined();
  });

  test('are cleared by name space, also where one is the beginning of another', async () => {
    const [one, oneMore] = [storage.keyed('one'), storage.keyed('one-more')];
    await one.set('key', 1);
    await oneMore.set('key', 2);
    await one.clear();
    expect(await one.get('key')).toBeUndefined();
    expect(await oneMore.get('key')).toBe(2);
  });

  test('end with their time to live', async () => {
    const values = storage.keyed('one');
    await values.set('key', 1, -1);
    expect(await values.get('key')).toBeUndefined();
  });

  test('that have expired unread are swept when the file is opened', async () => {
    await storage.keyed('one').set('key', 'personal', 1_000);
    await storage.close();
    now += 2_000;
    storage = open();
    await storage.close();
    storage = openSqliteStorage(dataDir, () => 0);
    expect(await storage.keyed('one').get('key')).toBeUndefined();
  });

  test('throw when the store is lost, instead of looking empty', async () => {
    const values = storage.keyed('one');
    await storage.close();
    await expect(values.get('key')).rejects.toThrow();
    await expect(values.set('key', 1)).rejects.toThrow();
  });
});
