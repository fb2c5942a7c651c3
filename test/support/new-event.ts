import type { Events, NewEvent, NewQueueEntry } from '../../src/domain/queues.ts';
import type { TakeResult } from '../../src/storage/storage.ts';
import type { Storage } from '../../src/storage/records.ts';
import { submission } from './builders/alerts.ts';

/** The event of Rosa's submission. */
export function newEvent(overrides: Partial<NewEvent> & { id: string }): NewEvent {
  const { id, subject = `q-1/${id}`, isBackfilled = false } = overrides;
  const [quizId = '', responseId = ''] = subject.split('/');
  return {
    subject,
    isBackfilled,
    takenAt: 1_000,
    content: { kind: 'submission', submission: submission({ quizId, responseId, isBackfilled }) },
    ...overrides,
  };
}

/** A hint about Rosa's submission. */
export function hintEvent(overrides: Partial<NewEvent> & { id: string }): Events['inbox'] {
  const content = { kind: 'hint', quizId: 'q-1', responseId: overrides.id } as const;
  return { ...newEvent({ subject: '', ...overrides }), content };
}

/** Takes an event with these entries, matched with the current subscriptions. */
export async function takeMatched(
  { inbox, subscriptions }: Pick<Storage, 'inbox' | 'subscriptions'>,
  event: NewEvent,
  entries: readonly NewQueueEntry[] = [],
): Promise<TakeResult> {
  return inbox.take(event, entries, { teamId: 'T1', version: await subscriptions.version('T1') });
}
