import type { AnyMachine } from '../../src/durable/machine.ts';
import { createRuntime, type Overdue, type Run } from '../../src/durable/runtime.ts';
import type { Outbox } from '../../src/storage/storage.ts';

/** Runs mailboxes of a machine as the engine does, without its queues. */
export function runMachine(
  machine: AnyMachine,
  {
    outbox,
    now,
    overdue,
    onWake = () => {},
  }: { outbox: Outbox; now: () => number; overdue?: Overdue; onWake?: (queue: string) => void },
): Run {
  const wake = async (put: readonly { queue: string }[]) => {
    for (const queue of new Set(put.map((entry) => entry.queue))) onWake(queue);
  };
  const put = async (entries: Parameters<Outbox['put']>[0]) => {
    await outbox.put(entries);
    await wake(entries);
  };
  return createRuntime({ outbox, mail: { put, wake }, now, ...(overdue && { overdue }) })(machine);
}

/** Resolves long after every call that does not hang: no call in these tests takes time. */
export async function killed(): Promise<'killed'> {
  for (let turn = 0; turn < 40; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return 'killed';
}
