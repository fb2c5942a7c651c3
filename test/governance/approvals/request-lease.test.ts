import { expect, onTestFinished, test } from 'vitest';
import { createWithRequestLease } from '../../../src/governance/approvals/reconcile.ts';
import { createOneAtATime } from '../../../src/storage/leases.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { approvalRequest, posted } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

test('what a step answers stays where the store is away after it', async () => {
  const request = approvalRequest({ posts: posted });
  const storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  await storage.approvals.add(request);
  const { log, lines } = recordingLog();
  const { byId } = storage.approvals;
  let isAway = false;
  const withRequestLease = createWithRequestLease({
    ...storage,
    approvals: {
      ...storage.approvals,
      byId: async (...args) => (isAway ? Promise.reject(new Error('the store is away')) : byId(...args)),
    },
    oneAtATime: createOneAtATime({ leases: storage.leases, sleep: async () => {} }),
    announce: () => expect.fail('nothing is to be shown'),
    log,
  });
  expect(await withRequestLease(request, async () => ((isAway = true), 'worked'))).toBe('worked');
  expect(lines.join('')).toContain('the store is away');
});
