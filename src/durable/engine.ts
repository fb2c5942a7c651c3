import { type Log, beginWork } from '../observability/log.ts';
import { readQueue, sweepQueue } from '../domain/queue-names.ts';
import type { Outbox, Queues } from '../storage/storage.ts';
import type { AnyMachine } from './machine.ts';
import type { Mail } from './mail.ts';
import { createRuntime, type Overdue, type Run } from './runtime.ts';
import { createRarely } from '../time/timers.ts';

/** What lasts, by the kind of its mailboxes. */
export interface Lasting {
  machines: Readonly<Record<string, AnyMachine>>;
  /** Work that keeps its own state: each run does a part of it. */
  jobs: Readonly<Record<string, Run>>;
  /** Runs at the start and then regularly: wakes what a wake can have been lost for, and drops what is too old. */
  upkeep: () => Promise<void>;
}

/** While the platform is away, a mailbox looks this often whether it is back, in case its wake was lost. */
const awayPauseMs = 15_000;

/** Runs everything that lasts, each mailbox on one instance at a time. */
export function createEngine(deps: {
  outbox: Outbox;
  queues: Queues;
  mail: Pick<Mail, 'put' | 'wake'>;
  /** Is told of each run. */
  overdue?: Pick<Overdue, 'ran'>;
  /** Whether the platform is away. While it is, no machine that needs it runs. `onBack` calls back when it answers again. */
  platformOutage: { isAway: () => boolean; onBack: (listener: () => void) => void };
  /** Calls back when the store has lost what it knew of the mailboxes. */
  onLoss: (listener: () => void) => void;
  log: Log;
  now: () => number;
  /** Decides what is forgotten. Never later than `now`. */
  steadyNow: () => number;
}) {
  const { queues, platformOutage, log, now } = deps;
  const run = createRuntime(deps);

  return {
    async start({ machines, jobs, upkeep }: Lasting): Promise<void> {
      const sweep = createSweep({ ...deps, machines, upkeep, wake: queues.wake });
      const runs: Record<string, Run> = { ...jobs, [sweepQueue]: sweep };
      for (const [kind, machine] of Object.entries(machines)) runs[kind] = run(machine);

      await queues.start(async (queue) => {
        const { kind } = readQueue(queue);
        if (machines[kind]?.needsPlatform && platformOutage.isAway()) return now() + awayPauseMs;
        const own = runs[kind];
        if (own === undefined) throw new Error(`unknown queue ${queue}`);
        return beginWork(`queue ${kind}`, async () => own(queue));
      });
      const wakeSweep = () =>
        queues
          .wake(sweepQueue)
          .catch((error: unknown) => log.warn({ error }, 'sweeping begins when the store is back'));
      await wakeSweep();
      platformOutage.onBack(() => void wakeSweep());
      // With its content, the store lost when the queues run.
      deps.onLoss(() => void wakeSweep());
    },
    /** Ends after the runs in flight. */
    stop: () => queues.stop(),
  };
}

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
