import type { NewQueueEntry } from '../domain/queue-entry.ts';
import type { Outbox } from '../storage/storage.ts';
import type { Approvals } from '../storage/records.ts';
import { changeState } from '../storage/records.ts';
import type { Mail } from './mail.ts';
import type { ApprovalRequest, StoredRequest } from '../domain/approval-request.ts';

export type SharedState = ReturnType<typeof createSharedState>;

/** States that no machine has for itself: each change starts from what the state is then. */
export function createSharedState({
  outbox,
  mail,
}: {
  outbox: Pick<Outbox, 'stateOf' | 'commit'>;
  mail: Pick<Mail, 'wake'>;
}) {
  return {
    read: async <State>(queue: string) => (await outbox.stateOf<State>(queue)).state,
    /** Keeps the changed state and puts entries into mailboxes in one step. `change` runs again where another has changed it meanwhile. */
    async change<State>(
      queue: string,
      change: (state: State | undefined) => { state: State; put?: readonly NewQueueEntry[] },
    ): Promise<void> {
      let sent: readonly NewQueueEntry[] = [];
      await changeState<State>(outbox, queue, (known) => {
        const { state, put = [] } = change(known);
        sent = put;
        return { state, put, isBusy: false };
      });
      return mail.wake(sent);
    },
  };
}

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
