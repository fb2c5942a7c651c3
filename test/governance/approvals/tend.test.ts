import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Announcer } from '../../../src/governance/approvals/announcer.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite.ts';
import type { AuditEntry } from '../../../src/storage/audit-chain.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { approvalRequest } from '../../support/approval-request.ts';
import { openOffice } from '../../support/approvals-office.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let storage: Storage;
let now: number;
const request = approvalRequest({ createdAt: 1_000, remindAt: 2_000, expiresAt: 3_000 });
const { teamId, id } = request;
const acting = { teamId, id, slackId: 'U00000ADA' };

beforeEach(() => {
  storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  now = 1_500;
});

type Options = NonNullable<Parameters<typeof openOffice>[1]>;
const open = (options: Options = {}) => openOffice(storage, { now: () => now, ...options });
const kept = async () => (await storage.approvals.byId(teamId, id))?.request;
const actions = async () => (await storage.audit.since(teamId, 0, 100)).map(({ text }) => (JSON.parse(text) as AuditEntry).action);

describe('time', () => {
  test('a request is posted once, reminded of once halfway, and expires once', async () => {
    await storage.approvals.add(request);
    const { tend, diary } = open();
    for (now of [1_000, 1_999, 2_000, 2_500, 2_999]) await tend.all(teamId);
    expect(diary).toEqual(['post', 'remind']);
    for (now of [3_000, 4_000]) await tend.all(teamId);
    expect(diary).toEqual(['post', 'remind', 'show expired', 'tell closed']);
    expect(await kept()).toMatchObject({ state: 'announced', decision: { verdict: 'expired' } });
    expect(await actions()).toEqual(['expired']);
  });

  test('a decision after the end is none, even if nobody noticed the end yet', async () => {
    await storage.approvals.add(request);
    const { decisions, diary } = open();
    await decisions.review(acting);
    now = 3_000;
    expect(await decisions.decide({ ...acting, verdict: 'approved', comment: '' })).toMatchObject({ kind: 'over' });
    expect(diary).not.toContain('run');
  });
});

describe('a failed run', () => {
  test('opens the request again, and a retry that works closes it', async () => {
    await storage.approvals.add(request);
    let fails = true;
    const { decisions, tend, diary } = open({
      perform: async () => (fails ? { kind: 'failed', sentence: 'The quiz service is not answering.' } : { kind: 'done', result: undefined }),
    });
    await tend.all(teamId);
    await decisions.review(acting);
    expect(await decisions.decide({ ...acting, verdict: 'approved', comment: '' })).toMatchObject({ kind: 'decided', request: { state: 'open', failures: 1 } });
    expect(await decisions.decide({ ...acting, verdict: 'approved', comment: '' })).toMatchObject({ kind: 'refused' });
    fails = false;
    await decisions.review(acting);
    expect(await decisions.decide({ ...acting, verdict: 'approved', comment: '' })).toMatchObject({ kind: 'decided', request: { outcome: { kind: 'done' } } });
    expect(diary).toEqual(['post', 'run in vain', 'show open', 'tell open after 1 failures', 'run', 'show approved', 'tell closed']);
  });
});

/** Everything that happens after the click, in order, where a process can die. */
const steps = ['before the run', 'in the run', 'after the run', 'before the message is changed', 'after the message is changed', 'before the requester is told', 'after the requester is told'] as const;

class Killed extends Error {}

function ignoreDeath(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

/** An office whose process dies at a step: whatever it would have done afterwards does not happen. */
function openDoomed(step: (typeof steps)[number], diary: string[]) {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Killed(step);
  };
  const at = (name: (typeof steps)[number]) => {
    if (isDead || step === name) die();
  };
  const announcer: Partial<Announcer> = {
    async update(shown) {
      at('before the message is changed');
      diary.push(`show ${shown.decision?.verdict}`);
      at('after the message is changed');
    },
    async tell(_, stage) {
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
    leases: { take: async () => true, release: async () => {} },
  };
  return openOffice(mortal, {
    diary,
    now: () => now,
    announcer,
    async perform() {
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
    await doomed.tend.all(teamId);
    await doomed.decisions.review(acting);
    await doomed.decisions.decide({ ...acting, verdict: 'approved', comment: '' }).catch(ignoreDeath);
    expect(await kept()).not.toMatchObject({ state: 'announced' });

    const { tend } = open({ diary });
    await tend.all(teamId);
    await tend.all(teamId);

    expect(await kept()).toMatchObject({ state: 'announced', decision: { verdict: 'approved' }, outcome: { kind: 'done' } });
    expect(diary.filter((line) => line === 'run')).toHaveLength(1);
    expect(diary.filter((line) => line === 'tell closed')).toHaveLength(1);
    expect(diary.filter((line) => line === 'post')).toHaveLength(1);
    expect(new Set(diary.filter((line) => line.startsWith('show')))).toEqual(new Set(['show approved']));
  });

  test('what makes something new is not run again, but reported as unclear', async () => {
    const creation = { ...request, operation: 'create-quiz', input: { name: ['Ladders'] } };
    const decision = { verdict: 'approved', by: 'U00000ADA', comment: '', at: 1_400 } as const;
    await storage.approvals.add({ ...creation, state: 'decided', decision, startedAt: 1_400 });
    const { tend, diary } = open();
    await tend.all(teamId);
    expect(await kept()).toMatchObject({ state: 'announced', outcome: { kind: 'unknown', sentence: expect.stringContaining('look, before you ask') } });
    expect(diary).not.toContain('run');
  });

  test('what was not begun is only begun by somebody who still may decide', async () => {
    const decision = { verdict: 'approved', by: 'U00000ADA', comment: '', at: 1_400 } as const;
    await storage.approvals.add({ ...request, state: 'decided', decision });
    const { tend, diary } = open({ prepare: async () => ({ kind: 'refused', sentence: 'Only administrators can do this.' }) });
    await tend.all(teamId);
    expect(await kept()).toMatchObject({ state: 'open', failures: 1, lastFailure: { sentence: 'Only administrators can do this.' } });
    expect(diary).not.toContain('run');
  });

  test('between posting a request and writing that down, it is found and not posted again', async () => {
    await storage.approvals.add({ ...request, posts: { messages: [], messagesIntent: true } });
    const { tend, diary } = open({ diary: ['post'] });
    await tend.all(teamId);
    expect(diary).toEqual(['post', 'show open']);
    expect(await kept()).toMatchObject({ posts: { messages: [{ channel: 'C1', ts: id }] } });
  });
});

describe('while Slack is away', () => {
  test('a decision is carried out all the same, and announced when Slack is back', async () => {
    await storage.approvals.add(request);
    let isAway = false;
    const diary: string[] = [];
    const { tend, decisions } = open({
      diary,
      announcer: {
        async update() {
          if (isAway) throw new Error('Slack is away');
          diary.push('show');
        },
      },
    });
    await tend.all(teamId);
    await decisions.review(acting);
    isAway = true;
    await decisions.decide({ ...acting, verdict: 'approved', comment: '' });
    expect(await kept()).toMatchObject({ state: 'closed', outcome: { kind: 'done' } });
    isAway = false;
    await tend.all(teamId);
    expect(diary).toEqual(['post', 'run', 'show', 'tell closed']);
  });
});
