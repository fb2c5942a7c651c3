import type { Log } from '../../observability/log.ts';
import type { Sleep } from '../../time/clock.ts';

/** While Slack is away, it is asked this long after each answer that did not come. */
const askEveryMs = 3_000;

/**
 * Knows whether Slack is away, from the calls of the whole bot. After a call that Slack did not answer, it asks Slack
 * itself. Where that fails as well, Slack is away until a call succeeds, and the watch asks every few seconds.
 *
 * @param deps.ask rejects where Slack does not answer
 */
export function createOutageWatch(deps: { ask: () => Promise<unknown>; log: Log; sleep: Sleep }) {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  let state: 'answering' | 'doubtful' | 'away' = 'answering';
  let asking: Promise<void> | undefined;

  async function askUntilAnswered(): Promise<void> {
    while (state !== 'answering' && !stopping.signal.aborted) {
      try {
        await deps.ask();
        answered();
      } catch {
        if (state === 'doubtful') {
          state = 'away';
          deps.log.warn('Slack does not answer: what is to be posted waits until it does');
        }
        await deps.sleep(askEveryMs, stopping.signal);
      }
    }
    asking = undefined;
  }

  function answered(): void {
    const wasAway = state === 'away';
    state = 'answering';
    if (!wasAway || stopping.signal.aborted) return;
    deps.log.info('Slack answers again');
    for (const listener of listeners) listener();
  }

  return {
    isAway: () => state === 'away',
    /** Call after each call of Slack. */
    observe(hasAnswered: boolean): void {
      if (hasAnswered) return answered();
      if (state === 'answering') state = 'doubtful';
      if (!stopping.signal.aborted) asking ??= askUntilAnswered();
    },
    /** Calls back when Slack answers again. */
    onBack: (listener: () => void) => void listeners.add(listener),
    /** Ends after the question that is on its way. */
    async stop(): Promise<void> {
      stopping.abort();
      await asking;
    },
  };
}
