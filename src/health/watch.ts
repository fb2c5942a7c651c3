import type { Finding } from '../domain/finding.ts';
import type { Log } from '../observability/log.ts';
import type { OneAtATime } from '../durable/one-at-a-time.ts';
import type { Storage } from '../storage/storage.ts';
import { createRepeating, type Repeating } from '../time/repeating.ts';
import type { Health } from './health.ts';

const everyMs = 30_000;
const toldForMs = 30 * 24 * 3_600_000;

/** Notifies administrators once of each occurrence, on all instances together and over restarts. */
export function createNotifyOnce(deps: {
  storage: Pick<Storage, 'kv'>;
  oneAtATime: Pick<OneAtATime, 'unlessBusy'>;
  tellAdministrators: (finding: Finding) => Promise<void>;
}): (finding: Finding) => Promise<void> {
  const told = deps.storage.kv<true>('store-notices');
  const toldHere = new Set<string>();

  return async (finding) => {
    const { occurrence } = finding;
    if (occurrence === undefined || toldHere.has(occurrence)) return;
    const { isBusy } = await deps.oneAtATime.unlessBusy('store-notice', async () => {
      if (await told.get(occurrence)) return;
      await deps.tellAdministrators(finding);
      await told.set(occurrence, true, toldForMs);
    });
    if (!isBusy) toldHere.add(occurrence);
  };
}

/** Looks by itself at what nobody would notice by using it, and tells administrators what is urgent. */
export function createHealthWatch(deps: {
  health: Health;
  notifyOnce: ReturnType<typeof createNotifyOnce>;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}): Repeating {
  const { log } = deps;

  return createRepeating({
    async work() {
      const results = await deps.health.look(({ isWatched = false }) => isWatched);
      for (const { finding } of results) if (finding?.isUrgent) await deps.notifyOnce(finding);
    },
    everyMs,
    sleep: deps.sleep,
    onError: (error) => log.debug({ error }, 'administrators are notified later'),
  });
}
