import { sweepQueue } from '../domain/queue-names.ts';
import { sweepEveryMs } from '../limits.ts';
import { createClockWatch } from '../observability/clock-watch.ts';
import { createAuditWatch } from '../storage/audit-watch.ts';
import { createStoreWatch } from '../storage/store-watch.ts';
import { createRepeating } from '../time/repeating.ts';
import type { Account } from './account.ts';
import type { Foundation } from './foundation.ts';
import type { Kernel } from './kernel.ts';
import type { Workspace } from './workspace.ts';

/** What the bot looks at from time to time, by itself. */
export interface Watches {
  start(): void;
  stop(): Promise<void>;
  /** Rejects while the store cannot be used. */
  askStore: () => Promise<void>;
}

export function createWatches(
  { clock: { sleep }, steady, storage, observability: { metrics }, log }: Foundation,
  { directory: { users } }: Account,
  { connection, teamId, onRecorded, tellAdministrators }: Workspace,
  { governance }: Kernel,
): Watches {
  const userIds = async () => (await users.get({ priority: 'background' })).map(({ user_id }) => user_id);
  const audit = createAuditWatch({ trail: storage.audit, teamId, onMissing: onRecorded, sleep, log });
  const clock = createClockWatch({ steady, sleep, log, metrics, onJump: () => storage.queues.wake(sweepQueue) });
  const store = createStoreWatch({ storage, teamId, userIds, tellAdministrators, sleep, log });
  const requests = createRepeating({
    work: async () => governance.reconciler.sweep(await teamId()),
    everyMs: sweepEveryMs,
    sleep,
    onError: (error) => log.warn({ error }, 'requests not swept'),
  });

  return {
    askStore: store.ask,
    start() {
      for (const watch of [requests, audit, store, clock]) watch.start();
      connection.outageWatch.onBack(() => requests.runSoon());
    },
    async stop() {
      await Promise.all([requests, audit, store, clock, connection.outageWatch].map((watch) => watch.stop()));
    },
  };
}
