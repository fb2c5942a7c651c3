import type { Keyv } from 'keyv';
import type { ApprovalRequest, Decision, Prospect } from '../../domain/approval-request.ts';
import type { Approvals } from '../../storage/storage.ts';
import type { Audit } from '../audit.ts';
import { changeRequest, keptRequest, type RequestId } from './change.ts';
import { changesBetween, withoutAddresses } from './preview.ts';
import type { Preparation, Prepare, Prepared } from './prepare.ts';
import type { Tend } from './reconcile.ts';

/** What somebody who looks at a request is shown. */
export type Review =
  | { kind: 'review'; request: ApprovalRequest; prospect: Prospect; changes: readonly string[] }
  /** What it is about is gone: it can only be denied. */
  | { kind: 'gone'; request: ApprovalRequest; sentence: string }
  /** The requester's own, which they can withdraw. */
  | { kind: 'own'; request: ApprovalRequest }
  /** Decided already. */
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; sentence: string };

export type Decided =
  /** The decision counted; the request says what came of it. */
  | { kind: 'decided'; request: ApprovalRequest }
  /** Things are not as they were shown: this is how they are, and nothing was decided. */
  | { kind: 'changed'; review: Review }
  | { kind: 'over'; request: ApprovalRequest }
  | { kind: 'refused'; sentence: string };

/** Somebody and the request they act on. */
export interface Acting extends RequestId {
  slackId: string;
}

export interface Decisions {
  /** @throws QuizApiError where the service cannot be asked */
  review(acting: Acting): Promise<Review>;
  /** Takes effect once, whoever decides at the same time on whatever instance. @throws QuizApiError likewise */
  decide(acting: Acting & { verdict: 'approved' | 'denied'; comment: string }): Promise<Decided>;
  withdraw(acting: Acting): Promise<Decided>;
}

/** What a reviewer was shown, so that they decide on that and nothing else. */
export interface Shown {
  prospect: Prospect | null;
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
  tend: Tend;
  audit: Audit;
  allowsSelfApproval: boolean;
  now: () => number;
  newReference: () => string;
  sleep: (ms: number) => Promise<void>;
}): Decisions {
  const { approvals, shown, prepare, tend, now } = deps;
  const keyOf = ({ teamId, id, slackId }: Acting) => `${teamId}:${id}:${slackId}`;

  async function review(acting: Acting): Promise<Review> {
    const request = await current(acting);
    if (request === undefined) return refuse(acting, undefined, noSuchRequest);
    if (request.state !== 'open') return { kind: 'over', request };
    if (request.requesterId === acting.slackId && !deps.allowsSelfApproval) return { kind: 'own', request };
    return reviewOf(acting, request, await prepare(request, acting.slackId));
  }

  /** Gives what is shown, and remembers that it was. */
  async function reviewOf(acting: Acting, request: ApprovalRequest, preparation: Preparation): Promise<Review> {
    if (preparation.kind === 'refused') return refuse(acting, request, preparation.sentence);
    const prospect = preparation.kind === 'ready' ? preparation.prospect : null;
    await shown.set(keyOf(acting), { prospect, failures: request.failures }, Math.max(1, request.expiresAt - now()));
    if (preparation.kind === 'gone') return { kind: 'gone', request, sentence: preparation.sentence };
    const visible = preparation.world.rights.has('manage_users') ? preparation.prospect : withoutAddresses(preparation.prospect);
    return { kind: 'review', request, prospect: visible, changes: changesBetween(request.asked, visible) };
  }

  async function decide(acting: Acting & { verdict: 'approved' | 'denied'; comment: string }): Promise<Decided> {
    const request = await current(acting);
    if (request === undefined) return refuse(acting, undefined, noSuchRequest);
    if (request.state !== 'open') return tooLate(acting, request);
    const seen = await shown.get(keyOf(acting));
    if (seen === undefined || seen.failures !== request.failures) {
      return refuse(acting, request, 'This form is out of date, so nothing was decided. Press Review again.');
    }
    const preparation = await prepare(request, acting.slackId);
    if (preparation.kind === 'refused') return refuse(acting, request, preparation.sentence);
    if (acting.verdict === 'approved' && (preparation.kind !== 'ready' || !isSameProspect(seen.prospect, preparation.prospect))) {
      return { kind: 'changed', review: await reviewOf(acting, request, preparation) };
    }
    const decision = { verdict: acting.verdict, by: acting.slackId, comment: acting.comment, at: now() };
    if (!(await claim(acting, decision))) return tooLate(acting, request);
    await shown.delete(keyOf(acting));
    return carryOut(acting, preparation.kind === 'ready' ? preparation : undefined);
  }

  async function withdraw(acting: Acting): Promise<Decided> {
    const request = await current(acting);
    if (request === undefined) return refuse(acting, undefined, noSuchRequest);
    if (request.requesterId !== acting.slackId) return refuse(acting, request, 'Only who asked for this can withdraw it.');
    if (!(await claim(acting, { verdict: 'withdrawn', by: acting.slackId, comment: '', at: now() }))) return tooLate(acting, request);
    return carryOut(acting);
  }

  /** The request as it is; one whose time is over has expired, even if nobody has noticed yet. */
  async function current(acting: Acting): Promise<ApprovalRequest | undefined> {
    const kept = await approvals.byId(acting.teamId, acting.id);
    if (kept?.request.state !== 'open' || now() < kept.request.expiresAt) return kept?.request;
    await tend.one(kept.request);
    return (await keptRequest(approvals, acting)).request;
  }

  /** The one step that decides: of any number who try, one succeeds. */
  async function claim(acting: Acting, decision: Decision): Promise<boolean> {
    const claimed = await changeRequest(approvals, acting, (request) =>
      request.state === 'open' && now() < request.expiresAt ? { ...request, state: 'decided', decision } : undefined,
    );
    return claimed !== undefined;
  }

  /** Somebody may just be tending the request, to remind or to announce it: then it is carried out after that, or by them. */
  async function carryOut(acting: Acting, prepared?: Prepared): Promise<Decided> {
    for (let turn = 0; turn < turnsAtMost && !(await tend.one(acting, prepared)); turn += 1) await deps.sleep(turnMs);
    return { kind: 'decided', request: (await keptRequest(approvals, acting)).request };
  }

  async function tooLate(acting: Acting, request: ApprovalRequest): Promise<Decided> {
    await refuse(acting, request, 'It was decided already.');
    return { kind: 'over', request: (await keptRequest(approvals, acting)).request };
  }

  async function refuse({ teamId, id, slackId }: Acting, request: ApprovalRequest | undefined, sentence: string) {
    await deps.audit(teamId, {
      at: now(),
      reference: deps.newReference(),
      by: slackId,
      operation: request?.operation ?? 'decide-request',
      action: 'refused',
      through: 'approval',
      targets: request?.asked.targets ?? [],
      request: id.slice(0, 100),
      sentence,
    });
    return { kind: 'refused', sentence } as const;
  }

  return { review, decide, withdraw };
}

function isSameProspect(seen: Prospect | null, now: Prospect): boolean {
  return JSON.stringify(seen) === JSON.stringify(now);
}
