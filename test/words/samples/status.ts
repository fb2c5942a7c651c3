import { asSaid } from '../../../src/domain/said.ts';
import type { AlertsStatus, WebhooksStatus } from '../../../src/domain/alerts-status.ts';
import type { BotStatus } from '../../../src/operations/services/records.ts';
import { showStatus, whoAmI } from '../../../src/features/administration/status.ts';
import { findingLine, statusPage } from '../../../src/features/administration/pages/status.ts';
import { drawn } from '../../support/as-sent.ts';
import { contentMeaning, trailMeaning } from '../../../src/storage/checks.ts';
import {
  lostContent,
  olderContent,
  serviceDown,
  serviceNotAsked,
  serviceUp,
  trailCut,
} from '../../support/builders/findings.ts';
import { alertsStatus } from '../../support/builders/alerts.ts';
import type { Samples } from '../collect.ts';

const quietWebhooks: Partial<WebhooksStatus> = {
  since: undefined,
  lastAt: undefined,
  taken: 0,
  backfilled: 0,
  refused: [],
  lastRefusedAt: undefined,
};
const quiet: Partial<AlertsStatus> = { events: 0, waiting: 0, channels: 0, oldestAt: undefined, paused: 0 };

function message(overrides: Partial<BotStatus>, { openRequests = 0 } = {}) {
  const status: BotStatus = {
    health: serviceUp,
    unreadable: [],
    requestsLeft: [
      { windowMs: 60_000, left: 58, limit: 60 },
      { windowMs: 3_600_000, left: 1_990, limit: 2_000 },
    ],
    alerts: alertsStatus(quietWebhooks, quiet),
    undelivered: { count: 0, lastAt: undefined },
    evidenceKey: { fingerprint: '08c15e09'.repeat(8), from: Date.UTC(2026, 10, 1, 8) },
    ...overrides,
  };
  return drawn(statusPage({ status, openRequests, auditEntries: 1_204 }));
}

const since = Date.UTC(2026, 10, 20, 8);
const event = { quizId: 'q-1', responseId: 'r-1', quizName: 'Food hygiene', name: 'Rosa Almeida', since };

export const samples: Samples = {
  'A new bot that was not used yet': message({ health: serviceNotAsked }),
  'Everything works': message(
    { agents: 'on', alerts: alertsStatus({ refused: [], lastRefusedAt: undefined, backfilled: 0 }, quiet) },
    { openRequests: 1 },
  ),
  'Everything that can be wrong': message(
    {
      health: [
        ...serviceDown,
        { check: contentMeaning, finding: lostContent },
        { check: trailMeaning, finding: trailCut },
      ],
      seesDoNotDisturb: false,
      noManagers: 'missing_scope',
      agents: 'unsigned',
      unreadable: [
        { list: 'users', count: 3, reason: 'user_id is missing' },
        { list: 'quizzes', count: 1, reason: 'the record is null' },
      ],
      alerts: alertsStatus(
        {
          refusedSignatures: [
            {
              at: since,
              tried: [{ scheme: 'body', problem: 'no X-Webhook-Signature header' }],
              headers: ['x-hub-signature-256'],
            },
            { at: since, tried: [{ scheme: 'body', problem: 'X-Webhook-Signature does not match' }], headers: [] },
            { at: since, tried: [], headers: [], path: '/webhooks/Quiz' },
          ],
          setAside: { count: 3, events: [event, { ...event, name: null }, { ...event, name: null, quizName: null }] },
        },
        { postponed: 2 },
      ),
      undelivered: { count: 2, lastAt: since },
      refused: { count: 3, lastAt: since, kinds: ['missing_scope', 'fatal_error'] },
    },
    { openRequests: 2 },
  ),
  'A direct message to administrators: the database lost its content': drawn({ heading: findingLine(lostContent) }),
  'A direct message to administrators: the database is an older one': drawn({ heading: findingLine(olderContent) }),
  'The summaries of the commands': [showStatus, whoAmI].map(({ summary }) => asSaid(summary)).join('\n'),
};
