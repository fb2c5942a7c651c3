import { createOneAtATime } from '../../../src/storage/leases.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ApprovalRequest, StoredRequest } from '../../../src/domain/approval-request.ts';
import type { Announce } from '../../../src/governance/approvals/announce.ts';
import { createWithRequestLease } from '../../../src/governance/approvals/reconcile.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/storage/records.ts';
import { approvalRequest, posted } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const request = approvalRequest({ posts: posted });
let storage: Storage;

beforeEach(async () => {
  storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  await storage.approvals.add(request);
});

/** The lease of an instance, and the reasons that it tried to show. */
function openLease(announce: (stored: StoredRequest) => Promise<StoredRequest>, more: Partial<Storage> = {}) {
  const tried: string[] = [];
  const { log, lines } = recordingLog();
  const noting: Announce = async (stored) => {
    tried.push(stored.request.reason);
    return announce(stored);
  };
  const withRequestLease = createWithRequestLease({
    ...storage,
    ...more,
    oneAtATime: createOneAtATime({ leases: storage.leases, sleep: async () => {} }),
    announce: noting,
    log,
  });
  return { withRequestLease, tried, lines };
}

const slackAway = () => Promise.reject(new Error('Slack is away'));

/** Somebody gives another reason, and finds the lease taken. */
async function addReason(number = 1): Promise<void> {
  const { request: last, version } = (await storage.approvals.byId(request.teamId, request.id))!;
  const longer: ApprovalRequest = { ...last, reason: `${last.reason}, ${number}`, reasonsAdded: number };
  expect(await storage.approvals.replace(longer, version)).toBe(true);
  const refused = openLease(slackAway);
  expect(await refused.withRequestLease(request, async () => 'worked')).toBeUndefined();
  expect(refused.tried).toEqual([]);
}

test('what cannot be shown is tried once, though it stays behind', async () => {
  const { withRequestLease, tried, lines } = openLease(slackAway);
  await addReasonBefore();
  await withRequestLease(request, (stored, announce) => announce(stored, false));
  expect(tried).toEqual(['She has left, 1']);
  expect(lines.filter((line) => line.includes('request not announced yet'))).toHaveLength(1);
});

test('what was stored while an attempt failed is left to the next one, since its message may still arrive', async () => {
  const { withRequestLease, tried } = openLease(slackAway);
  await addReasonBefore();
  await withRequestLease(request, async (stored, announce) => {
    await announce(stored, false);
    await addReason(2);
  });
  expect(tried).toEqual(['She has left, 1']);
  await withRequestLease(request, (stored, announce) => announce(stored, false));
  expect(tried).toEqual(['She has left, 1', 'She has left, 1, 2']);
});

test('a step that shows nothing, or fails, shows what another one was refused to show', async () => {
  const { withRequestLease, tried } = openLease(slackAway);
  expect(await withRequestLease(request, async () => (await addReason(1), 'handed back'))).toBe('handed back');
  const failing = withRequestLease(request, async () => {
    await addReason(2);
    throw new Error('the service is away');
  });
  await expect(failing).rejects.toThrow('the service is away');
  expect(tried).toEqual(['She has left, 1', 'She has left, 1, 2']);
});

test('a request that is as people see it is shown to nobody again', async () => {
  const { withRequestLease, tried } = openLease(slackAway);
  expect(await withRequestLease(request, async () => 'worked')).toBe('worked');
  expect(tried).toEqual([]);
});

test('what a step answers stays where the store is away after it', async () => {
  let isAway = false;
  const { byId } = storage.approvals;
  const approvals: Storage['approvals'] = {
    ...storage.approvals,
    byId: async (...args) => (isAway ? Promise.reject(new Error('the store is away')) : byId(...args)),
  };
  const { withRequestLease, lines } = openLease(slackAway, { approvals });
  expect(await withRequestLease(request, async () => ((isAway = true), 'worked'))).toBe('worked');
  expect(lines.join('')).toContain('the store is away');
});

/** Another reason that nobody has shown yet. */
async function addReasonBefore(): Promise<void> {
  await storage.approvals.replace({ ...request, reason: 'She has left, 1', reasonsAdded: 1 }, 1);
}
