import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { outdatedForm } from '../../../src/governance/approvals/requests.ts';
import type { Preparation } from '../../../src/governance/approvals/prepare.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/storage/records.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { ready, openOffice } from '../../support/approvals-bed.ts';
import { holdLease } from '../../support/held-lease.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let storage: Storage;
let now: number;
const request = approvalRequest({ createdAt: 1_000, remindAt: 2_000_000, expiresAt: 3_600_000 });
const { teamId, id, requesterId } = request;
const reviewer = { teamId, id, personId: 'U00000ADA' };
const approve = { ...reviewer, verdict: 'approved', comment: '' } as const;
const deny = { ...reviewer, verdict: 'denied', comment: 'No' } as const;

beforeEach(async () => {
  storage = openSqliteStorage(temporaryDirectory(), { now: () => now });
  onTestFinished(() => storage.close());
  now = 1_500;
  await storage.approvals.add(request);
});

type Options = NonNullable<Parameters<typeof openOffice>[1]>;
const open = (options: Options = {}) => openOffice(storage, { now: () => now, ...options });
const kept = async () => (await storage.approvals.byId(teamId, id))?.request;
const onRecord = async () => (await storage.audit.since(teamId, 0, 100)).map(({ entry }) => entry);
const target = { kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' };

const refusal = 'Only administrators of the quiz account can do this. Ask one of them to do it for you.';
const refusing = async (): Promise<Preparation> => ({ kind: 'refused', message: refusal });

describe('a review', () => {
  test('of one’s own request is for taking it back, unless one may decide on one’s own', async () => {
    const own = { ...reviewer, personId: requesterId };
    expect(await open().decisions.review(own)).toEqual({ kind: 'own', request });
    expect(await open({ allowsSelfApproval: true }).decisions.review(own)).toMatchObject({ kind: 'review' });
  });

  test('is refused to who may not decide, and the refusal goes on the record', async () => {
    const { decisions } = open({ prepare: refusing });
    expect(await decisions.review(reviewer)).toEqual({ kind: 'refused', message: refusal });
    expect(await onRecord()).toEqual([
      {
        at: now,
        correlationId: 'reference',
        by: reviewer.personId,
        operation: 'suspend-user',
        action: 'refused',
        through: 'approval',
        targets: [target],
        request: id,
        message: refusal,
      },
    ]);
    expect(await decisions.decide(approve)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('out of date'),
    });
  });

  test('of a request that does not exist is refused, and on the record no more of its id stands than ids are long', async () => {
    const { decisions } = open();
    const nowhere = { ...reviewer, id: 'x'.repeat(5_000) };
    const refused = { kind: 'refused', message: 'There’s no such request.' };
    expect(await decisions.review(nowhere)).toEqual(refused);
    expect(await decisions.decide({ ...approve, ...nowhere })).toEqual(refused);
    expect(await decisions.withdraw(nowhere)).toEqual(refused);
    for (const entry of await onRecord()) {
      expect(entry).toMatchObject({
        operation: 'decide-request',
        action: 'refused',
        targets: [],
        request: 'x'.repeat(100),
        message: refused.message,
      });
    }
    expect(await onRecord()).toHaveLength(3);
  });

  test('of a request of another workspace is refused', async () => {
    expect(await open().decisions.review({ ...reviewer, teamId: 'T0OTHER' })).toMatchObject({
      kind: 'refused',
      message: 'There’s no such request.',
    });
  });
});

describe('a decision', () => {
  test('counts once, and who comes after it hears of it and stands on the record', async () => {
    const { decisions, diary } = open();
    await decisions.review(reviewer);
    const late = { ...approve, personId: 'U00000TOM' };
    await decisions.review(late);
    expect(await decisions.decide(deny)).toMatchObject({
      kind: 'decided',
      request: { decision: { verdict: 'denied', by: reviewer.personId, comment: 'No', at: now } },
    });
    expect(await decisions.decide(late)).toEqual({ kind: 'over', request: await kept() });
    expect((await onRecord()).map(({ action, by, message }) => [action, by, message])).toEqual([
      ['denied', reviewer.personId, 'No'],
      ['refused', late.personId, 'This request was decided already.'],
    ]);
    expect(diary).not.toContain('run');
    expect(await kept()).toMatchObject({ state: 'announced', outcome: { kind: 'not run', message: '', at: now } });
  });

  test.each(['approved', 'denied'] as const)('%s without having looked is none', async (verdict) => {
    const { decisions, diary } = open();
    await decisions.review({ ...reviewer, personId: 'U00000TOM' });
    const message = outdatedForm;
    expect(await decisions.decide({ ...approve, verdict })).toEqual({ kind: 'refused', message });
    expect(await kept()).toMatchObject({ state: 'open' });
    expect(diary).toEqual([]);
  });

  test('on what was shown before it failed is none', async () => {
    const { decisions } = open({
      runApproved: async () => ({ kind: 'failed', message: 'The quiz service is not answering.' }),
    });
    const late = { ...approve, personId: 'U00000TOM' };
    await decisions.review(late);
    await decisions.review(reviewer);
    await decisions.decide(approve);
    expect(await kept()).toMatchObject({ state: 'open', failures: 1, lastFailure: { by: reviewer.personId, at: now } });
    expect(await decisions.decide(late)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('out of date'),
    });
  });

  test('is over where the same person presses once more', async () => {
    const { decisions } = open();
    await decisions.review(reviewer);
    await decisions.decide(approve);
    expect(await decisions.decide(approve)).toEqual({ kind: 'over', request: await kept() });
  });

  test('needs what was shown, which is remembered as long as the request can be decided on', async () => {
    const shown = storage.kv('shown-requests');
    const set = vi.spyOn(shown, 'set');
    const { decisions } = openOffice(
      { ...storage, kv: () => shown },
      {
        now: () => now,
        async prepare() {
          now += 1_000_000;
          return ready(request.asked);
        },
      },
    );
    await decisions.review(reviewer);
    await decisions.review(reviewer);
    now = request.expiresAt - 1;
    await decisions.review(reviewer);
    // Not zero, which would be for ever.
    expect(set.mock.calls.map(([, , ttlMs]) => ttlMs)).toEqual([
      request.expiresAt - 1_001_500,
      request.expiresAt - 2_001_500,
      1,
    ]);
  });

  test('is prepared once, after it was stored', async () => {
    const prepared: [string, string | undefined][] = [];
    const { decisions } = open({
      async prepare(_request, _reviewer, step) {
        prepared.push([step, (await kept())?.state]);
        return ready(request.asked);
      },
    });
    await decisions.review(reviewer);
    await decisions.decide(approve);
    expect(prepared).toEqual([
      ['forReview', 'open'],
      ['forRun', 'decided'],
    ]);
  });

  test('until the last millisecond counts, and from then on the request has expired', async () => {
    const { decisions } = open();
    await decisions.review(reviewer);
    now = request.expiresAt - 1;
    expect(await decisions.decide(deny)).toMatchObject({ kind: 'decided' });
  });

  test('counts while the clock of the machine is 40 days ahead', async () => {
    const { decisions } = open({ steadyNow: () => 2_000 });
    now += 40 * 24 * 3_600_000;
    expect(await decisions.review(reviewer)).toMatchObject({ kind: 'review' });
    expect(await decisions.decide(approve)).toMatchObject({
      kind: 'decided',
      request: { state: 'announced', decision: { verdict: 'approved' } },
    });
  });

  test('at the end of the time is none: who looks sees that the request has expired', async () => {
    const { decisions, diary } = open();
    now = request.expiresAt;
    expect(await decisions.review(reviewer)).toMatchObject({
      kind: 'over',
      request: { decision: { verdict: 'expired', comment: '', at: now } },
    });
    expect(await decisions.withdraw({ ...reviewer, personId: requesterId })).toMatchObject({ kind: 'over' });
    expect((await onRecord()).at(-1)).toMatchObject({ action: 'refused', message: 'This request has expired.' });
    expect(diary).not.toContain('run');
  });

  test('that reaches the store at the end of the time is none', async () => {
    const { decisions } = open({
      async prepare() {
        now += request.expiresAt / 2;
        return ready(request.asked);
      },
    });
    await decisions.review(reviewer);
    now = request.expiresAt - request.expiresAt / 2;
    expect(await decisions.decide(deny)).toMatchObject({ kind: 'over' });
    expect(await kept()).toMatchObject({ state: 'open' });
  });

  test('that somebody else made a moment before is theirs', async () => {
    let meanwhile = async () => {};
    const { decisions } = open({
      async prepare() {
        await meanwhile();
        return ready(request.asked);
      },
    });
    await decisions.review(reviewer);
    meanwhile = async () => {
      meanwhile = async () => {};
      await decisions.withdraw({ ...reviewer, personId: requesterId });
    };
    expect(await decisions.decide(deny)).toMatchObject({
      kind: 'over',
      request: { decision: { verdict: 'withdrawn' } },
    });
  });

  test('is carried out after the step that is at the request', async () => {
    const slept: number[] = [];
    let release = async () => {};
    const { decisions, diary } = open({
      async sleep(ms) {
        slept.push(ms);
        if (slept.length === 3) await release();
      },
    });
    await decisions.review(reviewer);
    ({ release } = await holdLease(storage.leases, `request:${teamId}:${id}`));
    expect(await decisions.decide(approve)).toMatchObject({ kind: 'decided', request: { state: 'announced' } });
    expect(slept).toEqual([200, 200, 200]);
    expect(diary).toContain('run');
  });

  test('is left to the next sweep where another step is at the request for more than ten seconds', async () => {
    const sleep = vi.fn<(ms: number) => Promise<void>>(async () => {});
    const { decisions, diary } = open({ sleep });
    await decisions.review(reviewer);
    await holdLease(storage.leases, `request:${teamId}:${id}`);
    expect(await decisions.decide(approve)).toMatchObject({ kind: 'decided', request: { state: 'decided' } });
    expect(sleep).toHaveBeenCalledTimes(50);
    expect(diary).toEqual([]);
  });
});

describe('taking a request back', () => {
  test('is refused to anybody else', async () => {
    const { decisions } = open();
    expect(await decisions.withdraw(reviewer)).toEqual({
      kind: 'refused',
      message: 'Only the person who made this request can withdraw it.',
    });
    expect(await kept()).toMatchObject({ state: 'open' });
  });
});
