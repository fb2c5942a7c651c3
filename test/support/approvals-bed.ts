import { createOneAtATime } from '../../src/storage/leases.ts';
import { createAnnounce, type Notifier } from '../../src/governance/approvals/announce.ts';
import { createDecisions } from '../../src/governance/approvals/requests.ts';
import type { Preparation, Prepare } from '../../src/governance/approvals/prepare.ts';
import { createReconciler } from '../../src/governance/approvals/reconcile.ts';
import type { RunResult } from '../../src/governance/perform/carry-out.ts';
import { createAudit } from '../../src/governance/audit/record.ts';
import type { Passwords } from '../../src/governance/passwords/passwords.ts';
import { everything } from '../../src/governance/rights/rights.ts';
import type { OperationContext, Right } from '../../src/operations/context.ts';
import { suspendUser } from '../../src/features/users/state.ts';
import type { ApprovalRequest, ChangePreview } from '../../src/domain/approval-request.ts';
import type { Storage } from '../../src/storage/records.ts';
import { recordingLog } from './log.ts';
import { quizUser } from './builders/users.ts';

/** What happened, as lines: `run`, `tell closed`. */
export type Diary = string[];

/** What a review needs of the reviewer’s context. Everybody with manage_users may see every record. */
export function reviewerContext(rights: readonly Right[]): OperationContext {
  const users = { names: async () => ({ byId: (id: string) => quizUser({ user_id: id }), named: () => [] }) };
  return {
    rights: new Set(rights),
    visibility: { ...everything, user: () => rights.includes('manage_users') },
    directory: { users },
    campaigns: { all: async () => [] },
    call: {},
  } as Partial<Record<keyof OperationContext, unknown>> as OperationContext;
}

/** A suspension of Rosa that can be made, with this preview. */
export function ready(preview: ChangePreview, user = quizUser()): Preparation {
  const context = reviewerContext(['administrator', 'manage_users']);
  return { kind: 'ready', operation: suspendUser, input: { user }, context, preview };
}

/** Decisions and reconciler over a real storage, with an account and a platform that only keep a diary. */
export function openOffice(
  storage: Storage,
  options: {
    diary?: Diary;
    now?: () => number;
    /** Default: `now`. */
    steadyNow?: () => number;
    preview?: () => ChangePreview;
    /** For every step; a denial needs nothing but that it does not refuse. */
    prepare?: (request: ApprovalRequest, reviewerId: string, step: keyof Prepare) => Promise<Preparation>;
    runApproved?: (request: ApprovalRequest) => Promise<RunResult>;
    notifier?: Partial<Notifier>;
    passwords?: Partial<Passwords>;
    allowsSelfApproval?: boolean;
    sleep?: (ms: number) => Promise<void>;
  } = {},
) {
  const { diary = [], now = () => 1_500, steadyNow = now } = options;
  const write = (line: string) => void diary.push(line);
  const { log, lines } = recordingLog();
  const audit = createAudit({ trail: storage.audit, log, onRecorded: () => {} });
  const prepareFor =
    (step: keyof Prepare) =>
    async (request: ApprovalRequest, reviewerId: string): Promise<Preparation> =>
      options.prepare?.(request, reviewerId, step) ??
      ready(options.preview?.() ?? request.asked, quizUser({ suspended: diary.includes('run') }));
  const prepare: Prepare = {
    forReview: prepareFor('forReview'),
    forRun: prepareFor('forRun'),
    forHistory: async () => undefined,
    async forDenial(request, reviewerId) {
      const preparation = await prepareFor('forDenial')(request, reviewerId);
      return preparation.kind === 'refused' ? preparation.message : undefined;
    },
  };
  const sleep = options.sleep ?? (() => new Promise<void>((resolve) => setImmediate(resolve)));
  const notifier: Notifier = {
    post: async (request) => {
      write('post');
      return { posts: [{ channel: 'C1', ts: request.id }] };
    },
    findPosts: async (request) => (diary.includes('post') ? [{ channel: 'C1', ts: request.id }] : []),
    update: async (request) => write(`show ${request.decision?.verdict ?? request.state}`),
    remind: async () => write('remind'),
    async postToRequester(request) {
      write(`requester gets ${request.decision?.verdict ?? request.state}`);
      return { channel: 'D1', ts: request.id };
    },
    findRequesterPost: async (request) =>
      diary.some((line) => line.startsWith('requester gets')) ? { channel: 'D1', ts: request.id } : undefined,
    async updateRequesterPost(request) {
      write(`requester sees ${request.decision?.verdict ?? request.state}`);
      return true;
    },
    reply: async (_request, _post, stage) => write(`tell ${stage}`),
    hasReplied: async (_request, _post, stage) => diary.includes(`tell ${stage}`),
    offerPassword: async () => write('offer the password'),
    ...options.notifier,
  };
  const reconciler = createReconciler({
    steadyNow,
    ...storage,
    oneAtATime: createOneAtATime({ leases: storage.leases, sleep: async () => {} }),
    prepare,
    async runApproved(request) {
      const result =
        (await options.runApproved?.(request)) ??
        ({ kind: 'done', result: { kind: 'done', message: 'It is done.' } } as const);
      write(result.kind === 'done' ? 'run' : 'run in vain');
      return result;
    },
    userProtection: { inTurn: (_operation, _teamId, work) => work({}) },
    announce: createAnnounce({ approvals: storage.approvals, notifier, now: () => 60_000, log }),
    notifier,
    passwords: {
      offerAfterApproval: async ({ requesterId }, _approverId, { user }) => (
        write('offer the password'),
        { personId: requesterId, userId: user.user_id, name: user.user_name }
      ),
      ...options.passwords,
    },
    audit,
    now,
    newCorrelationId: () => 'reference',
    sleep,
    log,
  });
  const decisions = byParticipant(
    createDecisions({
      approvals: storage.approvals,
      shown: storage.kv('shown-requests'),
      prepare,
      reconciler,
      audit,
      allowsSelfApproval: options.allowsSelfApproval ?? false,
      now,
      steadyNow,
      newCorrelationId: () => 'reference',
      sleep,
    }),
  );
  return { decisions, reconciler, diary, lines };
}

interface Participant {
  teamId: string;
  personId: string;
  id: string;
}

/** The decisions of people who are named with each request. */
export function byParticipant(decisions: ReturnType<typeof createDecisions>) {
  return {
    review: async (participant: Participant) => decisions(participant).review(participant.id),
    decide: async ({
      verdict,
      comment,
      ...participant
    }: Participant & { verdict: 'approved' | 'denied'; comment: string }) =>
      decisions(participant).decide(participant.id, verdict, comment),
    withdraw: async (participant: Participant) => decisions(participant).withdraw(participant.id),
  };
}
