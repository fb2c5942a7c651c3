import { operationNamed } from '../../operations/catalog.ts';
import type { Log } from '../../observability/log.ts';
import type { ApprovalRequest } from '../../storage/approval-request.ts';
import type { Approvals, Leases } from '../../storage/storage.ts';
import type { Audit } from '../audit.ts';
import type { Perform } from '../execute.ts';
import type { Announce } from './announce.ts';
import type { Announcer } from './announcer.ts';
import { changeRequest } from './change.ts';
import type { Prepare, Prepared } from './prepare.ts';

type Id = Pick<ApprovalRequest, 'teamId' | 'id'>;

export interface Tend {
  /**
   * Does whatever is due for a request: lets it expire, reminds, runs what was decided, announces. The same
   * after a decision, on time, and after a crash. One at a time for each request, over all instances.
   *
   * @returns false where another is at it
   */
  one(id: Id, prepared?: Prepared): Promise<boolean>;
  /** Likewise for every request that is not history yet. */
  all(teamId: string): Promise<void>;
}

/** Longer than any run and its announcement take; an instance that died holds a request up for so long. */
const leaseMs = 60_000;

const cutShort = 'The bot was stopped while this was being done. It may have been done: look, before you ask for it again.';

export function createTend(deps: {
  approvals: Approvals;
  leases: Leases;
  prepare: Prepare;
  perform: Perform;
  announce: Announce;
  announcer: Announcer;
  audit: Audit;
  now: () => number;
  newReference: () => string;
  log: Log;
}): Tend {
  const { approvals, leases, announcer, now, log } = deps;
  const change = (id: Id, edit: Parameters<typeof changeRequest>[2]) => changeRequest(approvals, id, edit);

  async function one(id: Id, prepared?: Prepared): Promise<boolean> {
    const lease = `request:${id.teamId}:${id.id}`;
    if (!(await leases.take(lease, leaseMs))) return false;
    try {
      await letExpire(id);
      await remind(id);
      const kept = await approvals.byId(id.teamId, id.id);
      if (kept === undefined) return true;
      const request = kept.request.state === 'decided' ? await carryOut(kept.request, prepared) : kept.request;
      await deps.announce(request).catch((error: unknown) => log.warn({ error, request: id.id }, 'request not announced yet'));
      return true;
    } finally {
      await leases.release(lease);
    }
  }

  async function letExpire(id: Id): Promise<void> {
    await change(id, (request) =>
      request.state === 'open' && now() >= request.expiresAt
        ? { ...request, state: 'decided', decision: { verdict: 'expired', comment: '', at: now() } }
        : undefined,
    );
  }

  async function remind(id: Id): Promise<void> {
    const reminded = await change(id, (request) =>
      request.state === 'open' && !request.isReminded && now() >= request.remindAt ? { ...request, isReminded: true } : undefined,
    );
    if (reminded) await announcer.remind(reminded).catch((error: unknown) => log.warn({ error, request: id.id }, 'no reminder'));
  }

  /** What was decided, whatever a crash may have left of it. */
  async function carryOut(request: ApprovalRequest, prepared: Prepared | undefined): Promise<ApprovalRequest> {
    const { decision, startedAt } = request;
    if (decision === undefined) return request;
    if (startedAt === undefined) await putOnRecord(request);
    if (decision.verdict !== 'approved' || decision.by === undefined) return close(request, { kind: 'not run', sentence: '' });

    const operation = operationNamed(request.operation);
    if (startedAt !== undefined && operation?.makesNew) return close(request, { kind: 'unknown', sentence: cutShort });
    const ready = prepared ? ({ kind: 'ready', ...prepared } as const) : await deps.prepare(request, decision.by);
    if (startedAt !== undefined) {
      const isGone = ready.kind === 'gone' && operation?.access === 'destructive';
      if (isGone || (ready.kind === 'ready' && operation?.isDone?.(ready.input))) return close(request, { kind: 'done', sentence: 'It is done.' });
    }
    if (ready.kind !== 'ready') return reopen(request, decision.by, ready.sentence);
    return run(request, ready, decision.by);
  }

  async function run(request: ApprovalRequest, prepared: Prepared, by: string): Promise<ApprovalRequest> {
    await change(request, (last) => ({ ...last, startedAt: last.startedAt ?? now() }));
    const ran = await deps.perform(request, prepared, by);
    if (ran.kind === 'failed') return reopen(request, by, ran.sentence);
    const { result } = ran;
    const closed = await close(request, { kind: 'done', sentence: result?.kind === 'done' ? result.sentence : 'It is done.' });
    if (result?.kind === 'done' && result.password) {
      await announcer
        .whisperPassword(request, result.password)
        .catch((error: unknown) => log.error({ error, request: request.id }, 'the new password could not be shown: set another one in the quiz service'));
    }
    return closed;
  }

  /** A failed run is no decision: the request can be decided again, until it expires. */
  async function reopen(request: ApprovalRequest, by: string, sentence: string): Promise<ApprovalRequest> {
    const open = await change(request, (last) => ({
      ...last,
      state: 'open',
      decision: undefined,
      startedAt: undefined,
      failures: last.failures + 1,
      lastFailure: { sentence, by, at: now() },
    }));
    return open ?? request;
  }

  async function close(request: ApprovalRequest, outcome: Omit<NonNullable<ApprovalRequest['outcome']>, 'at'>): Promise<ApprovalRequest> {
    return (await change(request, (last) => ({ ...last, state: 'closed', outcome: { ...outcome, at: now() } }))) ?? request;
  }

  async function putOnRecord({ id, teamId, operation, asked, decision }: ApprovalRequest): Promise<void> {
    if (decision === undefined) return;
    await deps.audit(teamId, {
      at: now(),
      reference: deps.newReference(),
      by: decision.by,
      operation,
      action: decision.verdict,
      through: 'approval',
      targets: asked.targets.map((target) => ({ kind: target.kind, id: target.id, name: target.name })),
      details: asked.details,
      request: id,
      ...(decision.comment && { sentence: decision.comment }),
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
