import type { BeginWork } from '../observability/work.ts';
import type { Queues } from '../storage/storage.ts';
import { readQueue } from './queue-names.ts';

/** Queues each run of which is a piece of work of its own. */
export function createObservedQueues(queues: Queues, beginWork: BeginWork): Queues {
  return {
    wake: (queue, at) => queues.wake(queue, at),
    start: (run) =>
      queues.start((queue) => beginWork({ from: `queue ${readQueue(queue).kind}`, attributes: { 'invigilator.queue': queue } }, () => run(queue))),
    stop: () => queues.stop(),
  };
}
