import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The methods that the bot calls. */
export const slackMethods = [
  'apps.connections.open',
  'auth.teams.list',
  'auth.test',
  ...['postEphemeral', 'postMessage', 'update'].map((name) => `chat.${name}`),
  ...['history', 'info', 'members', 'open', 'replies'].map((name) => `conversations.${name}`),
  'dnd.teamInfo',
  ...['completeUploadExternal', 'getUploadURLExternal', 'info'].map((name) => `files.${name}`),
  'team.info',
  'team.profile.get',
  'usergroups.users.list',
  ...['info', 'list', 'lookupByEmail', 'profile.get'].map((name) => `users.${name}`),
  ...['open', 'publish', 'update'].map((name) => `views.${name}`),
];

/** The error codes for which docs/operations.md has an alarm of their own, and those of outages. */
const usualCodes = [
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'account_inactive',
  'missing_scope',
  'too_many_websockets',
  'ratelimited',
  'internal_error',
  'timeout',
  'http_500',
  'http_503',
];

export type SlackMetrics = ReturnType<typeof createSlackMetrics>;

/** The metrics of the adapter, in the registry of the app. */
export function createSlackMetrics(registry: Registry) {
  const registers = [registry];
  const metrics = {
    /** Slack shows people an error after 3 seconds. */
    acknowledgements: new Histogram({
      name: 'invigilator_slack_acknowledgement_seconds',
      help: 'From a request of Slack being read to its acknowledgement, by kind of request',
      labelNames: ['kind'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
      registers,
    }),
    calls: new Histogram({
      name: 'invigilator_slack_call_seconds',
      help: 'Calls of Slack by method',
      labelNames: ['method'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    errors: new Counter({
      name: 'invigilator_slack_errors_total',
      help: 'Calls of Slack that failed, by method and error code',
      labelNames: ['method', 'code'],
      registers,
    }),
    refused: new Counter({
      name: 'invigilator_slack_refused_total',
      help: 'HTTP requests to /slack/events that were refused, by reason',
      labelNames: ['reason'],
      registers,
    }),
    undelivered: new Counter({
      name: 'invigilator_undelivered_messages_total',
      help: 'Messages that reached nobody, because Slack lets the bot write to none of their recipients',
      labelNames: ['kind'],
      registers,
    }),
  };
  // A series that begins with its first event hides that event from `increase()`.
  for (const reason of ['unsigned', 'timestamp', 'signature', 'too_large', 'no_room'])
    metrics.refused.inc({ reason }, 0);
  for (const kind of ['approval_request', 'approval_news', 'paused_alerts', 'audit_channel'])
    metrics.undelivered.inc({ kind }, 0);
  for (const method of slackMethods) {
    metrics.calls.zero({ method });
    for (const code of usualCodes) metrics.errors.inc({ method, code }, 0);
  }
  for (const kind of ['command', 'action', 'options', 'view', 'shortcut', 'event'])
    metrics.acknowledgements.zero({ kind });
  return metrics;
}

export type SocketMetrics = ReturnType<typeof createSocketMetrics>;

/** The metrics of Socket Mode. */
export function createSocketMetrics(registry: Registry) {
  const registers = [registry];
  return {
    connected: new Gauge({
      name: 'invigilator_slack_socket_connected',
      help: 'Whether the connection of Socket Mode is open: 1, or 0',
      registers,
    }),
    reconnects: new Counter({
      name: 'invigilator_slack_socket_reconnects_total',
      help: 'Connections of Socket Mode after the first; Slack asks for a new one every few hours',
      registers,
    }),
  };
}
