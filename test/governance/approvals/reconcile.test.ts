import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import type { Notifier } from '../../../src/governance/approvals/announce.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/storage/records.ts';
import { approvalRequest, posted } from '../../support/builders/governance.ts';
import { ready, openOffice } from '../../support/approvals-bed.ts';
import { heldLease, isFree } from '../../support/held-lease.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { quizUser } from '../../support/builders/users.ts';

let storage: Storage;
let now: number;
const request = approvalRequest({ createdAt: 1_000, remindAt: 2_000, expiresAt: 3_000 });
const { teamId, id } = request;
const reviewer = { teamId, id, personId: 'U00000ADA' };
const decision = { verdict: 'approved', by: 'U00000ADA', comment: '', at: 1_400, preview: request.asked } as const;
const approved = { ...request, state: 'decided', decision } as const;
const different = { ...request.asked, effect: 'Rosa Almeida, an administrator, cannot sign in.' };

beforeEach(() => {
  storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  now = 1_500;
});

type Options = NonNullable<Parameters<typeof openOffice>[1]>;
const open = (options: Options = {}) => openOffice(storage, { now: () => now, ...options });
const kept = async () => (await storage.approvals.byId(teamId, id))?.request;
const recorded = async () => (await storage.audit.since(teamId, 0, 100)).map(({ entry }) => entry);

describe('time', () => {
  test('a request is posted once, reminded of once halfway, and expires once', async () => {
    await storage.approvals.add(request);
    const { reconciler, diary } = open();
    for (now of [1_000, 1_999, 2_000, 2_500, 2_999]) await reconciler.sweep(teamId);
    const whileOpen = ['post', 'requester gets open', 'remind', 'requester sees open'];
    expect(diary).toEqual(whileOpen);
    for (now of [3_000, 4_000]) await reconciler.sweep(teamId);
    expect(diary).toEqual([...whileOpen, 'show expired', 'requester sees expired', 'tell closed']);
    expect(await kept()).toMatchObject({ state: 'announced', decision: { verdict: 'expired' } });
    expect(await recorded()).toMatchObject([{ action: 'expired' }]);
  });
});

/** Everything that happens after the click, in order, where a process can die. */
const steps = [
  'before the run',
  'in the run',
  'after the run',
  'before the message is changed',
  'after the message is changed',
  'before the requester’s message is changed',
  'after the requester’s message is changed',
  'before the requester is told',
  'after the requester is told',
] as const;

class Killed extends Error {}

function ignoreDeath(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

/** A process that dies at a step: nothing of what follows happens. */
function openDoomed(step: (typeof steps)[number], diary: string[]) {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Killed(step);
  };
  const at = (name: (typeof steps)[number]) => {
    if (isDead || step === name) die();
  };
  const notifier: Partial<Notifier> = {
    async update(shown) {
      at('before the message is changed');
      diary.push(`show ${shown.decision?.verdict}`);
      at('after the message is changed');
    },
    async updateRequesterPost(shown) {
      at('before the requester’s message is changed');
      diary.push(`requester sees ${shown.decision?.verdict}`);
      at('after the requester’s message is changed');
      return true;
    },
    async reply(_request, _post, stage) {
      at('before the requester is told');
      diary.push(`tell ${stage}`);
      at('after the requester is told');
    },
  };
  const mortal: Storage = {
    ...storage,
    approvals: {
      ...storage.approvals,
      async replace(changed, version) {
        if (isDead) die();
        if (step === 'before the run' && changed.startedAt !== undefined) die();
        if (step === 'after the run' && changed.state === 'closed') die();
        return storage.approvals.replace(changed, version);
      },
    },
    audit: {
      ...storage.audit,
      append: async (team, entry) => (isDead ? die() : storage.audit.append(team, entry)),
    },
    leases: {
      withLease: async (_name, _ttlMs, run) => ({ held: true, value: await run(heldLease) }),
    },
  };
  return openOffice(mortal, {
    diary,
    now: () => now,
    notifier,
    async runApproved() {
      at('in the run');
      return { kind: 'done', result: undefined };
    },
  });
}

describe('after a crash', () => {
  test.each(steps)('%s, the next start finishes: one run, one record, one word to the requester', async (step) => {
    await storage.approvals.add(request);
    const diary: string[] = [];
    const doomed = openDoomed(step, diary);
    await doomed.reconciler.sweep(teamId);
    await doomed.decisions.review(reviewer);
    await doomed.decisions.decide({ ...reviewer, verdict: 'approved', comment: '' }).catch(ignoreDeath);
    expect(await kept()).not.toMatchObject({ state: 'announced' });
    const { reconciler } = open({ diary });
    await reconciler.sweep(teamId);
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject({
      state: 'announced',
      decision: { verdict: 'approved' },
      outcome: { kind: 'done' },
    });
    expect(diary.filter((line) => line === 'run')).toHaveLength(1);
    expect(diary.filter((line) => line === 'tell closed')).toHaveLength(1);
    expect(diary.filter((line) => line === 'post')).toHaveLength(1);
    expect(diary.filter((line) => line.startsWith('requester gets'))).toEqual(['requester gets open']);
    expect(diary).toContain('requester sees approved');
    expect(new Set(diary.filter((line) => line.startsWith('show')))).toEqual(new Set(['show approved']));
  });
});

describe('what is due', () => {
  const parsed = (lines: string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  test('of a request that does not exist is an error, and the lease on it is given back', async () => {
    const { reconciler, diary } = open();
    await expect(reconciler.reconcile({ teamId, id: 'nowhere' })).rejects.toThrow('there is no request nowhere');
    expect(diary).toEqual([]);
    expect(await isFree(storage.leases, `request:${teamId}:nowhere`)).toBe(true);
  });

  test('is neither reminding nor expiring where it was decided', async () => {
    await storage.approvals.add({
      ...request,
      state: 'closed',
      decision,
      outcome: { kind: 'done', message: '', at: 1_400 },
    });
    now = 5_000;
    const { reconciler, diary } = open();
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject({ state: 'announced', decision, isReminded: false });
    expect(diary).toEqual(['requester gets approved']);
  });

  test('goes on the record with who decided, on what, and why, before it is run, and once', async () => {
    await storage.approvals.add({ ...approved, decision: { ...decision, comment: 'Fine' } });
    const { reconciler } = open({
      runApproved: async () => ({ kind: 'failed', message: 'The quiz service is not answering.' }),
    });
    await reconciler.sweep(teamId);
    await reconciler.sweep(teamId);
    const targets = [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' }];
    const { details } = request.asked;
    expect(await recorded()).toEqual([
      {
        at: now,
        correlationId: 'reference',
        by: 'U00000ADA',
        operation: 'suspend-user',
        change: 'suspend \u2068Rosa Almeida\u2069',
        action: 'approved',
        through: 'approval',
        targets,
        details,
        request: id,
        message: 'Fine',
      },
    ]);
    expect(await kept()).toMatchObject({ state: 'open', lastFailure: { by: 'U00000ADA', at: now } });
    expect(await kept()).not.toHaveProperty('startedAt');
  });

  test.each<[string, Partial<ApprovalRequest>, string[]]>([
    ...(['denied', 'withdrawn', 'expired'] as const).map((verdict): [string, Partial<ApprovalRequest>, string[]] => [
      `was ${verdict}, though a run may have begun before`,
      { decision: { ...decision, verdict }, startedAt: 1_300 },
      [],
    ]),
    ['nobody approved', { decision: { verdict: 'approved', comment: '', at: 1_400 } }, ['approved']],
  ])('runs nothing that %s', async (_, more, onRecord) => {
    await storage.approvals.add({ ...approved, ...more });
    const { reconciler, diary } = open();
    await reconciler.sweep(teamId);
    expect(diary).not.toContain('run');
    expect((await recorded()).map(({ action }) => action)).toEqual(onRecord);
    expect(await kept()).toMatchObject({ outcome: { kind: 'not run', message: '', at: now } });
  });

  test('offers a new password once, keeps who has the offer, and says in the log where it failed', async () => {
    const passwordOf = { user: quizUser({ user_id: 'u-ines', user_name: 'ines' }), isNew: true };
    const runApproved: NonNullable<Options['runApproved']> = async () => ({
      kind: 'done',
      result: { kind: 'done', message: 'Ines is created.', passwordOf },
    });
    await storage.approvals.add(approved);
    const { reconciler, diary } = open({ runApproved });
    await reconciler.sweep(teamId);
    expect(diary.filter((line) => line === 'offer the password')).toHaveLength(1);
    expect(await kept()).toMatchObject({
      outcome: { kind: 'done', passwordOffer: { personId: request.requesterId, userId: 'u-ines', name: 'ines' } },
    });
    await storage.approvals.add({ ...approved, id: 'request-2' });
    const away = open({
      runApproved,
      passwords: { offerAfterApproval: () => Promise.reject(new Error('the store is away')) },
    });
    await away.reconciler.sweep(teamId);
    expect((await storage.approvals.byId(teamId, 'request-2'))?.request).toMatchObject({
      state: 'announced',
      outcome: { kind: 'done', message: 'Ines is created.' },
    });
    const told = parsed(away.lines).filter(({ level }) => level === 'error');
    expect(told).toMatchObject([
      { msg: expect.stringContaining('new password could not be offered'), request: 'request-2' },
    ]);
  });

  test('of others goes on where one cannot be tended, and the log says which', async () => {
    await storage.approvals.add({ ...approved, id: 'request-0' });
    await storage.approvals.add(approved);
    const { reconciler, lines } = open({
      runApproved: async (one) =>
        one.id === 'request-0' ? Promise.reject(new Error('a bug')) : { kind: 'done', result: undefined },
    });
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject({ state: 'announced' });
    expect(parsed(lines).filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'request not reconciled', request: 'request-0', error: expect.anything() },
    ]);
  });

  test('is not lost where Slack takes no reminder, and not reminded of twice', async () => {
    await storage.approvals.add(request);
    now = 2_000;
    const { reconciler, lines } = open({
      notifier: {
        remind: () => Promise.reject(new Error('Slack is away')),
        post: () => Promise.reject(new Error('Slack is away')),
      },
    });
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject({ state: 'open', isReminded: true });
    expect(parsed(lines).filter(({ level }) => level === 'warn')).toMatchObject([
      { msg: 'no reminder', request: id },
      { msg: 'request not announced yet', request: id },
    ]);
  });
});

/** What is approved and begun before a crash, and what comes of it: a user who is to be suspended, or another operation. */
describe('after a crash in the run', () => {
  const begun = { ...request, state: 'decided', decision, startedAt: 1_400 } as const;
  const { startedAt: _none, ...decided } = begun;
  const gone: Options = { prepare: async () => ({ kind: 'gone', message: '“Rosa Almeida” is gone.' }) };
  /** Things look as the run leaves them. */
  const isSo = (): Options => ({ diary: ['run'] });
  const done = { state: 'announced', outcome: { kind: 'done', message: 'It is done.' } };
  const failed = { state: 'open', failures: 1, lastFailure: { message: '“Rosa Almeida” is gone.' } };
  const deletion = { operation: 'delete-user' };
  const creation = { operation: 'create-quiz', input: { name: ['Ladders'] } };
  const message = expect.stringContaining('Check whether it was done');
  const unclear = { state: 'announced', outcome: { kind: 'unknown', message } };

  test.each<[string, Partial<ApprovalRequest>, () => Options, object, number]>([
    ['what was to be deleted and is gone counts as done', { ...begun, ...deletion }, () => gone, done, 0],
    ['what was to be changed and is gone has failed', begun, () => gone, failed, 0],
    ['what was to be deleted and was gone before has failed', { ...decided, ...deletion }, () => gone, failed, 0],
    ['what was to be deleted and is still there is deleted', { ...begun, ...deletion }, () => ({}), done, 1],
    ['what is done already is not run again', begun, isSo, done, 0],
    ['what is not done is run', begun, () => ({}), { ...done, startedAt: 1_400 }, 1],
    ['what looks done before it was begun is run all the same', decided, isSo, done, 1],
    [
      'what makes something new is not run again, but reported as unclear',
      { ...begun, ...creation },
      () => ({}),
      unclear,
      0,
    ],
    ['what was to be made and was not begun is made', { ...decided, ...creation }, () => ({}), done, 1],
    [
      'what is done already is done, though it looks different since',
      begun,
      () => ({ ...isSo(), preview: () => different }),
      done,
      0,
    ],
  ])('%s', async (_, stored, options, outcome, runs) => {
    await storage.approvals.add({ ...request, ...stored });
    const { reconciler, diary } = open(options());
    const ranBefore = diary.length;
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject(outcome);
    expect(diary.filter((line) => line === 'run')).toHaveLength(ranBefore + runs);
    // What was begun was put on the record then.
    expect((await recorded()).filter(({ action }) => action === 'approved')).toHaveLength(stored.startedAt ? 0 : runs);
  });
});

describe('what was approved', () => {
  const message = 'What this is about changed after it was approved.';
  const began = `${message} The bot stopped while carrying this out. Check whether it was done before you request it again.`;
  test.each([
    ['was not begun', {}, message],
    ['was begun', { startedAt: 1_400 }, began],
  ])('and %s before a crash goes back to the reviewers where it means something else now', async (_, more, why) => {
    await storage.approvals.add({ ...approved, ...more, posts: posted });
    const { reconciler, diary } = open({ preview: () => different });
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject({
      state: 'open',
      failures: 1,
      lastFailure: { message: why, by: 'U00000ADA', at: now },
    });
    expect(await kept()).not.toHaveProperty('decision');
    expect(await kept()).not.toHaveProperty('startedAt');
    expect(diary).toEqual(['show open', 'requester sees open', 'tell open after 1 failures']);
    expect(await recorded()).toMatchObject([
      { by: 'U00000ADA', action: 'refused', message: why, request: id, targets: [{ id: 'u-rosa' }] },
    ]);
  });

  test('is run by nobody who lost the lease to another instance', async () => {
    await storage.approvals.add(approved);
    const { reconciler, diary } = open({
      async prepare(asked) {
        await storage.approvals.replace({ ...asked, startedAt: 1_450 }, 1);
        return ready(request.asked);
      },
    });
    expect(await reconciler.reconcile(request)).toBeUndefined();
    await storage.approvals.add({ ...approved, id: 'request-2' });
    expect(await reconciler.carryOut({ teamId, id: 'request-2' })).toBeUndefined();
    expect(diary).toEqual([]);
    expect(await kept()).toMatchObject({ state: 'decided', startedAt: 1_450 });
  });

  test('is announced without a search for earlier messages by the step that ran it or failed to', async () => {
    const search = {
      hasReplied: vi.fn<Notifier['hasReplied']>(),
      findRequesterPost: vi.fn<Notifier['findRequesterPost']>(),
      findPosts: vi.fn<Notifier['findPosts']>(),
    };
    const { reconciler, diary } = open({ notifier: search });
    await storage.approvals.add({ ...approved, posts: posted });
    await reconciler.sweep(teamId);
    const second = { ...approved, id: 'request-2', posts: posted };
    await storage.approvals.add(second);
    expect(await reconciler.carryOut(second)).toMatchObject({ kind: 'carried out', request: { state: 'announced' } });
    await storage.approvals.add({ ...approved, id: 'request-3', posts: posted });
    await open({
      diary,
      notifier: search,
      preview: () => different,
      prepare: async () => ({ kind: 'refused', message: 'Only administrators can do this.' }),
    }).reconciler.sweep(teamId);
    expect(diary.filter((line) => line.startsWith('tell'))).toEqual([
      'tell closed',
      'tell closed',
      'tell open after 1 failures',
    ]);
    for (const searched of Object.values(search)) expect(searched).not.toHaveBeenCalled();
  });

  test('and cannot be checked, since the service is away, is taken back while the reviewer waits', async () => {
    const seen = { ...request, posts: posted };
    await storage.approvals.add(seen);
    let isAway = false;
    const { reconciler, decisions, diary } = open({
      async prepare(asked) {
        if (isAway) throw new Error('the service is away');
        return ready(asked.asked);
      },
    });
    await decisions.review(reviewer);
    isAway = true;
    await expect(decisions.decide({ ...reviewer, verdict: 'approved', comment: '' })).rejects.toThrow(
      'the service is away',
    );
    expect(await kept()).toEqual(seen);
    isAway = false;
    expect(await decisions.decide({ ...reviewer, verdict: 'approved', comment: '' })).toMatchObject({
      kind: 'decided',
      request: { outcome: { kind: 'done' } },
    });
    expect(diary).toContain('run');
    await storage.approvals.add({ ...approved, id: 'request-2' });
    isAway = true;
    await reconciler.sweep(teamId);
    expect((await storage.approvals.byId(teamId, 'request-2'))?.request).toMatchObject({ state: 'decided' });
  });

  test('and was begun, or denied, is not taken back where its end cannot be stored', async () => {
    const full = new Error('the disk is full');
    const replace = vi.fn<Storage['approvals']['replace']>((changed, version) =>
      changed.state === 'closed' ? Promise.reject(full) : storage.approvals.replace(changed, version),
    );
    const { reconciler } = openOffice({ ...storage, approvals: { ...storage.approvals, replace } }, { now: () => now });
    await storage.approvals.add(approved);
    await expect(reconciler.carryOut(request)).rejects.toThrow(full);
    expect(await kept()).toMatchObject({ state: 'decided', startedAt: now });
    const denied = { ...approved, id: 'request-2', decision: { ...decision, verdict: 'denied' } } as const;
    await storage.approvals.add(denied);
    await expect(reconciler.carryOut(denied)).rejects.toThrow(full);
    expect((await storage.approvals.byId(teamId, 'request-2'))?.request).toEqual(denied);
  });

  test('and carried out by another step in the meantime is left as that left it', async () => {
    const over = {
      ...approved,
      state: 'announced',
      outcome: { kind: 'done', message: 'It is done.', at: 1_450 },
    } as const;
    await storage.approvals.add(over);
    const { reconciler, diary } = open();
    expect(await reconciler.carryOut(request)).toEqual({ kind: 'carried out', request: over });
    expect(diary).toEqual([]);
  });
});

describe('a new request', () => {
  test('is announced without looking for earlier messages, unless another step was at it first', async () => {
    await storage.approvals.add(request);
    const findPosts = vi.fn<Notifier['findPosts']>(async () => []);
    await open({ notifier: { findPosts } }).reconciler.announceNew({ request, version: 1 });
    expect(findPosts).not.toHaveBeenCalled();
    const second = { ...request, id: 'request-2' };
    await storage.approvals.add(second);
    await storage.approvals.replace(second, 1);
    await open({ notifier: { findPosts } }).reconciler.announceNew({ request: second, version: 1 });
    expect(findPosts).toHaveBeenCalledOnce();
  });
});

describe('a decision in the same moment', () => {
  /** Somebody decides while `replace` is on its way. */
  const deciding = (time: number) => {
    const replace = vi.fn<Storage['approvals']['replace']>(async (changed, version) => {
      replace.mockImplementation((...args) => storage.approvals.replace(...args));
      await storage.approvals.replace(
        { ...request, state: 'decided', decision: { ...decision, verdict: 'denied' } },
        version,
      );
      return storage.approvals.replace(changed, version);
    });
    return openOffice({ ...storage, approvals: { ...storage.approvals, replace } }, { now: () => time });
  };

  test.each([
    ['the request expires', 3_000],
    ['a reminder is due', 2_000],
  ])('as %s counts', async (_, time) => {
    await storage.approvals.add({ ...request, posts: { messages: [], shown: 'open after 0 failures' } });
    const { reconciler, diary } = deciding(time);
    await reconciler.sweep(teamId);
    expect(await kept()).toMatchObject({ state: 'announced', isReminded: false, decision: { verdict: 'denied' } });
    expect(diary).not.toContain('remind');
  });
});

describe('while Slack is away', () => {
  test('a decision is carried out all the same, and announced when Slack is back', async () => {
    await storage.approvals.add(request);
    let isAway = false;
    const diary: string[] = [];
    const { reconciler, decisions } = open({
      diary,
      notifier: {
        async update() {
          if (isAway) throw new Error('Slack is away');
          diary.push('show');
        },
      },
    });
    await reconciler.sweep(teamId);
    await decisions.review(reviewer);
    isAway = true;
    await decisions.decide({ ...reviewer, verdict: 'approved', comment: '' });
    expect(await kept()).toMatchObject({ state: 'closed', outcome: { kind: 'done' } });
    isAway = false;
    await reconciler.sweep(teamId);
    expect(diary).toEqual(['post', 'requester gets open', 'run', 'show', 'requester sees approved', 'tell closed']);
  });
});
