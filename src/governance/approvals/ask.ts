import { isDeepStrictEqual } from 'node:util';
import { InvalidInputError, type Operation, type World } from '../../operations/operation.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Approvals } from '../../storage/storage.ts';
import { foresee, idsOf, lookAgain, type ReadInput } from './preview.ts';

/** Keeps what somebody wants done until somebody else decides. Asking again for what waits already gives the same request. */
export type Ask = (asking: {
  teamId: string;
  slackId: string;
  operation: Operation;
  input: ReadInput;
  reason: string;
  world: World;
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

  return async ({ teamId, slackId, operation, input, reason, world }) => {
    const ids = idsOf(input);
    const isSame = (other: ApprovalRequest) =>
      other.state === 'open' && other.requesterId === slackId && other.operation === operation.name && isDeepStrictEqual(other.input, ids);
    const waiting = (await approvals.pending(teamId)).find(isSame);
    if (waiting) return waiting;

    const looked = await lookAgain(input, world);
    if ('gone' in looked) throw new InvalidInputError(looked.field, `“${looked.gone.name}” is not in the quiz account any more.`);
    const asked = await foresee(operation, looked.input, world);
    const createdAt = deps.now();
    const request: ApprovalRequest = {
      id: deps.newId(),
      teamId,
      operation: operation.name,
      input: ids,
      requesterId: slackId,
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
