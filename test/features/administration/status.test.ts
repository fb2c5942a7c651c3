import { describe, expect, test } from 'vitest';
import type { AlertsStatus } from '../../../src/domain/alerts-status.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import type { UndeliveredStatus } from '../../../src/operations/services/records.ts';
import { statusPage } from '../../../src/features/administration/pages/status.ts';
import { drawn } from '../../support/draw.ts';
import { serviceUp } from '../../support/builders/findings.ts';
import { alertsStatus } from '../../support/builders/alerts.ts';
import { sentTexts } from '../../support/slack-limits.ts';

const seconds = (...date: [number, number, number, number?]) => Date.UTC(...date) / 1000;

/** The lines of the text, with times as `@seconds`. */
function linesOf(alerts: AlertsStatus, undelivered: UndeliveredStatus = { count: 0, lastAt: undefined }): string[] {
  const status = { health: serviceUp, unreadable: [], requestsLeft: [], alerts, undelivered };
  const { blocks } = drawn(statusPage({ status, openRequests: 0, auditEntries: 0 }));
  return inEnglish(sentTexts(blocks).join('\n'))
    .replaceAll(/<!date\^(\d+)\^[^>]*>/g, '@$1')
    .split('\n');
}

test('shows the records that are left out below the quiz service', () => {
  const unreadable = [
    { list: 'users', count: 3, reason: 'user_id is missing' },
    { list: 'quizzes', count: 1, reason: 'the record is null' },
  ];
  const status = {
    health: serviceUp,
    unreadable,
    requestsLeft: [],
    alerts: alertsStatus(),
    undelivered: { count: 0, lastAt: undefined },
  };
  const { blocks } = drawn(statusPage({ status, openRequests: 0, auditEntries: 0 }));
  expect(sentTexts(blocks).join('\n')).toContain(
    'up\n⚠️ Couldn’t read 3 users: user_id is missing\n⚠️ Couldn’t read 1 quiz: the record is null\n*Service requests left*',
  );
});

describe('the alerts section of /quiz-admin status', () => {
  test('shows the time of the last webhook, the accepted and refused ones, and the reasons', () => {
    expect(linesOf(alertsStatus())).toEqual(
      expect.arrayContaining([
        `*Webhooks* last received @${seconds(2026, 10, 21, 8)} · 1,204 received since @${seconds(2026, 10, 1)} · 3 never came, so the bot looked up their submissions`,
        `*Webhooks refused* ⚠️ 12 since @${seconds(2026, 10, 1)}, most recently @${seconds(2026, 10, 20, 8)}`,
        '• the signature does not match: 10',
        '• malformed: 2',
      ]),
    );
  });

  test('shows which schemes were tried on a refused webhook, and the names of the headers that came', () => {
    const refusedSignatures = [
      {
        at: Date.UTC(2026, 10, 20, 8),
        tried: [
          { scheme: 'body', problem: 'no X-Webhook-Signature header' },
          { scheme: 'standard', problem: 'no webhook-id header' },
        ],
        headers: ['x-hub-signature-256', 'x-<!channel>'],
      },
      {
        at: Date.UTC(2026, 10, 20, 7),
        tried: [{ scheme: 'body', problem: 'X-Webhook-Signature does not match' }],
        headers: [],
      },
    ];
    expect(linesOf(alertsStatus({ refusedSignatures }))).toEqual(
      expect.arrayContaining([
        `• @${seconds(2026, 10, 20, 8)}: Tried body: no X-Webhook-Signature header; standard: no webhook-id header. Headers in the request: x-hub-signature-256, x-&lt;!channel&gt;.`,
        `• @${seconds(2026, 10, 20, 7)}: Tried body: X-Webhook-Signature does not match. The request had no header that could be a signature.`,
      ]),
    );
  });

  test('shows how many submissions were set aside, and the latest of them by name', () => {
    const since = Date.UTC(2026, 10, 20, 8);
    const event = { quizId: 'q-1', responseId: 'r-1', quizName: 'Fire safety', name: null, since };
    const events = [event, { ...event, name: 'Rosa <Almeida>' }, { ...event, quizName: null }];
    const lines = linesOf(alertsStatus({ setAside: { count: 1_204, events } }, { postponed: 2 }));
    expect(lines).toEqual(
      expect.arrayContaining([
        '*Not announced* ⚠️ 1,204 submissions: every try failed',
        `• A submission of Fire safety, first tried @${since / 1000}`,
        `• Rosa &lt;Almeida&gt;, Fire safety, first tried @${since / 1000}`,
        `• A submission of an unknown quiz, first tried @${since / 1000}`,
        expect.stringContaining(' · 2 webhooks to be retried'),
      ]),
    );
    expect(lines.join('')).not.toMatch(/q-1|r-1/);
  });

  test('shows waiting alerts with their channels and age, and paused subscriptions', () => {
    expect(linesOf(alertsStatus())).toEqual(
      expect.arrayContaining([
        `*Alerts waiting* 14 in 3 channels, oldest from @${seconds(2026, 10, 21, 7)} · 1 webhook not processed yet`,
        '*Subscriptions* 7, ⏸️ 2 paused: `/quiz-alerts list`',
      ]),
    );
  });

  test('shows how many messages reached nobody, where there were any', () => {
    const begin = '*Undelivered messages*';
    expect(linesOf(alertsStatus(), { count: 2, lastAt: Date.UTC(2026, 10, 20, 8) })).toContain(
      `${begin} ⚠️ 2, most recently @${seconds(2026, 10, 20, 8)}: Slack doesn’t let the bot message their recipients. The log names them.`,
    );
    expect(linesOf(alertsStatus()).join('\n')).not.toContain(begin);
  });

  test('is short before the first webhook', () => {
    const nothing = alertsStatus(
      { since: undefined, lastAt: undefined, taken: 0, backfilled: 0, refused: [], lastRefusedAt: undefined },
      { events: 0, postponed: 0, waiting: 0, channels: 0, oldestAt: undefined, subscriptions: 0, paused: 0 },
    );
    const lines = linesOf(nothing);
    expect(lines).toEqual(
      expect.arrayContaining(['*Webhooks* none received yet', '*Alerts waiting* 0', '*Subscriptions* 0']),
    );
    expect(lines.join('')).not.toMatch(/refused|paused|oldest|never came|undefined|NaN/);
  });
});
