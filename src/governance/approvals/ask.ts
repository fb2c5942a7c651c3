import { isDeepStrictEqual } from 'node:util';
import { InvalidInputError } from '../../operations/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Approvals } from '../../storage/storage.ts';
import { previewOf, idsOf, refetch, type OperationInput } from './preview.ts';

/** Keeps what somebody wants done until somebody else decides. Asking again for what waits already gives the same request. */
export type Ask = (asking: {
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
  /** Hears of a new request. */
  onAsked: (request: ApprovalRequest) => void;
}): Ask {
  const { approvals, ttlMs } = deps;

  return async ({ teamId, personId, operation, input, reason, context }) => {
    const ids = idsOf(operation, input);
    const isSame = (other: ApprovalRequest) =>
      other.state === 'open' && other.requesterId === personId && other.operation === operation.name && isDeepStrictEqual(other.input, ids);
    const waiting = (await approvals.pending(teamId)).find(isSame);
    if (waiting) return waiting;

    const looked = await refetch(operation, input, context);
    if ('gone' in looked) throw new InvalidInputError(looked.field, `“${looked.gone.name}” is not in the quiz account any more.`);
    const asked = await previewOf(operation, looked.input, context);
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
    deps.onAsked(request);
    return request;
  };
}
