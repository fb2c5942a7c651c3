import { operationNamed } from '../../../src/operations/catalog.ts';
import type { AuditAction, AuditEntry } from '../../../src/domain/audit-chain.ts';
import { auditChannelClosedNote, auditPostPage } from '../../../src/features/administration/pages/audit.ts';
import { closedReason } from '../../../src/slack/errors.ts';
import { drawn } from '../../support/as-sent.ts';
import type { Sample } from '../sample.ts';

const at = Date.UTC(2026, 10, 20, 9);
export const closes: AuditEntry = {
  at,
  correlationId: 'a1b2c3d4',
  by: 'U0000ERIN',
  operation: 'close-quiz',
  change: 'close ⁨Fire safety⁩',
  action: 'done',
  through: 'command',
  targets: [{ kind: 'quiz', id: 'q-1', name: 'Fire safety' }],
};
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

export const samples: readonly Sample[] = [
  { when: 'The audit channel: a change', shown: line(closes, 'Erin Castellanos') },
  {
    when: 'The audit channel: a new user',
    shown: line(
      { ...closes, operation: 'create-user', change: 'create ⁨Kim Doe⁩ as a respondent', targets: [] },
      'Uma Devi',
    ),
  },
  {
    when: 'The audit channel: a change recorded by version 1.2',
    shown: line(withoutChange(closes), 'Erin Castellanos'),
  },
  {
    when: 'The audit channel: a change that was made in part',
    shown: line(
      {
        ...closes,
        operation: 'assign-quiz',
        change: 'assign ⁨Fire safety⁩ to ⁨Kim Doe⁩ and ⁨Rosa Almeida⁩',
        notMade: ['Couldn’t assign it to ⁨Rosa Almeida⁩: the bot restarted before it could send this.'],
      },
      'Erin Castellanos',
    ),
  },
  {
    when: 'The audit channel: a change by someone who is not in Slack any more',
    shown: line(closes, 'Someone who has left'),
  },
  {
    when: 'The audit channel: a failure',
    shown: line(
      {
        ...closes,
        action: 'failed',
        message: 'The quiz service isn’t answering right now. Try again in a minute (reference a1b2c3d4).',
      },
      'Erin Castellanos',
    ),
  },
  {
    when: 'The audit channel: a refusal',
    shown: line({ ...closes, action: 'refused', message: 'Only trainers can do this.' }, 'Rosa Almeida'),
  },
  {
    when: 'The audit channel: a refused decision',
    shown: line(
      {
        ...suspends,
        through: 'approval',
        action: 'refused',
        message: 'Only administrators of the quiz account can do this.',
      },
      'Nora Fields',
    ),
  },
  {
    when: 'The audit channel: a decision on a request that does not exist',
    shown: line(
      {
        ...closes,
        operation: 'decide-request',
        through: 'approval',
        action: 'refused',
        message: 'There’s no such request.',
      },
      'Nora Fields',
    ),
  },
  {
    when: 'The audit channel: a person of another workspace',
    shown: line({ ...closes, operation: 'enter', action: 'refused' }, 'Someone'),
  },
  {
    when: 'The audit channel: several refusals',
    shown: drawn(
      auditPostPage(
        {
          kind: 'audit-refusals',
          who: 'Rosa Almeida',
          refusals: { since: at, counts: { 'close-quiz': 10, 'delete-user': 1 } },
        },
        operationNamed,
      ),
    ),
  },
  { when: 'The audit channel: a request', shown: ofRequest(['requested', 'Tom Lindqvist']) },
  {
    when: 'The audit channel: a request that was approved and carried out',
    shown: ofRequest(['requested', 'Tom Lindqvist'], ['approved', 'Ada Okafor', 'Fine by me'], ['done', 'Ada Okafor']),
  },
  {
    when: 'The audit channel: a request that was approved and started',
    shown: requestOf(startsBatch, ['requested', 'Tom Lindqvist'], ['approved', 'Ada Okafor'], ['done', 'Ada Okafor']),
  },
  {
    when: 'The audit channel: a request that failed and was denied',
    shown: ofRequest(
      ['requested', 'Tom Lindqvist'],
      ['approved', 'Ada Okafor'],
      ['failed', 'Ada Okafor', 'The quiz service isn’t answering right now.'],
      ['denied', 'Erin Castellanos', 'Not now'],
    ),
  },
  {
    when: 'The audit channel: a request that was withdrawn',
    shown: ofRequest(['requested', 'Tom Lindqvist'], ['withdrawn', 'Tom Lindqvist']),
  },
  {
    when: 'The audit channel: a request that expired',
    shown: ofRequest(['requested', 'Tom Lindqvist'], ['expired', 'The bot']),
  },
  {
    when: 'The audit channel: the trail lost entries',
    shown: drawn(
      auditPostPage({ kind: 'audit-missing', missing: { knownPosition: 120, lastPosition: 80 } }, operationNamed),
    ),
  },
  {
    when: 'An administrator: the audit channel is archived',
    shown: drawn(auditChannelClosedNote('C0AUDIT', closedReason('is_archived'))),
  },
  {
    when: 'An administrator: the bot lacks a permission to post in the audit channel',
    shown: drawn(auditChannelClosedNote('C0AUDIT', closedReason('missing_scope'))),
  },
];
