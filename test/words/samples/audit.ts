import type { AuditAction, AuditEntry } from '../../../src/domain/audit-chain.ts';
import { auditCheckMessage, auditedRequest, auditLine, auditMessage, missingEntriesMessage, refusalsLine } from '../../../src/slack/views/audit.ts';
import type { Sample } from '../sample.ts';

const at = Date.UTC(2026, 10, 20, 9);
const closes: AuditEntry = {
  at,
  correlationId: 'a1b2c3d4',
  by: 'UERIN',
  operation: 'close-quiz',
  change: 'close ⁨Fire safety⁩',
  action: 'done',
  through: 'command',
  targets: [{ kind: 'quiz', id: 'q-1', name: 'Fire safety' }],
};
const suspends: AuditEntry = {
  ...closes,
  operation: 'suspend-user',
  change: 'suspend ⁨Rosa Almeida⁩',
  request: 'request-1',
  targets: [{ kind: 'user', id: 'u-1', name: 'Rosa Almeida' }],
};
const line = (entry: AuditEntry, name: string) => ({ text: auditLine({ entry, who: { mrkdwn: name } }, 'UTC').mrkdwn, blocks: [] });
const ofRequest = (...steps: [AuditAction, string, string?][]) =>
  auditedRequest(steps.map(([action, name, message], index) => ({ entry: { ...suspends, at: at + index * 60_000, action, ...(message !== undefined && { message }) }, who: { mrkdwn: name } })), 'UTC');
/** As version 1.2 recorded it, or a read. */
const withoutChange = ({ change: _change, ...entry }: AuditEntry): AuditEntry => entry;
const record = (entry: AuditEntry) => ({ entry, link: { position: 1, text: '', hash: '' } });

export const samples: readonly Sample[] = [
  { when: 'The audit channel: a change', shown: line(closes, 'Erin Castellanos') },
  { when: 'The audit channel: a new user', shown: line({ ...closes, operation: 'create-user', change: 'create ⁨Kim Doe⁩ as a respondent', targets: [] }, 'Uma Devi') },
  { when: 'The audit channel: a change recorded by version 1.2', shown: line(withoutChange(closes), 'Erin Castellanos') },
  { when: 'The audit channel: a change by someone who is not in Slack any more', shown: line(closes, 'Someone who has left') },
  { when: 'The audit channel: a failure', shown: line({ ...closes, action: 'failed', message: 'The quiz service isn’t answering right now. Try again in a minute (reference a1b2c3d4).' }, 'Erin Castellanos') },
  { when: 'The audit channel: a refusal', shown: line({ ...closes, action: 'refused', message: 'Only trainers can do this.' }, 'Rosa Almeida') },
  { when: 'The audit channel: a refused decision', shown: line({ ...suspends, through: 'approval', action: 'refused', message: 'Only administrators of the quiz account can do this.' }, 'Nora Fields') },
  { when: 'The audit channel: a decision on a request that does not exist', shown: line({ ...closes, operation: 'decide-request', through: 'approval', action: 'refused', message: 'There’s no such request.' }, 'Nora Fields') },
  { when: 'The audit channel: a person of another workspace', shown: line({ ...closes, operation: 'enter', action: 'refused' }, 'Someone') },
  { when: 'The audit channel: several refusals', shown: { text: refusalsLine({ mrkdwn: 'Rosa Almeida' }, { since: at, counts: { 'close-quiz': 10, 'delete-user': 1 } }, 'UTC').mrkdwn, blocks: [] } },
  { when: 'The audit channel: a request', shown: ofRequest(['requested', 'Tom Lindqvist']) },
  { when: 'The audit channel: a request that was approved and carried out', shown: ofRequest(['requested', 'Tom Lindqvist'], ['approved', 'Ada Okafor', 'Fine by me'], ['done', 'Ada Okafor']) },
  { when: 'The audit channel: a request that failed and was denied', shown: ofRequest(['requested', 'Tom Lindqvist'], ['approved', 'Ada Okafor'], ['failed', 'Ada Okafor', 'The quiz service isn’t answering right now.'], ['denied', 'Erin Castellanos', 'Not now']) },
  { when: 'The audit channel: a request that was withdrawn', shown: ofRequest(['requested', 'Tom Lindqvist'], ['withdrawn', 'Tom Lindqvist']) },
  { when: 'The audit channel: a request that expired', shown: ofRequest(['requested', 'Tom Lindqvist'], ['expired', 'The bot']) },
  { when: 'The audit channel: the trail lost entries', shown: missingEntriesMessage({ knownPosition: 120, lastPosition: 80 }) },
  {
    when: '/quiz-admin audit',
    shown: auditMessage({ kind: 'audit', hasMore: true, records: [...(['requested', 'approved', 'denied', 'withdrawn', 'expired', 'failed'] as const).map((action) => record({ ...suspends, action })), record(withoutChange({ ...closes, operation: 'show-results' }))] }, 'UTC'),
  },
  { when: '/quiz-admin audit without a match', shown: auditMessage({ kind: 'audit', hasMore: false, records: [] }, 'UTC') },
  { when: '/quiz-admin audit verify', shown: auditCheckMessage({ kind: 'audit-check', check: { kind: 'whole', count: 1_204, hash: 'abcdef0123456789abcdef' } }) },
  ...(['gap', 'change', 'end', 'lost'] as const).map((problem) => ({ when: `/quiz-admin audit verify: ${problem}`, shown: auditCheckMessage({ kind: 'audit-check', check: { kind: 'broken', at: 81, problem } }) })),
];
