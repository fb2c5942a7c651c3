import { isDeepStrictEqual } from 'node:util';
import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Approvals } from '../../storage/storage.ts';
import { idsOf, previewOf, type OperationInput } from './preview.ts';

/**
 * Stores a request for a decision. A person who asks again for an open request gets the same one.
 *
 * Asking changes nothing in the quiz account, so the target comes from the directory. The reviewer sees its present state.
 */
export type Ask = (asked: {
  teamId: string;
  personId: string;
  operation: Operation;
  input: OperationInput;
  reason: string;
  context: OperationContext;
}) => Promise<ApprovalRequest>;

export function createAsk(deps: {
  approvals: Approvals;
  ttlMs: number;
  now: () => number;
  newId: () => string;
  /** Called with a request that was added. */
  announceNew: (added: StoredRequest) => void;
}): Ask {
  const { approvals, ttlMs } = deps;

  return async ({ teamId, personId, operation, input, reason, context }) => {
    const ids = idsOf(operation, input);
    const isSame = (other: ApprovalRequest) =>
      other.state === 'open' && other.requesterId === personId && other.operation === operation.name && isDeepStrictEqual(other.input, ids);
    const waiting = (await approvals.pending(teamId)).find(isSame);
    if (waiting) return waiting;

    const asked = await previewOf(operation, input, context);
    const createdAt = deps.now();
    const request: ApprovalRequest = {
      id: deps.newId(),
      teamId,
      operation: operation.name,
      input: ids,
      requesterId: personId,
      reason,
      createdAt,
      remindAt: createdAt + ttlMs / 2,
      expiresAt: createdAt + ttlMs,
      asked,
      state: 'open',
      isReminded: false,
      failures: 0,
      posts: { messages: [] },
    };
    await approvals.add(request);
    deps.announceNew({ request, version: 1 });
    return request;
  };
}
