import { isDeepStrictEqual } from 'node:util';
import { addedReason, type ApprovalRequest, type StoredRequest } from '../../domain/approval-request.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField } from '../../operations/text-input.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Approvals } from '../../storage/storage.ts';
import { previewOf } from './preview.ts';
import { idsOf, type OperationInput } from '../perform/meaning.ts';
import { changeRequest, readRequest } from '../../durable/shared-state.ts';
import { say } from '../../domain/said.ts';

/** Characters that a message has room for. */
const reasonsAtMost = 2_000;

function isGiven({ reason }: ApprovalRequest, repeated: string): boolean {
  return reason === repeated || reason.split(addedReason).includes(repeated);
}

/**
 * Stores a request for a decision. A person who asks again while the request is open gets the same one. A new reason is
 * added to the earlier ones: reviewers see all of them, and no reason changes under a reviewer who has read it.
 *
 * Asking changes nothing in the quiz account, so the target comes from the directory. The reviewer sees its present state.
 */
export type Ask = (asked: {
  teamId: string;
  personId: string;
  operation: Operation;
  input: OperationInput;
  reason: string;
  /** Whether a step of a workflow asks. */
  isOfStep: boolean;
  context: OperationContext;
}) => Promise<ApprovalRequest>;

export function createAsk(deps: {
  approvals: Approvals;
  ttlMs: number;
  now: () => number;
  newId: () => string;
  /** Called with a request that was added. */
  announceNew: (added: StoredRequest) => void;
  /** Called with a request whose messages have to change. */
  announceAgain: (changed: StoredRequest) => void;
}): Ask {
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

  return async ({ teamId, personId, operation, input, reason, isOfStep, context }) => {
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
