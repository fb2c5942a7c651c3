import type { TakenEvent } from '../../src/storage/storage.ts';

/** The event of Rosa's submitted quiz, as the inbox keeps it. */
export function takenEvent(overrides: Partial<TakenEvent> & { id: string }): TakenEvent {
  return { type: 'response.submitted', subject: `q-1/${overrides.id}`, body: `{"event_id":"${overrides.id}"}`, trusted: true, takenAt: 1_000, ...overrides };
}
