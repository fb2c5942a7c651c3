import { describe, expect, test } from 'vitest';
import type { AlertsStatus } from '../../../src/domain/alerts-status.ts';
import { statusMessage } from '../../../src/slack/views/bot-status.ts';
import { alertsStatus } from '../../support/builders/alerts.ts';
import { mrkdwnTexts } from '../../support/slack-limits.ts';

const seconds = (...date: [number, number, number, number?]) => Date.UTC(...date) / 1000;

/** The lines of the text, with times as `@seconds`. */
function linesOf(alerts: AlertsStatus): string[] {
  const status = { isServiceWell: true, requestsLeft: [], alerts };
  const { blocks } = statusMessage({ kind: 'status', status, openRequests: 0, auditEntries: 0, isAuditWhole: true }, 'UTC');
  return mrkdwnTexts(blocks).join('\n').replaceAll(/<!date\^(\d+)\^[^>]*>/g, '@$1').split('\n');
}

describe('the alerts section of /quiz-admin status', () => {
  test('shows the time of the last webhook, the accepted and refused ones, and the reasons', () => {
    expect(linesOf(alertsStatus())).toEqual(
      expect.arrayContaining([
        `*Webhooks* the last came @${seconds(2026, 10, 21, 8)} · 1,204 taken since @${seconds(2026, 10, 1)} · 3 never came and were found by asking the service`,
        `*Webhooks refused* ⚠️ 12 since @${seconds(2026, 10, 1)}, the last @${seconds(2026, 10, 20, 8)}`,
        '• the signature does not match: 10',
        '• malformed: 2',
      ]),
    );
  });

  test('shows waiting alerts with their channels and age, and paused subscriptions', () => {
    expect(linesOf(alertsStatus())).toEqual(
      expect.arrayContaining([
        `*Alerts waiting* 14 in 3 channels, the oldest since @${seconds(2026, 10, 21, 7)} · 1 webhook not looked at yet`,
        '*Subscriptions* 7, ⏸️ 2 paused: `/quiz-alerts list`',
      ]),
    );
  });

  test('is short before the first webhook', () => {
    const nothing = alertsStatus(
      { since: undefined, lastAt: undefined, taken: 0, backfilled: 0, refused: [], lastRefusedAt: undefined },
      { events: 0, waiting: 0, channels: 0, oldestAt: undefined, subscriptions: 0, paused: 0 },
    );
    const lines = linesOf(nothing);
    expect(lines).toEqual(expect.arrayContaining(['*Webhooks* none came yet', '*Alerts waiting* 0', '*Subscriptions* 0']));
    expect(lines.join('')).not.toMatch(/refused|paused|oldest|never came|undefined|NaN/);
  });
});
