import { readQueue } from './queue-names.ts';
import type { Sources } from '../observability/scrape.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { Storage } from '../storage/storage.ts';
import { isPaused, type Subscription } from '../domain/subscription.ts';

/** What `/metrics` looks up when it is asked. */
export function createScrapeSources(deps: {
  storage: Pick<Storage, 'inbox' | 'outbox'>;
  budget: Pick<RequestBudget, 'left'>;
  openRequests: () => Promise<readonly ApprovalRequest[]>;
  subscriptions: () => Promise<readonly Subscription[]>;
  now: () => number;
}): Sources {
  const { storage: { inbox, outbox }, budget, now } = deps;
  return {
    async queues() {
      const queues = await outbox.queues();
      return queues.map(({ queue, ...waiting }) => ({ ...waiting, ...purposeOf(queue) }));
    },
    async inbox() {
      const { count, oldestAt } = await inbox.countWaiting();
      return { waiting: count, oldestAt };
    },
    budget: () => budget.left(),
    openApprovals: async () => (await deps.openRequests()).length,
    async subscriptions() {
      const all = await deps.subscriptions();
      const paused = all.filter((subscription) => isPaused(subscription, now())).length;
      return { active: all.length - paused, paused };
    },
  };
}

/** What a queue is for, and its channel where it is one's. */
function purposeOf(queue: string): { kind: string; channel?: string } {
  const { kind, id } = readQueue(queue);
  return { kind, ...(kind === 'channel' && { channel: id }) };
}
