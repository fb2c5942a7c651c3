import type { NewQueueEntry, QueueEntry } from '../../../domain/queue-entry.ts';
import { batchQueue, campaignQueue } from '../../../domain/queue-names.ts';

/** Whose messages these are, and what became of them. `failure`: a code that says why they are not posted. */
interface Fate {
  teamId: string;
  userId: string;
  /** Milliseconds since the epoch. */
  at: number;
  failure?: string;
}

/** Has campaigns and batches know what became of their messages to a user. Of passwords, batches know of those that are not posted. */
export function putForOthers(entries: readonly QueueEntry[], { teamId, userId, at, failure }: Fate): NewQueueEntry[] {
  return entries.flatMap(({ content, subscriptionId, at: handedAt }): NewQueueEntry[] => {
    if (content.kind === 'campaign-notice') {
      const event = { kind: 'delivery', userId, handedAt, at, ...(failure !== undefined && { failure }) } as const;
      const queue = campaignQueue(teamId, content.campaignId);
      return [{ queue, subscriptionId, at, content: { kind: 'campaign-event', event } }];
    }
    if (content.kind !== 'own-password' || content.of === undefined || failure === undefined) return [];
    const { batchId, row } = content.of;
    const event = { kind: 'unreached', row } as const;
    return [{ queue: batchQueue(teamId, batchId), subscriptionId, at, content: { kind: 'batch-event', event } }];
  });
}
