import { expect, test, vi } from 'vitest';
import { createSweeper } from '../../../src/governance/approvals/reconcile.ts';
import { recordingLog } from '../../support/log.ts';

/** Sleeps until it is woken, or told to stop. */
function wakeable() {
  const sleeps: number[] = [];
  let wake = () => {};
  const sleep = async (ms: number, signal: AbortSignal) => {
    sleeps.push(ms);
    await new Promise<void>((resolve) => {
      wake = resolve;
      signal.addEventListener('abort', () => resolve());
    });
  };
  return { sleep, sleeps, wake: () => wake() };
}

test('requests are swept at once and then regularly, also after a sweep that failed, until it is stopped', async () => {
  const { sleep, sleeps, wake } = wakeable();
  const { log, lines } = recordingLog();
  const sweep = vi.fn<(teamId: string) => Promise<void>>(async () => {});
  sweep.mockRejectedValueOnce(new Error('the store is away'));
  const sweeper = createSweeper({ reconciler: { sweep }, teamId: async () => 'T0SANDBOX', everyMs: 60_000, sleep, log });
  sweeper.start();
  await vi.waitFor(() => expect(sleeps).toEqual([60_000]));
  expect(sweep.mock.calls).toEqual([['T0SANDBOX']]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 'warn', msg: 'requests not swept', error: expect.anything() }]);
  wake();
  await vi.waitFor(() => expect(sleeps).toHaveLength(2));
  expect(sweep).toHaveBeenCalledTimes(2);
  await sweeper.stop();
  expect(sweep).toHaveBeenCalledTimes(2);
});

test('stopping waits for the sweep that is in progress', async () => {
  let finish = () => {};
  const sweep = () => new Promise<void>((resolve) => (finish = resolve));
  const { sleep } = wakeable();
  const sweeper = createSweeper({ reconciler: { sweep }, teamId: async () => 'T0SANDBOX', everyMs: 1, sleep: async (_, signal) => (signal.aborted ? undefined : sleep(1, signal)), log: recordingLog().log });
  sweeper.start();
  let isStopped = false;
  const stopped = sweeper.stop().then(() => (isStopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  finish();
  await stopped;
});
