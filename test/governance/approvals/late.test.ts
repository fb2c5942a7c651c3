import { describe, expect, test, vi, onTestFinished } from 'vitest';
import { approvalRequest, posted, serviceError } from '../../support/builders/governance.ts';
import { openHouse, teamId } from '../../support/house.ts';
import { createWithRequestLease } from '../../../src/governance/approvals/reconcile.ts';
import { createOneAtATime } from '../../../src/storage/leases.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const participant = { teamId, id: 'request-1', personId: 'UADA' };
const approve = { ...participant, verdict: 'approved', comment: '' } as const;

/** Ada has reviewed Uma's request to suspend Rosa. */
async function openReviewed() {
  const account = openHouse();
  await account.storage.approvals.add(
    approvalRequest({ requesterId: 'UUMA', remindAt: 9_000_000, expiresAt: 9_000_000 }),
  );
  await account.decisions.review(participant);
  account.calls.splice(0);
  const spent = () => serviceError('budget spent', { availableAt: new Date(account.clock.now + 5_000) });
  /** The change has to wait for its turn `times` times; `meanwhile` something happens. */
  function delayChange(times: number, meanwhile: () => void = () => {}) {
    const update = account.api.users.update.bind(account.api.users);
    let left = times;
    return vi.spyOn(account.api.users, 'update').mockImplementation(async (...args) => {
      if (left === 0) return update(...args);
      left -= 1;
      meanwhile();
      throw spent();
    });
  }
  return { ...account, delayChange, spent };
}

describe('a change that would have to wait for its turn', () => {
  test('is checked again before it is made', async () => {
    const { decisions, account, delayChange, asks, record } = await openReviewed();
    delayChange(1);
    expect(await decisions.decide(approve)).toMatchObject({ kind: 'decided', request: { outcome: { kind: 'done' } } });
    expect(account.users[6]).toMatchObject({ suspended: true });
    const checks = ['users.get u-ada', 'users.get u-uma', 'users.get u-rosa'];
    expect(asks()).toEqual([...checks, ...checks, 'users.update u-rosa']);
    expect((await record()).map(({ action }) => action)).toEqual(['approved', 'done']);
  });

  test('is not made where its target has changed meanwhile: the reviewer sees it as it is now', async () => {
    const { decisions, account, delayChange, requests } = await openReviewed();
    delayChange(1, () => (account.users[6] = { ...account.users[6]!, user_type: 'administrator' }));
    expect(await decisions.decide(approve)).toMatchObject({
      kind: 'changed',
      review: { preview: { targets: [{ facts: { Type: 'administrator' } }] } },
    });
    expect(account.users[6]).toMatchObject({ suspended: false });
    const [open] = await requests();
    expect(open).toMatchObject({ state: 'open', failures: 0 });
    expect(open).not.toHaveProperty('startedAt');
    expect(await decisions.decide(approve)).toMatchObject({ kind: 'decided', request: { outcome: { kind: 'done' } } });
  });

  test.each([
    ['reviewer', 0, 'refused', 'open'],
    ['requester', 2, 'decided', 'announced'],
  ] as const)('is not made where the %s was suspended meanwhile', async (_, person, kind, state) => {
    const { decisions, account, delayChange, settled, storage } = await openReviewed();
    delayChange(1, () => (account.users[person] = { ...account.users[person]!, suspended: true }));
    expect(await decisions.decide(approve)).toMatchObject({ kind });
    expect(account.users[6]).toMatchObject({ suspended: false });
    await settled();
    expect((await storage.approvals.byId(teamId, 'request-1'))?.request.state).toBe(state);
  });

  test('is given up after three checks, and can be approved again', async () => {
    const { decisions, account, delayChange, requests } = await openReviewed();
    const update = delayChange(3);
    await expect(decisions.decide(approve)).rejects.toMatchObject({ reason: 'budget spent' });
    expect(update).toHaveBeenCalledTimes(3);
    expect(await requests()).toMatchObject([{ state: 'open', failures: 0 }]);
    expect(await decisions.decide(approve)).toMatchObject({ kind: 'decided', request: { outcome: { kind: 'done' } } });
    expect(account.users[6]).toMatchObject({ suspended: true });
  });

  test('after a crash stays begun, so that it is never taken for new', async () => {
    const { delayChange, reconciler, storage, account } = await openReviewed();
    const { request } = (await storage.approvals.byId(teamId, 'request-1'))!;
    const { preview } = (await storage.kv<{ preview: never }>('shown-requests').get(`${teamId}:request-1:UADA`))!;
    await storage.approvals.replace(
      {
        ...request,
        state: 'decided',
        startedAt: 999_000,
        decision: { verdict: 'approved', by: 'UADA', comment: '', at: 999_000, preview },
      },
      1,
    );
    delayChange(3);
    await reconciler.sweep(teamId);
    expect((await storage.approvals.byId(teamId, 'request-1'))?.request).toMatchObject({
      state: 'decided',
      startedAt: 999_000,
    });
    await reconciler.sweep(teamId);
    expect(account.users[6]).toMatchObject({ suspended: true });
  });
});

test('a check whose reads have to wait is made again from its beginning', async () => {
  const { decisions, account, api, spent, asks } = await openReviewed();
  const get = api.users.get.bind(api.users);
  let isLate = true;
  vi.spyOn(api.users, 'get').mockImplementation(async (id, call) => {
    if (id !== 'u-rosa' || !isLate) return get(id, call);
    isLate = false;
    account.users[0] = { ...account.users[0]!, suspended: true };
    throw spent();
  });
  expect(await decisions.decide(approve)).toMatchObject({ kind: 'refused' });
  expect(asks().filter((call) => call === 'users.get u-ada')).toHaveLength(2);
  expect(account.users[6]).toMatchObject({ suspended: false });
});

test('a store that takes seconds between the check and the change brings another check', async () => {
  const { decisions, account, storage, clock } = await openReviewed();
  const replace = storage.approvals.replace.bind(storage.approvals);
  let slow = 1;
  vi.spyOn(storage.approvals, 'replace').mockImplementation(async (request, version) => {
    if (request.startedAt !== undefined && slow > 0) {
      slow -= 1;
      clock.now += 3_000;
      account.users[6] = { ...account.users[6]!, user_type: 'trainer' };
    }
    return replace(request, version);
  });
  expect(await decisions.decide(approve)).toMatchObject({ kind: 'changed' });
  expect(account.users[6]).toMatchObject({ suspended: false });
});

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
