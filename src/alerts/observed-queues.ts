import type { BeginWork } from '../observability/begin-work.ts';
import type { Lanes } from '../storage/storage.ts';
import { readLane } from './queue-names.ts';

/** Lanes each run of which is a piece of work of its own. */
export function createObservedLanes(lanes: Lanes, beginWork: BeginWork): Lanes {
  return {
    wake: (lane, at) => lanes.wake(lane, at),
    start: (run) =>
      lanes.start((lane) => beginWork({ from: `lane ${readLane(lane).kind}`, attributes: { 'invigilator.lane': lane } }, () => run(lane))),
    stop: () => lanes.stop(),
  };
}
