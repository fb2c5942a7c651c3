import type { Finding } from '../domain/finding.ts';
import type { Log } from '../observability/log.ts';
import type { OneAtATime } from '../durable/one-at-a-time.ts';
import type { Storage } from '../storage/storage.ts';
import { createRepeating, type Repeating } from '../time/repeating.ts';
import type { Health } from './health.ts';

const everyMs = 30_000;
/** Instances tell administrators once about the same occurrence. */
const toldForMs = 30 * 24 * 3_600_000;

/** Looks by itself at what nobody would notice by using it, and tells administrators what is urgent. */
export function createHealthWatch(deps: {
  health: Health;
  storage: Pick<Storage, 'kv'>;
  oneAtATime: Pick<OneAtATime, 'unlessBusy'>;
  tellAdministrators: (finding: Finding) => Promise<void>;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}): Repeating {
  const { log } = deps;
  const told = deps.storage.kv<true>('store-notices');
  const toldHere = new Set<string>();

  async function tell(finding: Finding): Promise<void> {
    const { occurrence, isUrgent = false } = finding;
    if (!isUrgent || occurrence === undefined || toldHere.has(occurrence)) return;
    const { isBusy } = await deps.oneAtATime.unlessBusy('store-notice', async () => {
      if (await told.get(occurrence)) return;
      await deps.tellAdministrators(finding);
      await told.set(occurrence, true, toldForMs);
    });
    if (!isBusy) toldHere.add(occurrence);
  }

  return createRepeating({
    async work() {
      const results = await deps.health.look(({ isWatched = false }) => isWatched);
      for (const { finding } of results) if (finding) await tell(finding);
    },
    everyMs,
    sleep: deps.sleep,
    onError: (error) => log.debug({ error }, 'administrators are notified later'),
  });
}
