import type { SetAsideEvent } from '../../domain/alerts-status.ts';
import type { Log } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { WaitingEvent } from '../../storage/storage.ts';
import type { WebhookCounters } from './webhook-counters.ts';

/** Keyed values with the latest events that were set aside, under one key. */
export interface SetAsideStore {
  get(key: 'latest'): Promise<SetAsideEvent[] | undefined>;
  set(key: 'latest', events: SetAsideEvent[], ttlMs: number): Promise<unknown>;
}

const listedAtMost = 5;
const ttlMs = 30 * 24 * 3_600_000;

/** Ends the tries of an event. */
export type SetAside = (
  event: WaitingEvent,
  failures: { count: number; since: number },
  error: unknown,
) => Promise<void>;

/** Keeps the latest events that were set aside for administrators. The caller takes the event out of the inbox. */
export function createSetAside(deps: {
  store: SetAsideStore;
  counters: Pick<WebhookCounters, 'took'>;
  log: Log;
  metrics: Metrics;
}): SetAside {
  const { store, counters, log, metrics } = deps;

  return async ({ id, content }, { count: tries, since }, error) => {
    const submission = content.kind === 'submission' ? content.submission : undefined;
    const { quizId, responseId } = submission ?? (content as Extract<typeof content, { kind: 'hint' }>);
    const event: SetAsideEvent = {
      quizId,
      responseId,
      quizName: submission?.quizName ?? null,
      ...(submission?.userId !== undefined && { userId: submission.userId }),
      name: submission?.name ?? null,
      since,
    };
    const others = ((await store.get('latest')) ?? []).filter(
      (other) => other.responseId !== responseId || other.quizId !== quizId,
    );
    await store.set('latest', [event, ...others].slice(0, listedAtMost), ttlMs);
    counters.took('setAside');
    metrics.webhooks.inc({ outcome: 'set_aside' });
    log.warn(
      { error, event: id, response: `${quizId}/${responseId}`, tries },
      'an event is set aside: it failed too often',
    );
  };
}
