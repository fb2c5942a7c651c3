/** Events that wait in the inbox. */
export const inboxQueue = 'inbox';
/** Finds submissions whose webhook never came. */
export const backfillQueue = 'backfill';
/** Regular checks: wakes queues whose wake was lost, drops what is over. */
export const sweepQueue = 'sweep';

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
