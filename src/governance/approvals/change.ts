import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Approvals, KeptRequest } from '../../storage/storage.ts';

/** What a request is found by. */
export type RequestId = Pick<ApprovalRequest, 'teamId' | 'id'>;

/**
 * Changes a request as it is at this very moment: `edit` sees what is kept and gives what is to be kept
 * instead, or undefined to leave it. Where somebody was faster it sees theirs.
 *
 * @returns what `edit` gave
 * @throws where there is no such request
 */
export async function changeRequest<Edited extends ApprovalRequest | undefined>(
  approvals: Approvals,
  id: RequestId,
  edit: (request: ApprovalRequest) => Edited,
): Promise<Edited> {
  for (;;) {
    const { request, version } = await keptRequest(approvals, id);
    const changed = edit(request);
    if (changed === undefined || (await approvals.replace(changed, version))) return changed;
  }
}

/** The request as it is kept. Requests are never deleted. @throws where there is no such request */
export async function keptRequest(approvals: Approvals, { teamId, id }: RequestId): Promise<KeptRequest> {
  const kept = await approvals.byId(teamId, id);
  if (kept === undefined) throw new Error(`there is no request ${id}`);
  return kept;
}
