import type { Outbox, Queues } from '../storage/storage.ts';
import type { AnyMachine } from './machine.ts';

const everyMs = 30_000;

/**
 * Wakes the mailboxes that have something to do, since a wake can be lost with its process, and forgets the states of those that
 * have been at rest for long.
 *
 * @returns runs, and returns when to run next (milliseconds since the epoch)
 */
export function createSweep(deps: {
  outbox: Pick<Outbox, 'queues' | 'forgetStates'>;
  wake: Queues['wake'];
  machines: Readonly<Record<string, Pick<AnyMachine, 'keptAtRestMs'>>>;
  upkeep: () => Promise<void>;
  now: () => number;
  steadyNow: () => number;
}): () => Promise<number> {
  const { outbox, machines, steadyNow } = deps;

  return async () => {
    await deps.upkeep();
    for (const { queue } of await outbox.queues()) await deps.wake(queue);
    const since = Object.entries(machines).flatMap(([kind, { keptAtRestMs }]) =>
      keptAtRestMs === undefined ? [] : [[kind, steadyNow() - keptAtRestMs] as const],
    );
    await outbox.forgetStates(Object.fromEntries(since));
    return deps.now() + everyMs;
  };
}
