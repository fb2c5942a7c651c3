import type { LaneEntry, NewLaneEntry } from '../../src/storage/lane-entry.ts';
import type { Distribution, LaneState, TakenEvent } from '../../src/storage/storage.ts';

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

interface PlainLane {
  entries: LaneEntry[];
  version: number;
  state: unknown;
  isBusy: boolean;
}

/** As one would write it where nothing is ever lost and nobody else is there: what a real store is compared with. */
export function createPlainOutbox(): EventsAndLanes {
  const taken = new Set<string>();
  const waitingEvents = new Set<string>();
  const lanes = new Map<string, PlainLane>();
  let positions = 0;

  function laneOf(name: string): PlainLane {
    const lane = lanes.get(name) ?? { entries: [], version: 0, state: undefined, isBusy: false };
    lanes.set(name, lane);
    return lane;
  }

  function put(entries: readonly NewLaneEntry[]): void {
    for (const { lane, ...entry } of entries) laneOf(lane).entries.push({ ...entry, position: (positions += 1) });
  }

  return {
    async remember({ id }) {
      if (taken.has(id)) return false;
      taken.add(id);
      waitingEvents.add(id);
      return true;
    },
    async distribute(distributions) {
      for (const { eventId, entries } of distributions) if (waitingEvents.delete(eventId)) put(entries);
    },
    async waiting(lane, { limit }) {
      return laneOf(lane).entries.slice(0, limit);
    },
    async stateOf(name) {
      const { version, state } = laneOf(name);
      return { version, state };
    },
    async commit(name, change) {
      const lane = laneOf(name);
      if (lane.version !== change.version) return false;
      lane.version += 1;
      lane.state = change.state;
      lane.isBusy = change.isBusy;
      lane.entries = lane.entries.filter(({ position }) => !change.remove.includes(position));
      put(change.put);
      return true;
    },
    async lanes() {
      return [...lanes]
        .filter(([, { entries, isBusy }]) => isBusy || entries.length > 0)
        .map(([lane, { entries }]) => ({ lane, waiting: entries.length, oldestAt: entries.length === 0 ? undefined : Math.min(...entries.map(({ at }) => at)) }));
    },
    async drop(subscriptionId, before) {
      let dropped = 0;
      for (const lane of lanes.values()) {
        const left = lane.entries.filter((entry) => entry.subscriptionId !== subscriptionId || entry.at >= before);
        dropped += lane.entries.length - left.length;
        lane.entries = left;
      }
      return dropped;
    },
  };
}
