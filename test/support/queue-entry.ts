import type { NewLaneEntry } from '../../src/domain/queue-entry.ts';
import { submission } from './submission.ts';

/** Rosa's submission, for a channel. Entries with different `name`s differ in who submitted. */
export function laneEntry({ name = 'Rosa Almeida', ...overrides }: Partial<NewLaneEntry> & { name?: string } = {}): NewLaneEntry {
  return { lane: 'channel/T1/C1', subscriptionId: 's-1', at: 1_000, content: { kind: 'submission', submission: submission({ name }) }, ...overrides };
}

/** Who submitted what waits. */
export function namesOf(entries: readonly Pick<NewLaneEntry, 'content'>[]): string[] {
  return entries.map(({ content }) => (content.kind === 'submission' ? content.submission.name : 'digest'));
}
