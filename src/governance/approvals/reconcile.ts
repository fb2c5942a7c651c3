import { operationNamed } from '../../operations/catalog.ts';
import type { Log } from '../../observability/log.ts';
import type { ApprovalRequest, Decision } from '../../domain/approval-request.ts';
import type { Approvals, Leases } from '../../storage/storage.ts';
import type { Audit } from '../audit.ts';
import type { RunApproved } from '../execute.ts';
import type { Announce } from './announce.ts';
import type { Notifier } from './notifier.ts';
import { changeRequest, keptRequest, type RequestId } from './change.ts';
import type { Prepare, Prepared } from './prepare.ts';

export interface Reconciler {
  /**
   * Does whatever is due for a request: lets it expire, reminds, runs what was decided, announces. The same
   * after a decision, on time, and after a crash. One at a time for each request, over all instances.
   *
   * @returns false where another is at it
   */
  one(id: RequestId, prepared?: Prepared): Promise<boolean>;
  /** Likewise for every request that is not history yet. */
  all(teamId: string): Promise<void>;
}

/** An instance that crashed holds a request up for so long. */
const leaseMs = 60_000;

const cutShort = 'The bot was stopped while this was being done. It may have been done: look, before you ask for it again.';

export function createReconciler(deps: {
  approvals: Approvals;
  leases: Leases;
  prepare: Prepare;
  runApproved: RunApproved;
  announce: Announce;
  notifier: Notifier;
  audit: Audit;
  now: () => number;
  newCorrelationId: () => string;
  log: Log;
}): Reconciler {
  const { approvals, leases, notifier, now, log } = deps;

  async function one(id: RequestId, prepared?: Prepared): Promise<boolean> {
    const lease = `request:${id.teamId}:${id.id}`;
    const { held } = await leases.withLease(lease, leaseMs, async () => {
      await letExpire(id);
      await remind(id);
      const { request } = await keptRequest(approvals, id);
      const current = request.state === 'decided' ? await carryOut(request, prepared) : request;
      await deps.announce(current).catch((error: unknown) => log.warn({ error, request: id.id }, 'request not announced yet'));
    });
    return held;
  }

  async function letExpire(id: RequestId): Promise<void> {
    await changeRequest(approvals, id, (request) =>
      request.state === 'open' && now() >= request.expiresAt
        ? { ...request, state: 'decided', decision: { verdict: 'expired', comment: '', at: now() } }
        : undefined,
    );
  }

  async function remind(id: RequestId): Promise<void> {
    const reminded = await changeRequest(approvals, id, (request) =>
      request.state === 'open' && !request.isReminded && now() >= request.remindAt ? { ...request, isReminded: true } : undefined,
    );
    if (reminded) await notifier.remind(reminded).catch((error: unknown) => log.warn({ error, request: id.id }, 'no reminder'));
  }

  /** What was decided, whatever a crash may have left of it. */
  async function carryOut(request: ApprovalRequest, prepared: Prepared | undefined): Promise<ApprovalRequest> {
    const { decision, startedAt } = request;
    if (decision === undefined) return request;
    if (startedAt === undefined) await putOnRecord(request, decision);
    if (decision.verdict !== 'approved' || decision.by === undefined) return close(request, { kind: 'not run', message: '' });

    const operation = operationNamed(request.operation);
    if (startedAt !== undefined && operation?.makesNew) return close(request, { kind: 'unknown', message: cutShort });
    const ready = prepared ? ({ kind: 'ready', ...prepared } as const) : await deps.prepare(request, decision.by);
    if (startedAt !== undefined) {
      const isGone = ready.kind === 'gone' && operation?.access === 'destructive';
      if (isGone || (ready.kind === 'ready' && operation?.isDone?.(ready.input))) return close(request, { kind: 'done', message: 'It is done.' });
    }
    if (ready.kind !== 'ready') return reopen(request, decision.by, ready.message);
    return run(request, ready, decision.by);
  }

  async function run(request: ApprovalRequest, prepared: Prepared, by: string): Promise<ApprovalRequest> {
    await changeRequest(approvals, request, (last) => ({ ...last, startedAt: last.startedAt ?? now() }));
    const ran = await deps.runApproved(request, prepared, by);
    if (ran.kind === 'failed') return reopen(request, by, ran.message);
    const { result } = ran;
    const closed = await close(request, { kind: 'done', message: result?.kind === 'done' ? result.message : 'It is done.' });
    if (result?.kind === 'done' && result.password) {
      await notifier
        .postEphemeralPassword(request, result.password)
        .catch((error: unknown) => log.error({ error, request: request.id }, 'the new password could not be shown: set another one in the quiz service'));
    }
    return closed;
  }

  /** A failed run is no decision: the request can be decided again, until it expires. */
  async function reopen(request: ApprovalRequest, by: string, message: string): Promise<ApprovalRequest> {
    return changeRequest(approvals, request, (last) => ({
      ...last,
      state: 'open',
      decision: undefined,
      startedAt: undefined,
      failures: last.failures + 1,
      lastFailure: { message, by, at: now() },
    }));
  }

  async function close(request: ApprovalRequest, outcome: Omit<NonNullable<ApprovalRequest['outcome']>, 'at'>): Promise<ApprovalRequest> {
    return changeRequest(approvals, request, (last) => ({ ...last, state: 'closed', outcome: { ...outcome, at: now() } }));
  }

  async function putOnRecord({ id, teamId, operation, asked }: ApprovalRequest, decision: Decision): Promise<void> {
    await deps.audit(teamId, {
      at: now(),
      correlationId: deps.newCorrelationId(),
      by: decision.by,
      operation,
      action: decision.verdict,
      through: 'approval',
      targets: asked.targets,
      details: asked.details,
      request: id,
      ...(decision.comment && { message: decision.comment }),
    });
  }

  return {
    one,
    async all(teamId) {
      for (const request of await approvals.pending(teamId)) {
        await one(request).catch((error: unknown) => log.error({ error, request: request.id }, 'request not tended'));
      }
    },
  };
}
