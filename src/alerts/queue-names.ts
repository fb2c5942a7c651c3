import type { Subscription } from '../domain/subscription.ts';

/** Events that wait in the inbox. */
export const inboxQueue = 'inbox';
/** Looks for submissions without a webhook. */
export const backfillQueue = 'backfill';
/** Wakes the other queues regularly, and drops what is too old. */
export const sweepQueue = 'sweep';

/** What waits for a channel. */
export function channelQueue(teamId: string, channelId: string): string {
  return `channel/${teamId}/${channelId}`;
}

/** What waits for a subscription's next digest. */
export function digestQueue(teamId: string, subscriptionId: string): string {
  return `digest/${teamId}/${subscriptionId}`;
}

/** The queues in which something can wait for a subscription. */
export function queuesOf({ teamId, channelId, delivery, id }: Subscription): string[] {
  return [channelQueue(teamId, channelId), ...(delivery.kind === 'digest' ? [digestQueue(teamId, id)] : [])];
}

/** The purpose of a queue; `id` is that of the channel or the subscription. */
export function readQueue(queue: string): { kind: string; teamId: string; id: string } {
  const [kind = '', teamId = '', id = ''] = queue.split('/');
  return { kind, teamId, id };
}
