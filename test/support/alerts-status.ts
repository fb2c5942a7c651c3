import type { AlertsStatus, WebhooksStatus } from '../../src/domain/alerts-status.ts';

/** Alerts with everything there is to tell of them. */
export function alertsStatus(webhooks: Partial<WebhooksStatus> = {}, overrides: Partial<AlertsStatus> = {}): AlertsStatus {
  return {
    webhooks: {
      since: Date.UTC(2026, 10, 1),
      lastAt: Date.UTC(2026, 10, 21, 8),
      taken: 1_204,
      missed: 3,
      refused: [{ reason: 'the signature does not match', count: 10 }, { reason: 'malformed', count: 2 }],
      lastRefusedAt: Date.UTC(2026, 10, 20, 8),
      ...webhooks,
    },
    events: 1,
    waiting: 14,
    channels: 3,
    oldestAt: Date.UTC(2026, 10, 21, 7),
    subscriptions: 7,
    paused: 2,
    ...overrides,
  };
}
