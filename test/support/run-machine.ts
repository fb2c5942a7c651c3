import type { AnyMachine } from '../../src/durable/machine.ts';
import { createRuntime, type Run } from '../../src/durable/runtime.ts';
import type { Outbox } from '../../src/storage/storage.ts';

/** Runs mailboxes of a machine as the engine does, without its queues. */
export function runMachine(
  machine: AnyMachine,
  { outbox, now, onWake = () => {} }: { outbox: Outbox; now: () => number; onWake?: (queue: string) => void },
): Run {
  const wake = async (put: readonly { queue: string }[]) => {
    for (const queue of new Set(put.map((entry) => entry.queue))) onWake(queue);
  };
  return createRuntime({ outbox, wake, now })(machine);
}
