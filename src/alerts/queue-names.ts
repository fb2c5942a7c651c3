/** Events that were taken and have still to be told who wants to hear of them. */
export const inboxQueue = 'inbox';
/** Looks for submissions whose webhook never came. */
export const backfillQueue = 'compare';
/** Goes round regularly: what is over is dropped, what was overlooked is taken up. */
export const sweepQueue = 'rounds';

/** What waits for a channel. */
export function channelQueue(teamId: string, channelId: string): string {
  return `channel/${teamId}/${channelId}`;
}

/** What waits for a subscription's next digest. */
export function digestQueue(teamId: string, subscriptionId: string): string {
  return `digest/${teamId}/${subscriptionId}`;
}

/** What a queue is for; `id` is of the channel or of the subscription. */
export function readQueue(queue: string): { kind: string; teamId: string; id: string } {
  const [kind = '', teamId = '', id = ''] = queue.split('/');
  return { kind, teamId, id };
}
