import type { Log } from '../../observability/log.ts';
import type { Reconciler } from './reconcile.ts';

/**
 * Goes round the open requests, at the start and then regularly: what a crash left unfinished is finished,
 * what is due for a reminder or has expired gets it.
 *
 * @param deps.teamId rejects as long as Slack does not say which workspace this is
 */
export function createSweeper(deps: {
  reconciler: Pick<Reconciler, 'all'>;
  teamId: () => Promise<string>;
  everyMs: number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await deps
        .teamId()
        .then((teamId) => deps.reconciler.all(teamId))
        .catch((error: unknown) => deps.log.warn({ error }, 'no round of the open requests'));
      await deps.sleep(deps.everyMs, stopping.signal);
    }
  }

  return {
    start(): void {
      running = run();
    },
    /** Ends after the request that is being tended. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
