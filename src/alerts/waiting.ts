import type { Outbox } from '../storage/storage.ts';
import type { Subscription } from '../domain/subscription.ts';
import { channelLane, digestLane } from './queue-names.ts';

/** Looking at more entries of a lane would tell nobody more. */
const lookedAtInLane = 1_000;

/** The lanes in which something can wait for a subscription. */
export function lanesOf({ teamId, channelId, how, id }: Subscription): string[] {
  return [channelLane(teamId, channelId), ...(how.kind === 'digest' ? [digestLane(teamId, id)] : [])];
}

/** How many entries are kept for a subscription and not posted yet, among the first of its lanes. */
export async function countWaiting(outbox: Pick<Outbox, 'waiting'>, subscription: Subscription): Promise<number> {
  const entries = await Promise.all(lanesOf(subscription).map((lane) => outbox.waiting(lane, { limit: lookedAtInLane })));
  return entries.flat().filter(({ subscriptionId }) => subscriptionId === subscription.id).length;
}
