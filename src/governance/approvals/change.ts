import type { ApprovalRequest } from '../../storage/approval-request.ts';
import type { Approvals } from '../../storage/storage.ts';

/**
 * Changes a request as it is at this very moment: `edit` sees what is kept and gives what is to be kept
 * instead, or undefined to leave it. Where somebody was faster it sees theirs.
 *
 * @returns the changed request; undefined where `edit` left it, or there is none
 */
export async function changeRequest(
  approvals: Approvals,
  { teamId, id }: Pick<ApprovalRequest, 'teamId' | 'id'>,
  edit: (request: ApprovalRequest) => ApprovalRequest | undefined,
): Promise<ApprovalRequest | undefined> {
  for (;;) {
    const kept = await approvals.byId(teamId, id);
    const changed = kept && edit(kept.request);
    if (changed === undefined) return undefined;
    if (await approvals.replace(changed, kept!.version)) return changed;
  }
}
