import type { OneAtATime } from '../storage/leases.ts';
import { randomBytes } from 'node:crypto';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Storage } from '../storage/records.ts';
import { createAnnounce, type Notifier } from './approvals/announce.ts';
import { createAsk, createDecisions } from './approvals/requests.ts';
import { createPrepare } from './approvals/prepare.ts';
import { createReconciler } from './approvals/reconcile.ts';
import { createCarryOut, createRunApproved, type PutAssigned, createRunOperation } from './perform/carry-out.ts';
import { createJudgeNow } from './perform/judge.ts';
import { createGainedRights, createUserProtection } from './rights/user-protection.ts';
import { createAudit, createRecordOperation } from './audit/record.ts';
import { createExecute } from './perform/execute.ts';
import type { OperationContextDependencies } from './perform/operation-context.ts';
import { createAfterCreate, type PasswordGrant } from './passwords/grants.ts';
import { createPasswords } from './passwords/passwords.ts';
import { createPerformRow } from './perform/perform-row.ts';
import { createPermissions } from './rights/permissions.ts';

/** Puts governance together, each part from those before it. */
export function createGovernance(
  given: Omit<OperationContextDependencies, 'decisions'> & {
    storage: Storage;
    oneAtATime: OneAtATime;
    notifier: Notifier;
    findCompanies: (channelId: string) => Promise<readonly string[]>;
    owners: readonly string[];
    putAssigned: PutAssigned;
    approvals: { ttlMs: number; allowsSelfApproval: boolean };
    log: Log;
    countRefused: (error: unknown) => void;
    metrics: Metrics;
    sleep: (ms: number) => Promise<void>;
    newCorrelationId: () => string;
    /** Called after every new entry of the audit trail. */
    onRecorded: (teamId: string) => void;
    steadyNow: () => number;
    /** Called with work that goes on after the answer to a person. */
    track: (work: Promise<unknown>) => void;
  },
) {
  // People decide by operations, and what they decide on are operations.
  const deps: typeof given & OperationContextDependencies = { ...given, decisions: (person) => decisions(person) };
  const { storage, log } = deps;
  const { approvals } = storage;
  const { ttlMs, allowsSelfApproval } = deps.approvals;

  const audit = createAudit({ trail: storage.audit, log, onRecorded: deps.onRecorded });
  const record = createRecordOperation({ ...deps, audit });
  const runOperation = createRunOperation(deps);
  const carryOut = createCarryOut(deps);
  const userProtection = createUserProtection(deps);
  const gainedRights = createGainedRights({ store: storage.kv('rights-gained') });
  const judgeNow = createJudgeNow({ userProtection, gainedRights });
  const prepare = createPrepare({
    ...deps,
    judgeNow,
    gainedRights,
    allowsSelfApproval,
  });
  const runApproved = createRunApproved({ ...deps, runOperation, carryOut, record });
  const announce = createAnnounce({ ...deps, approvals });
  const grants = storage.kv<PasswordGrant>('password-grants');
  const passwords = createPasswords({ ...deps, runOperation, grants, record });
  const reconciler = createReconciler({
    ...deps,
    approvals,
    prepare,
    runApproved,
    userProtection,
    announce,
    passwords,
    audit,
  });
  const announceInBackground = (announcing: Promise<unknown>, id: string) =>
    deps.track(announcing.catch((error: unknown) => log.error({ error, request: id }, 'request not announced yet')));
  const ask = createAsk({
    ...deps,
    approvals,
    ttlMs,
    newId: () => randomBytes(16).toString('hex'),
    announceNew: (added) => announceInBackground(reconciler.announceNew(added), added.request.id),
    announceAgain: ({ request }) => announceInBackground(reconciler.reconcile(request), request.id),
  });
  const execute = createExecute({ ...deps, runOperation, ask, passwords, userProtection, judgeNow, carryOut, record });
  const decisions = createDecisions({
    ...deps,
    approvals,
    shown: storage.kv('shown-requests'),
    prepare,
    reconciler,
    audit,
    allowsSelfApproval,
  });
  return {
    execute,
    performRow: createPerformRow({ ...deps, judgeNow, userProtection, carryOut, record }),
    permissions: createPermissions(deps),
    decisions,
    passwords,
    afterCreate: createAfterCreate({ grants, now: deps.now }),
    reconciler,
    audit,
    userProtection,
  };
}

/** Who may do what, with whose approval, and the record of it. */
export type Governance = ReturnType<typeof createGovernance>;
