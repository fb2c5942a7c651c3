import type { Registry } from 'prom-client';
import { callBuckets, metricsIn } from '../observability/metrics.ts';

export type SlackMetrics = ReturnType<typeof createSlackMetrics>;

/** The metrics of the adapter. */
export function createSlackMetrics(registry: Registry) {
  const { counter, histogram } = metricsIn(registry);
  const metrics = {
    /** Slack shows people an error after 3 seconds. */
    acknowledgements: histogram(
      'invigilator_slack_acknowledgement_seconds',
      'From a request of Slack being read to its acknowledgement, by kind of request',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
      'kind',
    ),
    calls: histogram('invigilator_slack_call_seconds', 'Calls of Slack', callBuckets),
    errors: counter(
      'invigilator_slack_errors_total',
      'Calls of Slack that failed, by method and error code',
      'method',
      'code',
    ),
    refused: counter(
      'invigilator_slack_refused_total',
      'HTTP requests to /slack/events that were refused, by reason',
      'reason',
    ),
    undelivered: counter(
      'invigilator_undelivered_messages_total',
      'Messages that reached nobody, because Slack lets the bot write to none of their recipients',
      'kind',
    ),
  };
  // Each has an alarm for one event, which would be hidden from `increase()` if the series began with it.
  for (const kind of ['approval_request', 'approval_news', 'paused_alerts', 'audit_channel'])
    metrics.undelivered.inc({ kind }, 0);
  return metrics;
}

export type SocketMetrics = ReturnType<typeof createSocketMetrics>;

/** The metrics of Socket Mode. */
export function createSocketMetrics(registry: Registry) {
  const { counter, gauge } = metricsIn(registry);
  return {
    connected: gauge('invigilator_slack_socket_connected', 'Whether the connection of Socket Mode is open: 1, or 0'),
    reconnects: counter(
      'invigilator_slack_socket_reconnects_total',
      'Connections of Socket Mode after the first; Slack asks for a new one every few hours',
    ),
  };
}
