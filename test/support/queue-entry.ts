import type { NewQueueEntry } from '../../src/domain/queue-entry.ts';
import { submission } from './submission.ts';

/** Rosa's submission, for a channel. Entries with different `name`s differ in who submitted. */
export function queueEntry({ name = 'Rosa Almeida', ...overrides }: Partial<NewQueueEntry> & { name?: string } = {}): NewQueueEntry {
  return { queue: 'channel/T1/C1', subscriptionId: 's-1', at: 1_000, content: { kind: 'submission', submission: submission({ name }) }, ...overrides };
}

/** Who submitted what waits. */
export function namesOf(entries: readonly Pick<NewQueueEntry, 'content'>[]): string[] {
  return entries.map(({ content }) => (content.kind === 'submission' ? content.submission.name : 'digest'));
}
