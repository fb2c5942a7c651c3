import { randomBytes } from 'node:crypto';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Storage } from '../storage/storage.ts';
import type { Notifier } from './approvals/notifier.ts';
import { createAnnounce } from './approvals/announce.ts';
import { createAsk } from './approvals/ask.ts';
import { createDecisions, type Decisions } from './approvals/decide.ts';
import { createPrepare } from './approvals/prepare.ts';
import { createReconciler, type Reconciler } from './approvals/reconcile.ts';
import { createAudit, type Audit } from './audit.ts';
import { createExecution, type Execute } from './execute.ts';
import { createPermissions, type Permissions } from './permissions.ts';
import type { OperationContextDependencies } from './operation-context.ts';

export interface Governance {
  execute: Execute;
  permissions: Permissions;
  decisions: Decisions;
  reconciler: Reconciler;
  audit: Audit;
}

/** Who may do what, on whose word, and what was done: put together from its parts. */
export function createGovernance(
  deps: OperationContextDependencies & {
    storage: Storage;
    notifier: Notifier;
    approvals: { ttlMs: number; allowsSelfApproval: boolean };
    log: Log;
    metrics: Metrics;
    sleep: (ms: number) => Promise<void>;
    newCorrelationId: () => string;
    /** Hears of every new entry of the audit trail. */
    onRecorded: () => void;
    /** Hears of work that goes on after an answer. */
    track: (work: Promise<unknown>) => void;
  },
): Governance {
  const { storage, log } = deps;
  const { approvals, leases } = storage;
  const { ttlMs, allowsSelfApproval } = deps.approvals;

  const audit = createAudit({ trail: storage.audit, log, onRecorded: deps.onRecorded });
  const ask = createAsk({
    ...deps,
    approvals,
    ttlMs,
    newId: () => randomBytes(16).toString('hex'),
    onAsked: (request) => deps.track(reconciler.one(request).catch((error: unknown) => log.error({ error, request: request.id }, 'request not announced yet'))),
  });
  const { execute, runApproved } = createExecution({ ...deps, ask, audit });
  const prepare = createPrepare({ ...deps, allowsSelfApproval });
  const announce = createAnnounce({ ...deps, approvals });
  const reconciler = createReconciler({ ...deps, approvals, leases, prepare, runApproved, announce, audit });
  const decisions = createDecisions({ ...deps, approvals, shown: storage.kv('shown-requests'), prepare, reconciler, audit, allowsSelfApproval });
  return { execute, permissions: createPermissions(deps), decisions, reconciler, audit };
}
