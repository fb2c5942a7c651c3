import type { OneAtATime } from '../../durable/one-at-a-time.ts';
import type { ApprovalRequest, StoredRequest } from '../../domain/approval-request.ts';
import type { Log } from '../../observability/log.ts';
import type { Approvals } from '../../storage/storage.ts';
import { isBehind, type Announce } from './announce.ts';
import { readRequest, type RequestId } from '../../durable/stored-request.ts';

/**
 * Announces a request while its lease is held. A request that cannot be announced stays due: the next sweep tries again.
 * @param isFirst as for `Announce`
 */
type AnnounceLeased = (stored: StoredRequest, isFirst: boolean) => Promise<ApprovalRequest>;

/**
 * Reads a request and works on it, unless another step of any instance does so already.
 *
 * A step that finds the lease taken leaves its messages to the step that has it. That one reads the request again after it
 * has released the lease: what was stored before a refused step asked for the lease is stored by then, and is shown. Where
 * the platform failed, the next sweep shows it: a message without an answer may still arrive, and can be found by then.
 *
 * @returns undefined if another step is working on the request
 */
type WithRequestLease = <Value>(
  id: RequestId,
  work: (stored: StoredRequest, announce: AnnounceLeased) => Promise<Value>,
) => Promise<Value | undefined>;

export function createWithRequestLease(deps: {
  approvals: Approvals;
  oneAtATime: OneAtATime;
  announce: Announce;
  log: Log;
}): WithRequestLease {
  const { approvals, log } = deps;

  const withRequestLease: WithRequestLease = async ({ teamId, id }, work) => {
    let [isHeld, hasFailed] = [false, false];
    const announce: AnnounceLeased = async (stored, isFirst) => {
      try {
        return (await deps.announce(stored, { isFirst })).request;
      } catch (error) {
        hasFailed = true;
        log.warn({ error, request: id }, 'request not announced yet');
        return stored.request;
      }
    };
    try {
      const turn = await deps.oneAtATime.unlessBusy(`request:${teamId}:${id}`, async () => {
        isHeld = true;
        return work(await readRequest(approvals, { teamId, id }), announce);
      });
      return turn.isBusy ? undefined : turn.value;
    } finally {
      if (isHeld && !hasFailed) await showRest({ teamId, id });
    }
  };

  /** Never rejects: the work is done, and the next sweep shows the rest. */
  async function showRest(id: RequestId): Promise<void> {
    try {
      const stored = await approvals.byId(id.teamId, id.id);
      if (stored !== undefined && isBehind(stored.request))
        await withRequestLease(id, (last, announce) => announce(last, false));
    } catch (error) {
      log.warn({ error, request: id.id }, 'request not announced yet');
    }
  }

  return withRequestLease;
}
