import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { auditCheckMessage, auditMessage } from '../../../src/slack/views/audit/audit-entries.ts';
import type { Sample } from '../sample.ts';
import { closes, suspends, withoutChange } from './audit.ts';

const record = (entry: AuditEntry) => ({ entry, link: { position: 1, text: '', hash: '' } });

/** Only the person who asks sees these, so that their mentions notify nobody. */
export const samples: readonly Sample[] = [
  {
    when: '/quiz-admin audit',
    shown: auditMessage(
      {
        kind: 'audit',
        hasMore: true,
        records: [
          ...(['requested', 'approved', 'denied', 'withdrawn', 'expired', 'failed'] as const).map((action) =>
            record({ ...suspends, action }),
          ),
          record(withoutChange({ ...closes, operation: 'show-results' })),
        ],
      },
      'UTC',
    ),
  },
  {
    when: '/quiz-admin audit without a match',
    shown: auditMessage({ kind: 'audit', hasMore: false, records: [] }, 'UTC'),
  },
  {
    when: '/quiz-admin audit verify',
    shown: auditCheckMessage({
      kind: 'audit-check',
      check: { kind: 'whole', count: 1_204, hash: 'abcdef0123456789abcdef' },
    }),
  },
  ...(['gap', 'change', 'end', 'lost'] as const).map((problem) => ({
    when: `/quiz-admin audit verify: ${problem}`,
    shown: auditCheckMessage({ kind: 'audit-check', check: { kind: 'broken', at: 81, problem } }),
  })),
];
