import { sweepQueue } from '../domain/queue-names.ts';
import { sweepEveryMs } from '../limits.ts';
import { createClockWatch } from '../observability/clock-watch.ts';
import { createRepeating } from '../time/repeating.ts';
import type { Foundation } from './foundation.ts';
import type { BotHealth } from './health.ts';
import type { Kernel } from './kernel.ts';
import type { Workspace } from './workspace.ts';

/** What the bot looks at from time to time, by itself. */
export interface Watches {
  start(): void;
  stop(): Promise<void>;
}

export function createWatches(
  { clock: { sleep }, steady, storage, observability: { metrics }, log }: Foundation,
  { connection, teamId }: Workspace,
  { governance }: Kernel,
  { watches: healthWatches }: BotHealth,
): Watches {
  const clock = createClockWatch({ steady, sleep, log, metrics, onJump: () => storage.queues.wake(sweepQueue) });
  const requests = createRepeating({
    work: async () => governance.reconciler.sweep(await teamId()),
    everyMs: sweepEveryMs,
    sleep,
    onError: (error) => log.warn({ error }, 'requests not swept'),
  });

  return {
    start() {
      for (const watch of [requests, clock, ...healthWatches]) watch.start();
      connection.outageWatch.onBack(() => requests.runSoon());
    },
    async stop() {
      await Promise.all([requests, clock, ...healthWatches, connection.outageWatch].map((watch) => watch.stop()));
    },
  };
}
