import { operationNamed } from '../../../src/operations/catalog.ts';
import type { AuditAction, AuditEntry } from '../../../src/domain/audit-chain.ts';
import {
  auditChannelClosedNote,
  auditPostPage,
  auditCheckPage,
  auditPage,
} from '../../../src/features/administration/pages/audit.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { drawn } from '../../support/as-sent.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import type { Samples } from '../collect.ts';

const at = Date.UTC(2026, 10, 20, 9);
export const closes = auditEntry({ at, by: 'U0000ERIN', change: 'close ⁨Fire safety⁩' });
export const suspends: AuditEntry = {
  ...closes,
  operation: 'suspend-user',
  change: 'suspend ⁨Rosa Almeida⁩',
  request: 'request-1',
  targets: [{ kind: 'user', id: 'u-1', name: 'Rosa Almeida' }],
};
const line = (entry: AuditEntry, who: string) =>
  drawn(auditPostPage({ kind: 'audit-changes', items: [{ entry, who }] }, operationNamed));
const startsBatch: AuditEntry = { ...suspends, operation: 'run-batch', change: 'suspend 40 users', targets: [] };
const ofRequest = (...steps: [AuditAction, string, string?][]) => requestOf(suspends, ...steps);
const requestOf = (entry: AuditEntry, ...steps: [AuditAction, string, string?][]) =>
  drawn(
    auditPostPage(
      {
        kind: 'audit-request',
        entries: steps.map(([action, name, message], index) => ({
          entry: { ...entry, at: at + index * 60_000, action, ...(message !== undefined && { message }) },
          who: name,
        })),
      },
      operationNamed,
    ),
  );
/** As version 1.2 recorded it, or a read. */
export const withoutChange = ({ change: _change, ...entry }: AuditEntry): AuditEntry => entry;

const record = (entry: AuditEntry) => ({ entry });

/** Only the person who asks sees these, so that their mentions notify nobody. */
const trail: Samples = {
  '/quiz-admin audit': drawn(
    auditPage(
      {
        hasMore: true,
        glances: 0,
        records: [
          ...(['requested', 'approved', 'denied', 'withdrawn', 'expired', 'failed'] as const).map((action) =>
            record({ ...suspends, action }),
          ),
          record(withoutChange({ ...closes, operation: 'show-results' })),
        ],
      },
      operationNamed,
    ),
  ),
  '/quiz-admin audit without the lists that people looked at': drawn(
    auditPage({ hasMore: false, records: [record(suspends)], glances: 2 }, operationNamed),
  ),
  '/quiz-admin audit without a match': drawn(auditPage({ hasMore: false, records: [], glances: 0 }, operationNamed)),
  '/quiz-admin audit verify': drawn(auditCheckPage({ kind: 'whole', count: 1_204, hash: 'abcdef0123456789abcdef' })),
  ...Object.fromEntries(
    (['gap', 'change', 'end', 'lost'] as const).map((problem) => [
      `/quiz-admin audit verify: ${problem}`,
      drawn(auditCheckPage({ kind: 'broken', at: 81, problem })),
    ]),
  ),
};

export const samples: Samples = {
  'The audit channel: a change': line(closes, 'Erin Castellanos'),
  'The audit channel: a new user': line(
    { ...closes, operation: 'create-user', change: 'create ⁨Kim Doe⁩ as a respondent', targets: [] },
    'Uma Devi',
  ),
  'The audit channel: a change recorded by version 1.2': line(withoutChange(closes), 'Erin Castellanos'),
  'The audit channel: a change that was made in part': line(
    {
      ...closes,
      operation: 'assign-quiz',
      change: 'assign ⁨Fire safety⁩ to ⁨Kim Doe⁩ and ⁨Rosa Almeida⁩',
      notMade: ['Couldn’t assign it to ⁨Rosa Almeida⁩: the bot restarted before it could send this.'],
    },
    'Erin Castellanos',
  ),
  'The audit channel: a change by someone who is not in Slack any more': line(closes, 'Someone who has left'),
  'The audit channel: a failure': line(
    {
      ...closes,
      action: 'failed',
      message: 'The quiz service isn’t answering right now. Try again in a minute (reference a1b2c3d4).',
    },
    'Erin Castellanos',
  ),
  'The audit channel: a refusal': line(
    { ...closes, action: 'refused', message: 'Only trainers can do this.' },
    'Rosa Almeida',
  ),
  'The audit channel: a refused decision': line(
    {
      ...suspends,
      through: 'approval',
      action: 'refused',
      message: 'Only administrators of the quiz account can do this.',
    },
    'Nora Fields',
  ),
  'The audit channel: a decision on a request that does not exist': line(
    {
      ...closes,
      operation: 'decide-request',
      through: 'approval',
      action: 'refused',
      message: 'There’s no such request.',
    },
    'Nora Fields',
  ),
  'The audit channel: a person of another workspace': line(
    { ...closes, operation: 'enter', action: 'refused' },
    'Someone',
  ),
  'The audit channel: several refusals': drawn(
    auditPostPage(
      {
        kind: 'audit-refusals',
        who: 'Rosa Almeida',
        refusals: { since: at, counts: { 'close-quiz': 10, 'delete-user': 1 } },
      },
      operationNamed,
    ),
  ),
  'The audit channel: a request': ofRequest(['requested', 'Tom Lindqvist']),
  'The audit channel: a request that was approved and carried out': ofRequest(
    ['requested', 'Tom Lindqvist'],
    ['approved', 'Ada Okafor', 'Fine by me'],
    ['done', 'Ada Okafor'],
  ),
  'The audit channel: a request that was approved and started': requestOf(
    startsBatch,
    ['requested', 'Tom Lindqvist'],
    ['approved', 'Ada Okafor'],
    ['done', 'Ada Okafor'],
  ),
  'The audit channel: a request that failed and was denied': ofRequest(
    ['requested', 'Tom Lindqvist'],
    ['approved', 'Ada Okafor'],
    ['failed', 'Ada Okafor', 'The quiz service isn’t answering right now.'],
    ['denied', 'Erin Castellanos', 'Not now'],
  ),
  'The audit channel: a request that was withdrawn': ofRequest(
    ['requested', 'Tom Lindqvist'],
    ['withdrawn', 'Tom Lindqvist'],
  ),
  'The audit channel: a request that expired': ofRequest(['requested', 'Tom Lindqvist'], ['expired', 'The bot']),
  'The audit channel: the trail lost entries': drawn(
    auditPostPage({ kind: 'audit-missing', missing: { knownPosition: 120, lastPosition: 80 } }, operationNamed),
  ),
  'An administrator: the audit channel is archived': drawn(
    auditChannelClosedNote('C0AUDIT', closedReason('is_archived')),
  ),
  'An administrator: the bot lacks a permission to post in the audit channel': drawn(
    auditChannelClosedNote('C0AUDIT', closedReason('missing_scope')),
  ),
  ...trail,
};
