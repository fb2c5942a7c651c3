import type { Announcer } from '../../src/governance/approvals/notifier.ts';
import { createAnnounce } from '../../src/governance/approvals/announce.ts';
import { createDecisions } from '../../src/governance/approvals/decide.ts';
import type { Preparation, RunResult } from '../../src/governance/approvals/prepare.ts';
import { createTend } from '../../src/governance/approvals/reconcile.ts';
import { createAudit } from '../../src/governance/audit.ts';
import type { Right, World } from '../../src/operations/operation.ts';
import { suspendUser } from '../../src/operations/users.ts';
import type { ApprovalRequest, Prospect } from '../../src/domain/approval-request.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { recordingLog } from './log.ts';
import { quizUser } from './user.ts';

/** What an approvals office did, as lines: `run suspend-user`, `tell closed`. */
export type Diary = string[];

/** Deciding and tending over a real storage, with an account and a Slack that only keep a diary. */
export function openOffice(
  storage: Storage,
  options: {
    diary?: Diary;
    now?: () => number;
    prospect?: () => Prospect;
    prepare?: (request: ApprovalRequest, reviewerId: string) => Promise<Preparation>;
    perform?: (request: ApprovalRequest) => Promise<RunResult>;
    announcer?: Partial<Announcer>;
    allowsSelfApproval?: boolean;
    sleep?: (ms: number) => Promise<void>;
  } = {},
) {
  const { diary = [], now = () => 1_500 } = options;
  const write = (line: string) => void diary.push(line);
  const { log, lines } = recordingLog();
  const audit = createAudit({ trail: storage.audit, log, onRecorded: () => {} });
  const prepare = async (request: ApprovalRequest, reviewerId: string): Promise<Preparation> =>
    options.prepare?.(request, reviewerId) ?? {
      kind: 'ready',
      operation: suspendUser,
      input: { user: quizUser({ suspended: diary.includes('run') }) },
      world: { rights: new Set<Right>(['administrator', 'manage_users']) } as Partial<World> as World,
      prospect: options.prospect?.() ?? request.asked,
    };
  const announcer: Announcer = {
    post: async (request) => {
      write('post');
      return { posts: [{ channel: 'C1', ts: request.id }] };
    },
    tellTrouble: async () => write('tell trouble'),
    findPosts: async (request) => (diary.includes('post') ? [{ channel: 'C1', ts: request.id }] : []),
    update: async (request) => write(`show ${request.decision?.verdict ?? request.state}`),
    remind: async () => write('remind'),
    tell: async (_, stage) => write(`tell ${stage}`),
    wasTold: async (_, stage) => diary.includes(`tell ${stage}`),
    whisperPassword: async () => write('whisper'),
    ...options.announcer,
  };
  const tend = createTend({
    ...storage,
    prepare,
    async perform(request) {
      const result = (await options.perform?.(request)) ?? ({ kind: 'done', result: { kind: 'done', sentence: 'It is done.' } } as const);
      write(result.kind === 'done' ? 'run' : 'run in vain');
      return result;
    },
    announce: createAnnounce({ approvals: storage.approvals, announcer, log }),
    announcer,
    audit,
    now,
    newReference: () => 'reference',
    log,
  });
  const decisions = createDecisions({
    approvals: storage.approvals,
    shown: storage.keyed('shown-requests'),
    prepare,
    tend,
    audit,
    allowsSelfApproval: options.allowsSelfApproval ?? false,
    now,
    newReference: () => 'reference',
    sleep: options.sleep ?? (() => new Promise((resolve) => setImmediate(resolve))),
  });
  return { decisions, tend, diary, lines };
}
