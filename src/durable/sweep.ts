import type { Outbox, Queues } from '../storage/storage.ts';
import { createRarely } from '../time/rarely.ts';
import type { AnyMachine } from './machine.ts';

const everyMs = 30_000;
const forgetsEveryMs = 10 * 60_000;

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
  const { outbox, machines, now, steadyNow } = deps;
  const isTimeToForget = createRarely({ everyMs: forgetsEveryMs, now });

  return async () => {
    await deps.upkeep();
    for (const { queue } of await outbox.queues()) await deps.wake(queue);
    if (isTimeToForget()) await forget();
    return now() + everyMs;
  };

  async function forget(): Promise<void> {
    const since = Object.entries(machines).flatMap(([kind, { keptAtRestMs }]) =>
      keptAtRestMs === undefined ? [] : [[kind, steadyNow() - keptAtRestMs] as const],
    );
    await outbox.forgetStates(Object.fromEntries(since));
  }
}
