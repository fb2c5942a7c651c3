import { expect, test } from 'vitest';
import { type RateWindow, createKeptLedger, type KeptRequests } from '../../../src/quiz-api/budget/rate-windows.ts';

const windows = [{ limit: 60, windowMs: 60_000, reserved: 10 }];

function keeping(of: readonly RateWindow[] = windows) {
  const kept = new Map<string, KeptRequests>();
  let now = 1_000_000;
  const open = (apiKey = 'key') =>
    createKeptLedger({
      store: { get: async (key) => kept.get(key), set: async (key, value) => kept.set(key, structuredClone(value)) },
      apiKey,
      windows: of,
      now: () => now,
    });
  return { open, pass: (ms: number) => (now += ms) };
}

test('requests from before a restart count', async () => {
  const { open, pass } = keeping();
  const { granted } = await open().claim({ person: 58, background: 0 });
  for (const permit of granted.person) permit.answered();
  pass(1_000);
  expect((await open().claim({ person: 10, background: 0 })).granted.person).toHaveLength(2);
  pass(62_000);
  expect((await open().claim({ person: 10, background: 0 })).granted.person).toHaveLength(10);
});

test('a refusal from before a restart is waited out', async () => {
  const { open } = keeping();
  await open().recordRefusal(30_000);
  expect(await open().claim({ person: 1, background: 0 })).toMatchObject({
    granted: { person: [] },
    retryInMs: 30_000,
  });
});

test('another key has a budget of its own', async () => {
  const { open } = keeping();
  await open().claim({ person: 60, background: 0 });
  expect((await open('other').claim({ person: 60, background: 0 })).granted.person).toHaveLength(60);
});

test('a clock that was ahead before the restart blocks nothing for longer than a window', async () => {
  const { open, pass } = keeping();
  await open().claim({ person: 60, background: 0 });
  pass(-40 * 24 * 3_600_000);
  expect((await open().claim({ person: 1, background: 0 })).retryInMs).toBeLessThan(62_000);
});

test('people who used the bot before a restart still have all that is reserved', async () => {
  const { open, pass } = keeping([{ limit: 60, windowMs: 60_000, reserved: 10, reservedInQuiet: 1 }]);
  await open().claim({ person: 1, background: 0 });
  pass(10_000);
  const retryInMs = async (apiKey: string) => {
    await open(apiKey).claim({ person: 0, background: 50 });
    return (await open(apiKey).claim({ person: 0, background: 1 })).retryInMs;
  };
  // After a quiet time, the tenth permit must come within ten seconds.
  // The person’s request is the first to leave the window.
  expect([await retryInMs('key'), await retryInMs('other')]).toEqual([51_007, 50_007]);
});
