import { notNeeded } from '../../domain/campaign-messages.ts';
import type { NewQueueEntry, QueueEntry } from '../../domain/queue-entry.ts';
import { batchQueue, campaignQueue, managerOfQueue, userOfQueue } from '../../domain/queue-names.ts';
import type { Keep } from '../../durable/machine.ts';
import type { PostNote } from './posting.ts';
import { freshPersonState, type PersonState, type PersonView } from './person-view.ts';

/** What is said or counted of messages that are taken out of a person’s mailbox. */
export type PersonNote =
  PostNote | { kind: 'dropped'; reason: string; count: number } | { kind: 'pointless'; entries: readonly QueueEntry[] };

/** Takes messages out of the mailbox that go to nobody, and forgets the message in flight. */
export function dropped(
  view: PersonView,
  reason: string,
  entries: readonly QueueEntry[],
): Keep<PersonState, PersonNote> {
  const { inFlight: _, ...settled } = view.state ?? freshPersonState;
  return {
    kind: 'keep',
    state: settled,
    take: positionsOf(entries),
    put: putForOthers(entries, { ...fateIn(view), failure: reason }),
    note: { kind: 'dropped', reason, count: entries.length },
  };
}

/** Takes messages out of the mailbox that need not be posted any more. */
export function withoutPointless(view: PersonView, entries: readonly QueueEntry[]): Keep<PersonState, PersonNote> {
  return {
    kind: 'keep',
    state: view.state ?? freshPersonState,
    take: positionsOf(entries),
    put: putForOthers(entries, { ...fateIn(view), failure: notNeeded }),
    note: { kind: 'pointless', entries },
  };
}

/** What is taken out after a post has arrived, or is refused for what is in it. */
export function withFate(kept: Keep<PersonState, PostNote>, view: PersonView): Keep<PersonState, PostNote> {
  const { take = [], note } = kept;
  const taken = view.mail.filter(({ position }) => take.includes(position));
  if (taken.length === 0) return kept;
  const failure = note?.kind === 'set_aside' ? note.error.code : undefined;
  const at = note?.kind === 'found' ? (view.state?.inFlight?.startedAt ?? view.now) : view.now;
  return { ...kept, put: putForOthers(taken, { ...fateIn(view), at, ...(failure !== undefined && { failure }) }) };
}

export const positionsOf = (entries: readonly QueueEntry[]) => entries.map(({ position }) => position);

const fateIn = ({ mailbox: { teamId, id }, now }: PersonView) => ({
  teamId,
  mailboxId: id,
  userId: userOfQueue(id),
  at: now,
});

/** Whose messages these are, and what became of them. `failure`: a code that says why they are not posted. */
interface Fate {
  teamId: string;
  mailboxId: string;
  userId: string;
  /** Milliseconds since the epoch. */
  at: number;
  failure?: string;
}

/** Has campaigns and batches know what became of their messages to a user, and which manager nothing reaches. Of passwords, batches know of those that are not posted. */
function putForOthers(
  entries: readonly QueueEntry[],
  { teamId, mailboxId, userId, at, failure }: Fate,
): NewQueueEntry[] {
  return entries.flatMap(({ content, subscriptionId, at: handedAt }): NewQueueEntry[] => {
    // A lead who is missing reads it with the names of the others, in place of a reminder.
    if (content.kind === 'campaign-notice' || (content.kind === 'campaign-escalation' && content.ownQuizId)) {
      const event = { kind: 'delivery', userId, handedAt, at, failure: failure ?? null } as const;
      const queue = campaignQueue(teamId, content.campaignId);
      return [{ queue, subscriptionId, at, content: { kind: 'campaign-event', event } }];
    }
    if (content.kind === 'campaign-reports') {
      const managerId = managerOfQueue(mailboxId);
      if (managerId === undefined || failure === undefined || failure === notNeeded) return [];
      const event = { kind: 'manager-gone', managerId, at } as const;
      const queue = campaignQueue(teamId, content.campaignId);
      return [{ queue, subscriptionId, at, content: { kind: 'campaign-event', event } }];
    }
    if (content.kind !== 'own-password' || content.of === undefined || failure === undefined) return [];
    const { batchId, row } = content.of;
    const event = { kind: 'unreached', row } as const;
    return [{ queue: batchQueue(teamId, batchId), subscriptionId, at, content: { kind: 'batch-event', event } }];
  });
}
