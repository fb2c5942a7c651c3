import type { Log } from '../../observability/log.ts';
import type { ApprovalRequest, Posts } from '../../domain/approval-request.ts';
import type { Approvals } from '../../storage/storage.ts';
import type { Notifier } from './notifier.ts';
import { changeRequest } from './change.ts';

/**
 * Brings what people see of a request up to date with it. Every step is written down before and after, and
 * a step that a crash may have cut short is looked up before it is done again.
 *
 * @throws when Slack is out of reach; what is missing is done at the next call
 */
export type Announce = (request: ApprovalRequest) => Promise<ApprovalRequest>;

export function createAnnounce(deps: { approvals: Approvals; notifier: Notifier; log: Log }): Announce {
  const { approvals, notifier, log } = deps;

  const keep = (request: ApprovalRequest, posts: Partial<Posts>): Promise<ApprovalRequest> =>
    changeRequest(approvals, request, (now) => ({ ...now, posts: { ...now.posts, ...posts } }));

  async function post(request: ApprovalRequest): Promise<ApprovalRequest> {
    const { shown, messagesIntent } = request.posts;
    if (shown !== undefined) return request;
    const found = messagesIntent ? await notifier.findPosts(request) : [];
    if (found.length > 0) return keep(request, { messages: found });
    await keep(request, { messagesIntent: true });
    const { posts, trouble } = await notifier.post(request);
    const posted = await keep(request, { messages: posts, shown: stageOf(request) });
    if (trouble !== undefined) await notifier.tellTrouble(request, trouble);
    return posted;
  }

  async function show(request: ApprovalRequest): Promise<ApprovalRequest> {
    const stage = stageOf(request);
    if (request.posts.shown === stage) return request;
    for (const message of request.posts.messages) await notifier.update(request, message);
    return keep(request, { shown: stage });
  }

  async function tell(request: ApprovalRequest): Promise<ApprovalRequest> {
    const stage = stageOf(request);
    const isNews = request.failures > 0 || request.state === 'closed';
    const knowsAlready = request.decision?.verdict === 'withdrawn' || request.posts.told === stage;
    if (!isNews || knowsAlready) return request;
    const mayKnow = request.posts.toldIntent === stage;
    await keep(request, { toldIntent: stage });
    if (!mayKnow || !(await notifier.wasTold(request, stage))) await notifier.tell(request, stage);
    return keep(request, { told: stage });
  }

  return async (request) => {
    if (request.state === 'decided' || request.state === 'announced') return request;
    let now = request;
    // Nobody needs to see a request for the first time when it is over.
    if (now.state === 'open' || now.posts.messagesIntent) now = await post(now);
    now = await show(now);
    now = await tell(now);
    if (now.state !== 'closed') return now;
    log.debug({ request: now.id, verdict: now.decision?.verdict, outcome: now.outcome?.kind }, 'request announced');
    return changeRequest(approvals, now, (last) => ({ ...last, state: 'announced' }));
  };
}

/** What people see of a request changes with this. */
function stageOf({ state, failures }: ApprovalRequest): string {
  return state === 'open' ? `open after ${failures} failures` : 'closed';
}
