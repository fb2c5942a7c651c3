/** Events that were taken and have still to be told who wants to hear of them. */
export const inboxLane = 'inbox';
/** Looks for submissions whose webhook never came. */
export const compareLane = 'compare';
/** Goes round regularly: what is over is dropped, what was overlooked is taken up. */
export const roundsLane = 'rounds';

/** What waits for a channel. */
export function channelLane(teamId: string, channelId: string): string {
  return `channel/${teamId}/${channelId}`;
}

/** What waits for a subscription's next digest. */
export function digestLane(teamId: string, subscriptionId: string): string {
  return `digest/${teamId}/${subscriptionId}`;
}

/** What a lane is for; `id` is of the channel or of the subscription. */
export function readLane(lane: string): { kind: string; teamId: string; id: string } {
  const [kind = '', teamId = '', id = ''] = lane.split('/');
  return { kind, teamId, id };
}
