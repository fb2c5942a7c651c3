import type { ApprovalRequest, StoredRequest } from '../domain/approval-request.ts';
import type { Approvals } from '../storage/storage.ts';

/** What a request is found by. */
export type RequestId = Pick<ApprovalRequest, 'teamId' | 'id'>;

/** Reads a request. Requests are never deleted. @throws if there is no such request */
export async function readRequest(approvals: Approvals, { teamId, id }: RequestId): Promise<StoredRequest> {
  const stored = await approvals.byId(teamId, id);
  if (stored === undefined) throw new Error(`there is no request ${id}`);
  return stored;
}

/**
 * Changes a request, starting from a version that was read before. If a newer version was written meanwhile, that is
 * read and edited instead.
 *
 * @param edit gives the request to store, or undefined to leave it as it is
 * @returns the request as it is stored now, and whether it was changed
 */
export async function changeRequest(
  approvals: Approvals,
  known: StoredRequest,
  edit: (request: ApprovalRequest) => ApprovalRequest | undefined,
): Promise<{ stored: StoredRequest; isChanged: boolean }> {
  for (let stored = known; ; stored = await readRequest(approvals, stored.request)) {
    const changed = edit(stored.request);
    if (changed === undefined) return { stored, isChanged: false };
    if (await approvals.replace(changed, stored.version))
      return { stored: { request: changed, version: stored.version + 1 }, isChanged: true };
  }
}

/** Replaces a request only if it is still as it was read. @returns undefined where it is not */
export async function replaceRequest(
  approvals: Approvals,
  { version }: StoredRequest,
  request: ApprovalRequest,
): Promise<StoredRequest | undefined> {
  return (await approvals.replace(request, version)) ? { request, version: version + 1 } : undefined;
}
