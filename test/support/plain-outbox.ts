import type { LaneEntry, NewLaneEntry } from '../../src/storage/lane-entry.ts';
import type { Distribution, LaneState, TakenEvent } from '../../src/storage/storage.ts';
import { createMemoryOutbox } from './memory-outbox.ts';

/** The part of a store that takes events and keeps what waits in lanes. */
export interface EventsAndLanes {
  remember(event: TakenEvent): Promise<boolean>;
  distribute(distributions: readonly Distribution[]): Promise<void>;
  waiting(lane: string, options: { limit: number }): Promise<LaneEntry[]>;
  stateOf(lane: string): Promise<LaneState<unknown>>;
  commit(lane: string, change: { version: number; state: unknown; isBusy: boolean; remove: readonly number[]; put: readonly NewLaneEntry[] }): Promise<boolean>;
  lanes(): Promise<{ lane: string; waiting: number; oldestAt: number | undefined }[]>;
  drop(subscriptionId: string, before: number): Promise<number>;
}

/** As one would write it where nothing is ever lost and nobody else is there: what a real store is compared with. */
export function createPlainOutbox(): EventsAndLanes {
  const taken = new Set<string>();
  const waitingEvents = new Set<string>();
  return {
    ...createMemoryOutbox((eventId) => waitingEvents.delete(eventId)),
    async remember({ id }) {
      if (taken.has(id)) return false;
      taken.add(id);
      waitingEvents.add(id);
      return true;
    },
  };
}
