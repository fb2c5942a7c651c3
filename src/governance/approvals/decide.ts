import type { Keyv } from 'keyv';
import type { ApprovalRequest, Decision, ChangePreview } from '../../domain/approval-request.ts';
import type { Approvals } from '../../storage/storage.ts';
import type { Audit } from '../audit.ts';
import { changeRequest, keptRequest, type RequestId } from './change.ts';
import { changesBetween, withoutAddresses } from './preview.ts';
import type { Preparation, Prepare, Prepared } from './prepare.ts';
import type { Reconciler } from './reconcile.ts';

/** What somebody who looks at a request is shown. */
export type Review =
  | { kind: 'review'; request: ApprovalRequest; preview: ChangePreview; changes: readonly string[] }
  /** What it is about is gone: it can only be denied. */
  | { kind: 'gone'; request: ApprovalRequest; message: string }
  /** The requester's own, which they can withdraw. */
  | { kind: 'own'; request: ApprovalRequest }
  /** Decided already. */
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; message: string };

export type Decided =
  /** The decision counted; the request says what came of it. */
  | { kind: 'decided'; request: ApprovalRequest }
  /** Things are not as they were shown: this is how they are, and nothing was decided. */
  | { kind: 'changed'; review: Review }
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; message: string };

/** Somebody and the request they act on. */
export interface RequestActor extends RequestId {
  personId: string;
}

export interface Decisions {
  /** @throws QuizApiError where the service cannot be asked */
  review(actor: RequestActor): Promise<Review>;
  /** Takes effect once, whoever decides at the same time on whatever instance. @throws QuizApiError likewise */
  decide(actor: RequestActor & { verdict: 'approved' | 'denied'; comment: string }): Promise<Decided>;
  withdraw(actor: RequestActor): Promise<Decided>;
}

/** What a reviewer was shown, so that they decide on that and nothing else. */
export interface Shown {
  preview: ChangePreview | null;
  failures: number;
}

const noSuchRequest = 'There is no such request here.';
const turnMs = 200;
const turnsAtMost = 50;

export function createDecisions(deps: {
  approvals: Approvals;
  /** By workspace, request and reviewer. */
  shown: Keyv<Shown>;
  prepare: Prepare;
  reconciler: Reconciler;
  audit: Audit;
  allowsSelfApproval: boolean;
  now: () => number;
  newCorrelationId: () => string;
  sleep: (ms: number) => Promise<void>;
}): Decisions {
  const { approvals, shown, prepare, reconciler, now } = deps;
  const keyOf = ({ teamId, id, personId }: RequestActor) => `${teamId}:${id}:${personId}`;

  async function review(actor: RequestActor): Promise<Review> {
    const request = await current(actor);
    if (request === undefined) return refuse(actor, undefined, noSuchRequest);
    if (request.state !== 'open') return { kind: 'over', request };
    if (request.requesterId === actor.personId && !deps.allowsSelfApproval) return { kind: 'own', request };
    return reviewOf(actor, request, await prepare(request, actor.personId));
  }

  /** Gives what is shown, and remembers that it was. */
  async function reviewOf(actor: RequestActor, request: ApprovalRequest, preparation: Preparation): Promise<Review> {
    if (preparation.kind === 'refused') return refuse(actor, request, preparation.message);
    const preview = preparation.kind === 'ready' ? preparation.preview : null;
    await shown.set(keyOf(actor), { preview, failures: request.failures }, Math.max(1, request.expiresAt - now()));
    if (preparation.kind === 'gone') return { kind: 'gone', request, message: preparation.message };
    const visible = preparation.context.rights.has('manage_users') ? preparation.preview : withoutAddresses(preparation.preview);
    return { kind: 'review', request, preview: visible, changes: changesBetween(request.asked, visible) };
  }

  async function decide(actor: RequestActor & { verdict: 'approved' | 'denied'; comment: string }): Promise<Decided> {
    const request = await current(actor);
    if (request === undefined) return refuse(actor, undefined, noSuchRequest);
    if (request.state !== 'open') return tooLate(actor, request);
    const seen = await shown.get(keyOf(actor));
    if (seen === undefined || seen.failures !== request.failures) {
      return refuse(actor, request, 'This form is out of date, so nothing was decided. Press Review again.');
    }
    const preparation = await prepare(request, actor.personId);
    if (preparation.kind === 'refused') return refuse(actor, request, preparation.message);
    if (actor.verdict === 'approved' && (preparation.kind !== 'ready' || !isSamePreview(seen.preview, preparation.preview))) {
      return { kind: 'changed', review: await reviewOf(actor, request, preparation) };
    }
    const decision = { verdict: actor.verdict, by: actor.personId, comment: actor.comment, at: now() };
    if (!(await claim(actor, decision))) return tooLate(actor, request);
    await shown.delete(keyOf(actor));
    return carryOut(actor, preparation.kind === 'ready' ? preparation : undefined);
  }

  async function withdraw(actor: RequestActor): Promise<Decided> {
    const request = await current(actor);
    if (request === undefined) return refuse(actor, undefined, noSuchRequest);
    if (request.requesterId !== actor.personId) return refuse(actor, request, 'Only who asked for this can withdraw it.');
    if (!(await claim(actor, { verdict: 'withdrawn', by: actor.personId, comment: '', at: now() }))) return tooLate(actor, request);
    return carryOut(actor);
  }

  /** The request as it is; one whose time is over has expired, even if nobody has noticed yet. */
  async function current(actor: RequestActor): Promise<ApprovalRequest | undefined> {
    const kept = await approvals.byId(actor.teamId, actor.id);
    if (kept?.request.state !== 'open' || now() < kept.request.expiresAt) return kept?.request;
    await reconciler.one(kept.request);
    return (await keptRequest(approvals, actor)).request;
  }

  /** The one step that decides: of any number who try, one succeeds. */
  async function claim(actor: RequestActor, decision: Decision): Promise<boolean> {
    const claimed = await changeRequest(approvals, actor, (request) =>
      request.state === 'open' && now() < request.expiresAt ? { ...request, state: 'decided', decision } : undefined,
    );
    return claimed !== undefined;
  }

  /** Somebody may just be tending the request, to remind or to announce it: then it is carried out after that, or by them. */
  async function carryOut(actor: RequestActor, prepared?: Prepared): Promise<Decided> {
    for (let turn = 0; turn < turnsAtMost && !(await reconciler.one(actor, prepared)); turn += 1) await deps.sleep(turnMs);
    return { kind: 'decided', request: (await keptRequest(approvals, actor)).request };
  }

  async function tooLate(actor: RequestActor, request: ApprovalRequest): Promise<Decided> {
    await refuse(actor, request, 'It was decided already.');
    return { kind: 'over', request: (await keptRequest(approvals, actor)).request };
  }

  async function refuse({ teamId, id, personId }: RequestActor, request: ApprovalRequest | undefined, message: string) {
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

  return { review, decide, withdraw };
}

function isSamePreview(seen: ChangePreview | null, now: ChangePreview): boolean {
  return JSON.stringify(seen) === JSON.stringify(now);
}
