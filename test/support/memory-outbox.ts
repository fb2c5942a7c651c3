import type { LaneEntry, NewLaneEntry } from '../../src/domain/queue-entry.ts';
import type { LaneState, Outbox } from '../../src/storage/storage.ts';

interface KeptLane {
  version: number;
  /** As JSON: what a store does not keep must not be there in a test either. */
  state: string | undefined;
  isBusy: boolean;
  entries: LaneEntry[];
}

/**
 * An outbox that lasts as long as a test. `settle` has an event wait no more, and is false for one that does not
 * wait; unless given, each event waits until it is distributed for the first time.
 */
export function createMemoryOutbox(settle: (eventId: string) => boolean = onceEach()): Outbox {
  const lanes = new Map<string, KeptLane>();
  let lastPosition = 0;

  function laneOf(name: string): KeptLane {
    const lane = lanes.get(name) ?? { version: 0, state: undefined, isBusy: false, entries: [] };
    lanes.set(name, lane);
    return lane;
  }

  function put(entries: readonly NewLaneEntry[]): void {
    for (const { lane, ...entry } of entries) {
      lastPosition += 1;
      laneOf(lane).entries.push({ position: lastPosition, ...copyOf(entry) });
    }
  }

  return {
    async distribute(distributions) {
      for (const { eventId, entries } of distributions) if (settle(eventId)) put(entries);
    },
    async waiting(lane, { limit, exceptSubscriptions = [] }) {
      const wanted = lanes.get(lane)?.entries.filter(({ subscriptionId }) => !exceptSubscriptions.includes(subscriptionId)) ?? [];
      return copyOf(wanted.slice(0, limit));
    },
    async stateOf<State>(lane: string): Promise<LaneState<State>> {
      const { version = 0, state } = lanes.get(lane) ?? {};
      return { version, state: state === undefined ? undefined : (JSON.parse(state) as State) };
    },
    async commit(name, { version, state, isBusy, remove = [], put: added = [] }) {
      const lane = laneOf(name);
      if (lane.version !== version) return false;
      lane.version += 1;
      lane.state = JSON.stringify(state);
      lane.isBusy = isBusy;
      lane.entries = lane.entries.filter(({ position }) => !remove.includes(position));
      put(added);
      return true;
    },
    async lanes() {
      return [...lanes]
        .filter(([, { isBusy, entries }]) => isBusy || entries.length > 0)
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

function onceEach(): (eventId: string) => boolean {
  const settled = new Set<string>();
  return (eventId) => {
    if (settled.has(eventId)) return false;
    settled.add(eventId);
    return true;
  };
}

function copyOf<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
