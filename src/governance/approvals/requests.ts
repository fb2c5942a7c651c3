import { isDeepStrictEqual } from 'node:util';
import {
  addedReason,
  type ApprovalRequest,
  type StoredRequest,
  type ChangePreview,
  type Decision,
} from '../../domain/approval-request.ts';
import { InvalidInputError, reasonField } from '../../operations/text-input.ts';
import { previewOf, changesBetween, visiblePreview, withoutAddresses } from './preview.ts';
import type { Judged } from '../perform/carry-out.ts';
import { idsOf } from '../perform/meaning.ts';
import { changeRequest, readRequest, type RequestId, type Approvals } from '../../storage/records.ts';
import { say } from '../../domain/said.ts';
import type { Keyv } from 'keyv';
import type { Decided, Decisions, Review } from '../../operations/services/records.ts';
import type { Audit } from '../audit/record.ts';
import type { Preparation, Prepare } from './prepare.ts';
import type { Reconciler } from './reconcile.ts';

/** Characters that a message has room for. */
const reasonsAtMost = 2_000;

function isGiven({ reason }: ApprovalRequest, repeated: string): boolean {
  return reason === repeated || reason.split(addedReason).includes(repeated);
}

/** What a person asks for. */
interface Asked extends Judged {
  teamId: string;
  personId: string;
  reason: string;
  /** Whether a step of a workflow asks. */
  isOfStep: boolean;
}

export type Ask = ReturnType<typeof createAsk>;

/**
 * Stores a request for a decision. A person who asks again while the request is open gets the same one. A new reason is
 * added to the earlier ones: reviewers see all of them, and no reason changes under a reviewer who has read it.
 *
 * Asking changes nothing in the quiz account, so the target comes from the directory. The reviewer sees its present state.
 */
export function createAsk(deps: {
  approvals: Approvals;
  ttlMs: number;
  now: () => number;
  newId: () => string;
  /** Called with a request that was added. */
  announceNew: (added: StoredRequest) => void;
  /** Called with a request whose messages have to change. */
  announceAgain: (changed: StoredRequest) => void;
}) {
  const { approvals, ttlMs } = deps;

  /** @returns undefined where the request is not open any more */
  async function withReason(known: StoredRequest, reason: string): Promise<ApprovalRequest | undefined> {
    const { stored, isChanged } = await changeRequest(approvals, known, (request) => {
      if (request.state !== 'open' || isGiven(request, reason)) return undefined;
      const longer = `${request.reason}${addedReason}${reason}`;
      if (longer.length > reasonsAtMost)
        throw new InvalidInputError(
          reasonField,
          say`You requested this before, and there’s no room left for this reason. Shorten it, or withdraw the earlier request.`,
        );
      return { ...request, reason: longer, reasonsAdded: (request.reasonsAdded ?? 0) + 1 };
    });
    if (isChanged) deps.announceAgain(stored);
    return stored.request.state === 'open' ? stored.request : undefined;
  }

  return async ({ teamId, personId, operation, input, reason, isOfStep, context }: Asked) => {
    const ids = idsOf(operation, input);
    const isSame = (other: ApprovalRequest) =>
      other.state === 'open' &&
      other.requesterId === personId &&
      other.operation === operation.name &&
      isDeepStrictEqual(other.input, ids);
    const waiting = (await approvals.pending(teamId)).find(isSame);
    const again = waiting && (await withReason(await readRequest(approvals, waiting), reason));
    if (again) return again;

    const asked = await previewOf(operation, input, context);
    const createdAt = deps.now();
    const request: ApprovalRequest = {
      id: deps.newId(),
      teamId,
      channelId: context.channelId,
      operation: operation.name,
      input: ids,
      requesterId: personId,
      reason,
      ...(isOfStep && { isOfStep }),
      createdAt,
      remindAt: createdAt + ttlMs / 2,
      expiresAt: createdAt + ttlMs,
      asked,
      state: 'open',
      isReminded: false,
      failures: 0,
      posts: { messages: [] },
    };
    // The same request may have been added since they were read, by another click or another instance.
    const open = await approvals.addUnlessOpen(request);
    if (open) return (await withReason(open, reason)) ?? open.request;
    deps.announceNew({ request, version: 1 });
    return request;
  };
}

/** A person and the request they review, decide or withdraw. */
interface Participant extends RequestId {
  personId: string;
}

/** What a reviewer was shown. A decision counts only for that. */
export interface Shown {
  preview: ChangePreview | null;
  failures: number;
  reason: string;
}

const noSuchRequest = say`There’s no such request.`;
/** For a form whose content may be out of date. */
export const outdatedForm = say`This form is out of date, so nothing was decided. Close it, and press the button on the request again.`;
const turnMs = 200;
const turnsAtMost = 50;

/** The decisions of each person. */
export function createDecisions(deps: {
  approvals: Approvals;
  /** By workspace, request and reviewer. */
  shown: Keyv<Shown>;
  prepare: Pick<Prepare, 'forReview' | 'forDenial' | 'forHistory'>;
  reconciler: Pick<Reconciler, 'reconcile' | 'carryOut'>;
  audit: Audit;
  allowsSelfApproval: boolean;
  now: () => number;
  /** Decides which requests expire. Never later than `now`. */
  steadyNow: () => number;
  newCorrelationId: () => string;
  sleep: (ms: number) => Promise<void>;
}): (person: Omit<Participant, 'id'>) => Decisions {
  const { approvals, shown, prepare, reconciler, now, steadyNow } = deps;
  const keyOf = ({ teamId, id, personId }: Participant) => `${teamId}:${id}:${personId}`;

  async function review(reviewer: Participant): Promise<Review> {
    const stored = await current(reviewer);
    if (stored === undefined) return refuse(reviewer, undefined, noSuchRequest);
    const { request } = stored;
    if (request.state !== 'open') return (await refuseHistory(reviewer, request)) ?? { kind: 'over', request };
    if (request.requesterId === reviewer.personId && !deps.allowsSelfApproval)
      return { kind: 'own', request: withoutTargetAddresses(request) };
    return show(reviewer, request, await prepare.forReview(request, reviewer.personId));
  }

  /** Remembers what the reviewer is shown. */
  async function show(reviewer: Participant, request: ApprovalRequest, preparation: Preparation): Promise<Review> {
    if (preparation.kind === 'refused') return refuse(reviewer, request, preparation.message);
    const preview = preparation.kind === 'ready' ? preparation.preview : null;
    await shown.set(
      keyOf(reviewer),
      { preview, failures: request.failures, reason: request.reason },
      Math.max(1, request.expiresAt - steadyNow()),
    );
    if (preparation.kind !== 'ready')
      return { kind: 'gone', request: withoutTargetAddresses(request), message: preparation.message };
    const visible = await visiblePreview(preparation.preview, preparation.context);
    return { kind: 'review', request, preview: visible, changes: changesBetween(request.asked, visible) };
  }

  async function decide(reviewer: Participant, verdict: 'approved' | 'denied', comment: string): Promise<Decided> {
    const stored = await current(reviewer);
    if (stored === undefined) return refuse(reviewer, undefined, noSuchRequest);
    const { request } = stored;
    if (request.state !== 'open') return (await refuseHistory(reviewer, request)) ?? tooLate(reviewer, request);
    const { personId } = reviewer;
    const seen = await shown.get(keyOf(reviewer));
    if (seen === undefined || seen.failures !== request.failures) {
      return refuse(reviewer, request, outdatedForm);
    }
    if (verdict === 'approved') {
      // Rights and target are checked right before the run, when everything is read from the service.
      const hasNewReason = seen.reason !== request.reason;
      if (seen.preview === null || hasNewReason) return { kind: 'changed', review: await review(reviewer) };
      return claim(reviewer, stored, { verdict, by: personId, comment, at: now(), preview: seen.preview });
    }
    const refusal = await prepare.forDenial(request, personId);
    if (refusal !== undefined) return refuse(reviewer, request, refusal);
    return claim(reviewer, stored, { verdict, by: personId, comment, at: now() });
  }

  async function withdraw(requester: Participant): Promise<Decided> {
    const stored = await current(requester);
    if (stored === undefined) return refuse(requester, undefined, noSuchRequest);
    if (stored.request.requesterId !== requester.personId)
      return refuse(requester, stored.request, say`Only the person who made this request can withdraw it.`);
    return claim(requester, stored, { verdict: 'withdrawn', by: requester.personId, comment: '', at: now() });
  }

  /** Reads the request. A request past its time expires first. */
  async function current({ teamId, id }: Participant): Promise<StoredRequest | undefined> {
    const stored = await approvals.byId(teamId, id);
    if (stored?.request.state !== 'open' || steadyNow() < stored.request.expiresAt) return stored;
    await reconciler.reconcile(stored.request);
    return approvals.byId(teamId, id);
  }

  /** Stores the decision, unless the request was decided meanwhile: of any number of attempts at the same time, one succeeds. */
  async function claim(participant: Participant, known: StoredRequest, decision: Decision): Promise<Decided> {
    const { stored, isChanged } = await changeRequest(approvals, known, (request) =>
      request.state === 'open' && steadyNow() < request.expiresAt && !isNews(request)
        ? { ...request, state: 'decided', decision }
        : undefined,
    );
    if (isChanged) return carryOut(participant, stored.request);
    return stored.request.state === 'open' && isNews(stored.request)
      ? { kind: 'changed', review: await review(participant) }
      : tooLate(participant, stored.request);

    /** Another reason was given after this reviewer’s request was read. */
    function isNews(request: ApprovalRequest): boolean {
      return decision.verdict === 'approved' && request.reason !== known.request.reason;
    }
  }

  /** Waits for another step of the request, such as its announcement, for up to 10 seconds. After that, the next sweep carries the decision out. */
  async function carryOut(participant: Participant, decided: ApprovalRequest): Promise<Decided> {
    for (let turn = 0; turn < turnsAtMost; turn += 1) {
      const carried = await reconciler.carryOut(decided);
      if (carried?.kind === 'handed back') return handBack(participant, carried.request, carried.preparation);
      if (carried) {
        await shown.delete(keyOf(participant));
        return { kind: 'decided', request: carried.request };
      }
      await deps.sleep(turnMs);
    }
    return { kind: 'decided', request: decided };
  }

  async function handBack(reviewer: Participant, request: ApprovalRequest, preparation: Preparation): Promise<Decided> {
    if (preparation.kind === 'blocked') await refuse(reviewer, request, preparation.message);
    const shownNow = await show(reviewer, request, preparation);
    return shownNow.kind === 'refused' ? shownNow : { kind: 'changed', review: shownNow };
  }

  /** How a request ended is for its requester and for people who could have decided. */
  async function refuseHistory(
    participant: Participant,
    request: ApprovalRequest,
  ): Promise<{ kind: 'refused'; message: string } | undefined> {
    const refusal = await prepare.forHistory(request, participant.personId);
    return refusal === undefined ? undefined : refuse(participant, request, refusal);
  }

  async function tooLate(participant: Participant, request: ApprovalRequest): Promise<Decided> {
    const isExpired = request.decision?.verdict === 'expired';
    await refuse(
      participant,
      request,
      isExpired ? say`This request has expired.` : say`This request was decided already.`,
    );
    return { kind: 'over', request };
  }

  async function refuse({ teamId, id, personId }: Participant, request: ApprovalRequest | undefined, message: string) {
    await deps.audit(teamId, {
      at: now(),
      correlationId: deps.newCorrelationId(),
      by: personId,
      operation: request?.operation ?? 'decide-request',
      action: 'refused',
      through: 'approval',
      targets: request?.asked.targets ?? [],
      request: id.slice(0, 100),
      message,
    });
    return { kind: 'refused', message } as const;
  }

  return (person) => ({
    review: async (id) => review({ ...person, id }),
    decide: async (id, verdict, comment) => decide({ ...person, id }, verdict, comment),
    withdraw: async (id) => withdraw({ ...person, id }),
  });
}

/** For people whose right to see the target is not known: they may have lost it, or the target is gone. */
function withoutTargetAddresses(request: ApprovalRequest): ApprovalRequest {
  return { ...request, asked: withoutAddresses(request.asked) };
}
