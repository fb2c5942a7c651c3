import type { Log } from '../../observability/log.ts';
import type { UndeliveredStatus } from '../../operations/services/records.ts';
import type { Counters } from '../../storage/storage.ts';
import type { SlackMetrics } from '../metrics.ts';

/** The name in the store. Its fields are the kinds of messages, and the time of the last one. */
const countersName = 'undelivered';
const lastAtField = 'lastAt';

/** What a message was about. */
type UndeliveredKind = 'approval_request' | 'approval_news' | 'paused_alerts' | 'audit_channel' | 'departures';

/** Counts messages that reached nobody: in the log, in a metric, and over all instances for `/quiz-admin status`. */
export function createUndelivered(deps: {
  counters: Counters;
  metrics: Pick<SlackMetrics, 'undelivered'>;
  log: Log;
  now: () => number;
}) {
  const { counters, metrics, log, now } = deps;

  return {
    /** @param facts go to the log */
    async count(kind: UndeliveredKind, facts: Readonly<Record<string, unknown>>): Promise<void> {
      log.error({ ...facts, kind }, 'a message reached nobody: Slack lets the bot write to none of its recipients');
      metrics.undelivered.inc({ kind });
      try {
        await counters.add(countersName, { [kind]: 1 });
        await counters.raise(countersName, lastAtField, now());
      } catch (error) {
        log.warn({ error }, 'a message that reached nobody could not be counted for /quiz-admin status');
      }
    },
    async status(): Promise<UndeliveredStatus> {
      const { [lastAtField]: lastAt, ...counts } = await counters.of(countersName);
      return { count: Object.values(counts).reduce((sum, count) => sum + count, 0), lastAt };
    },
  };
}
