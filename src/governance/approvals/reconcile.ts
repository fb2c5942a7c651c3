import type { OneAtATime } from '../../storage/leases.ts';
import type { ApprovalRequest, ChangePreview, Decision, StoredRequest } from '../../domain/approval-request.ts';
import type { Log } from '../../observability/log.ts';
import { operationNamed } from '../../operations/catalog.ts';
import { failedWith, turnAfter } from '../../quiz-api/errors.ts';
import { StoreAwayError } from '../../storage/storage.ts';
import type { Audit } from '../audit/record.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { CallsOfTurn, UserProtection } from '../rights/user-protection.ts';
import { type Announce, type Notifier, isBehind } from './announce.ts';
import type { Preparation, Prepare } from './prepare.ts';
import type { RunApproved, RunResult } from '../perform/carry-out.ts';
import { type RequestId, changeRequest, replaceRequest, readRequest, type Approvals } from '../../storage/records.ts';
import { say, inEnglishThroughout } from '../../domain/said.ts';

export type Reconciler = ReturnType<typeof createReconciler>;

type CarriedOut =
  | { kind: 'carried out'; request: ApprovalRequest }
  /** Nothing was run, and the request is open again: `preparation` says why. */
  | { kind: 'handed back'; request: ApprovalRequest; preparation: Preparation };

/** Undefined if this instance lost its lease and another took the request over. */
type Carried = { stored: StoredRequest } | { handedBack: Preparation; why: string; by: string } | undefined;

const changed = say`What this is about changed after it was approved.`;
const cutShort = say`The bot stopped while carrying this out. Check whether it was done before you request it again.`;

/** How long a change and the reads before it may wait, for their turns or for the store. After that, everything is read again. */
const checkedForMs = 2_000;
const checksAtMost = 3;

/** Does what is due for requests. One step of one instance works on a request at a time. */
export function createReconciler(deps: {
  approvals: Approvals;
  oneAtATime: OneAtATime;
  prepare: Pick<Prepare, 'forRun'>;
  runApproved: RunApproved;
  userProtection: Pick<UserProtection, 'inTurn'>;
  announce: Announce;
  notifier: Pick<Notifier, 'remind'>;
  passwords: Pick<Passwords, 'offerAfterApproval'>;
  audit: Audit;
  now: () => number;
  /** Decides which requests expire. Never later than `now`. */
  steadyNow: () => number;
  newCorrelationId: () => string;
  sleep: (ms: number) => Promise<void>;
  log: Log;
}) {
  const { approvals, notifier, now, log } = deps;
  const withRequestLease = createWithRequestLease(deps);

  /** Lets an open request expire, or reminds of it. */
  async function passTime(stored: StoredRequest): Promise<StoredRequest> {
    const time = deps.steadyNow();
    const passed = await changeRequest(approvals, stored, (request) => {
      if (request.state !== 'open') return undefined;
      if (time >= request.expiresAt)
        return { ...request, state: 'decided', decision: { verdict: 'expired', comment: '', at: time } };
      return request.isReminded || time < request.remindAt ? undefined : { ...request, isReminded: true };
    });
    const { request } = passed.stored;
    if (passed.isChanged && request.state === 'open') {
      await notifier.remind(request).catch((error: unknown) => log.warn({ error, request: request.id }, 'no reminder'));
    }
    return passed.stored;
  }

  /** Runs a decided request if it was approved, and closes it. A crash may have cut an earlier attempt short at any point. */
  async function carry(stored: StoredRequest, decision: Decision, turn: CallsOfTurn = {}): Promise<Carried> {
    const { request } = stored;
    const { by } = decision;
    const isFirstRun = request.startedAt === undefined;
    if (decision.verdict !== 'approved' || by === undefined) {
      if (isFirstRun) await putOnRecord(request, decision);
      return { stored: await close(stored, { kind: 'not run', message: '' }) };
    }
    const operation = operationNamed(request.operation);
    if (!isFirstRun && operation?.makesNew)
      return { stored: await close(stored, { kind: 'unknown', message: cutShort }) };

    let current = stored;
    let isOnRecord = !isFirstRun;
    for (let checks = 1; ; checks += 1) {
      const carried = await checkAndRun(by);
      if (carried === undefined || !('late' in carried)) return carried;
      if (checks === checksAtMost) throw carried.late;
      await deps.sleep(Math.max(0, (turnAfter(carried.late) ?? 0) - now()));
    }

    /** `late`: nothing was sent, because what was checked would have been too old by then. */
    async function checkAndRun(reviewerId: string): Promise<Carried | { late: Error }> {
      const options = { turns: { waitLeftMs: checkedForMs }, ...turn };
      const preparation = await deps.prepare.forRun(request, reviewerId, options).catch(asLate);
      if ('late' in preparation) return preparation;
      if (preparation.kind === 'void') {
        await recordDecision();
        await putOnRecord(request, decision, { action: 'failed', why: preparation.message });
        return {
          stored: await close(
            current,
            isFirstRun ? { kind: 'not run', message: preparation.message } : { kind: 'unknown', message: cutShort },
          ),
        };
      }
      const isGone = preparation.kind === 'gone' && operation?.access === 'destructive';
      const isDone =
        preparation.kind === 'ready' && operation?.isDone?.(preparation.input, preparation.context.directory);
      if (!isFirstRun && (isGone || isDone))
        return { stored: await close(current, { kind: 'done', message: say`It is done.` }) };
      if (preparation.kind !== 'ready') return { handedBack: preparation, why: preparation.message, by: reviewerId };
      if (decision.preview === undefined || !isSamePreview(decision.preview, preparation.preview)) {
        return { handedBack: preparation, why: isFirstRun ? changed : `${changed} ${cutShort}`, by: reviewerId };
      }
      const checkedAt = now();
      await recordDecision();
      const started = await replaceRequest(approvals, current, { ...request, startedAt: request.startedAt ?? now() });
      if (started === undefined) return undefined;
      const isOld = now() - checkedAt > checkedForMs;
      const ran = isOld
        ? ({ kind: 'late', error: new StoreAwayError(new Error('it is too slow')) } as const)
        : await deps.runApproved(request, preparation, reviewerId);
      if (ran.kind === 'failed') return { stored: await fail(started, { message: ran.message, by: reviewerId }) };
      if (ran.kind === 'done') return { stored: await closeDone(started, ran, reviewerId) };
      current = await change(started, (last) => ({ ...last, startedAt: request.startedAt }));
      return { late: ran.error };
    }

    async function recordDecision(): Promise<void> {
      if (!isOnRecord) await putOnRecord(request, decision);
      isOnRecord = true;
    }
  }

  /** Carries a decision out, in a turn of its own where it may take rights from a user. */
  async function carryInTurn(stored: StoredRequest, decision: Decision): Promise<Carried> {
    const { teamId, operation: name } = stored.request;
    const operation = operationNamed(name);
    if (decision.verdict !== 'approved' || operation === undefined) return carry(stored, decision);
    return deps.userProtection.inTurn(operation, teamId, (turn) => carry(stored, decision, turn));
  }

  async function closeDone(
    started: StoredRequest,
    { result }: Extract<RunResult, { kind: 'done' }>,
    by: string,
  ): Promise<StoredRequest> {
    if (result?.kind !== 'done') return close(started, { kind: 'done', message: say`It is done.` });
    const { request } = started;
    const passwordOffer =
      result.passwordOf &&
      (await deps.passwords.offerAfterApproval(request, by, result.passwordOf).catch((error: unknown) => {
        // The change is made: an offer that fails must not make it look failed.
        log.error(
          { error, request: request.id },
          'a new password could not be offered: /quiz-user reset-password offers another',
        );
        return undefined;
      }));
    return close(started, {
      kind: 'done',
      message: result.message,
      ...(result.created && { createdId: result.created.user_id }),
      ...(passwordOffer && { passwordOffer }),
    });
  }

  /** Opens a request again after a failed run. */
  async function fail(stored: StoredRequest, failure: { message: string; by: string }): Promise<StoredRequest> {
    return change(stored, (last) => ({
      ...reopened(last),
      failures: last.failures + 1,
      lastFailure: { ...failure, at: now() },
    }));
  }

  /** Takes back an approval, unless its run was started. */
  async function takeBack(stored: StoredRequest): Promise<StoredRequest> {
    const { stored: open } = await changeRequest(approvals, stored, (last) =>
      last.decision?.verdict === 'approved' && last.startedAt === undefined ? reopened(last) : undefined,
    );
    return open;
  }

  async function close(
    stored: StoredRequest,
    outcome: Omit<NonNullable<ApprovalRequest['outcome']>, 'at'>,
  ): Promise<StoredRequest> {
    return change(stored, (last) => ({ ...last, state: 'closed', outcome: { ...outcome, at: now() } }));
  }

  async function change(
    stored: StoredRequest,
    edit: (request: ApprovalRequest) => ApprovalRequest,
  ): Promise<StoredRequest> {
    return (await changeRequest(approvals, stored, edit)).stored;
  }

  async function putOnRecord(
    { id, teamId, operation, asked }: ApprovalRequest,
    { by, verdict, comment }: Decision,
    instead?: { action: 'refused' | 'failed'; why: string },
  ): Promise<void> {
    const message = instead?.why ?? comment;
    await deps.audit(teamId, {
      at: now(),
      correlationId: deps.newCorrelationId(),
      by,
      operation,
      ...(asked.action !== undefined && { change: asked.action }),
      action: instead?.action ?? verdict,
      through: 'approval',
      targets: asked.targets,
      details: asked.details,
      request: id,
      ...(message && { message }),
    });
  }

  /**
   * Lets a request expire, reminds of it, runs what was approved and announces it: on time, and after a crash.
   *
   * @returns the request after that; undefined if another step is working on it
   */
  async function reconcile(id: RequestId): Promise<ApprovalRequest | undefined> {
    return withRequestLease(id, async (stored, announce) => {
      const passed = await passTime(stored);
      const { request } = passed;
      if (request.state !== 'decided' || request.decision === undefined) return announce(passed, false);
      const carried = await carryInTurn(passed, request.decision);
      if (carried === undefined) return undefined;
      if ('stored' in carried) return announce(carried.stored, true);
      await putOnRecord(request, request.decision, { action: 'refused', why: carried.why });
      return announce(await fail(passed, { message: carried.why, by: carried.by }), true);
    });
  }

  return {
    reconcile,
    /** Announces a request that was just added. */
    async announceNew(added: StoredRequest): Promise<void> {
      await withRequestLease(added.request, (stored, announce) => announce(stored, stored.version === added.version));
    },
    /** Carries out a decision while the reviewer waits for it. @returns undefined likewise */
    async carryOut(id: RequestId): Promise<CarriedOut | undefined> {
      return withRequestLease(id, async (stored, announce): Promise<CarriedOut | undefined> => {
        const { request } = stored;
        if (request.state !== 'decided' || request.decision === undefined) return { kind: 'carried out', request };
        const carried = await carryInTurn(stored, request.decision).catch(async (error: unknown) => {
          // If the service could not be asked, the reviewer sees that, and can approve again.
          await takeBack(stored);
          throw error;
        });
        if (carried === undefined) return undefined;
        if ('stored' in carried) return { kind: 'carried out', request: await announce(carried.stored, true) };
        return { kind: 'handed back', request: (await takeBack(stored)).request, preparation: carried.handedBack };
      });
    },
    /** Reconciles every request that is not history yet. */
    async sweep(teamId: string): Promise<void> {
      for (const request of await approvals.pending(teamId)) {
        await reconcile(request).catch((error: unknown) =>
          log.error({ error, request: request.id }, 'request not reconciled'),
        );
      }
    },
  };
}

function asLate(error: unknown): { late: Error } {
  if (failedWith(error, 'hadNoTurn')) return { late: error };
  throw error;
}

function reopened(request: ApprovalRequest): ApprovalRequest {
  return { ...request, state: 'open', decision: undefined, startedAt: undefined };
}

/** Previews are compared as they are stored: in JSON. Those that were stored before version 1.8 have no marks (`domain/said.ts`). */
function isSamePreview(approved: ChangePreview, present: ChangePreview): boolean {
  return JSON.stringify(inEnglishThroughout(approved)) === JSON.stringify(inEnglishThroughout(present));
}

/**
 * Announces a request while its lease is held. A request that cannot be announced stays due: the next sweep tries again.
 * @param isFirst as for `Announce`
 */
type AnnounceLeased = (stored: StoredRequest, isFirst: boolean) => Promise<ApprovalRequest>;

/**
 * Reads a request and works on it, unless another step of any instance does so already.
 *
 * A step that finds the lease taken leaves its messages to the step that has it. That one reads the request again after it
 * has released the lease: what was stored before a refused step asked for the lease is stored by then, and is shown. Where
 * the platform failed, the next sweep shows it: a message without an answer may still arrive, and can be found by then.
 *
 * @returns undefined if another step is working on the request
 */
export function createWithRequestLease(deps: {
  approvals: Approvals;
  oneAtATime: OneAtATime;
  announce: Announce;
  log: Log;
}) {
  const { approvals, log } = deps;

  async function withRequestLease<Value>(
    { teamId, id }: RequestId,
    work: (stored: StoredRequest, announce: AnnounceLeased) => Promise<Value>,
  ): Promise<Value | undefined> {
    let [isHeld, hasFailed] = [false, false];
    const announce: AnnounceLeased = async (stored, isFirst) => {
      try {
        return (await deps.announce(stored, { isFirst })).request;
      } catch (error) {
        hasFailed = true;
        log.warn({ error, request: id }, 'request not announced yet');
        return stored.request;
      }
    };
    try {
      const turn = await deps.oneAtATime.unlessBusy(`request:${teamId}:${id}`, async () => {
        isHeld = true;
        return work(await readRequest(approvals, { teamId, id }), announce);
      });
      return turn.isBusy ? undefined : turn.value;
    } finally {
      if (isHeld && !hasFailed) await showRest({ teamId, id });
    }
  }

  /** Never rejects: the work is done, and the next sweep shows the rest. */
  async function showRest(id: RequestId): Promise<void> {
    try {
      const stored = await approvals.byId(id.teamId, id.id);
      if (stored !== undefined && isBehind(stored.request))
        await withRequestLease(id, (last, announce) => announce(last, false));
    } catch (error) {
      log.warn({ error, request: id.id }, 'request not announced yet');
    }
  }

  return withRequestLease;
}
