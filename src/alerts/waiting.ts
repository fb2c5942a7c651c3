import type { Outbox } from '../storage/storage.ts';
import type { Subscription } from '../domain/subscription.ts';
import { channelQueue, digestQueue } from './queue-names.ts';

/** Looking at more entries of a queue would tell nobody more. */
const lookedAtInQueue = 1_000;

/** The queues in which something can wait for a subscription. */
export function queuesOf({ teamId, channelId, delivery, id }: Subscription): string[] {
  return [channelQueue(teamId, channelId), ...(delivery.kind === 'digest' ? [digestQueue(teamId, id)] : [])];
}

/** How many entries are kept for a subscription and not posted yet, among the first of its queues. */
export async function countWaiting(outbox: Pick<Outbox, 'waiting'>, subscription: Subscription): Promise<number> {
  const entries = await Promise.all(queuesOf(subscription).map((queue) => outbox.waiting(queue, { limit: lookedAtInQueue })));
  return entries.flat().filter(({ subscriptionId }) => subscriptionId === subscription.id).length;
}
