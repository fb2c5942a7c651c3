import { operationNamed } from '../../../src/operations/catalog.ts';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { auditCheckPage, auditPage } from '../../../src/features/administration/pages/audit.ts';
import { drawn } from '../../support/as-sent.ts';
import type { Sample } from '../sample.ts';
import { closes, suspends, withoutChange } from './audit.ts';

const record = (entry: AuditEntry) => ({ entry });

/** Only the person who asks sees these, so that their mentions notify nobody. */
export const samples: readonly Sample[] = [
  {
    when: '/quiz-admin audit',
    shown: drawn(
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
  },
  {
    when: '/quiz-admin audit without the lists that people looked at',
    shown: drawn(auditPage({ hasMore: false, records: [record(suspends)], glances: 2 }, operationNamed)),
  },
  {
    when: '/quiz-admin audit without a match',
    shown: drawn(auditPage({ hasMore: false, records: [], glances: 0 }, operationNamed)),
  },
  {
    when: '/quiz-admin audit verify',
    shown: drawn(auditCheckPage({ kind: 'whole', count: 1_204, hash: 'abcdef0123456789abcdef' })),
  },
  ...(['gap', 'change', 'end', 'lost'] as const).map((problem) => ({
    when: `/quiz-admin audit verify: ${problem}`,
    shown: drawn(auditCheckPage({ kind: 'broken', at: 81, problem })),
  })),
];
