import { inEnglish } from '../../domain/said.ts';
import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { EvidenceOrder, NoEvidence } from '../../domain/evidence-order.ts';
import { named } from '../../domain/sentence.ts';
import { monthInWords } from '../../operations/dates/month-words.ts';
import { sendEvidence } from '../evidence/send-evidence.ts';

/** The entry of the audit trail about a pack that a person got. Its correlation ID is that of the order. */
export function sentEntry(order: EvidenceOrder, people: number | undefined, at: number): AuditEntry {
  return entryOf(order, at, {
    action: 'done',
    details: [
      { label: 'Month', value: inEnglish(monthInWords(order.month)) },
      ...(people === undefined ? [] : [{ label: 'People', value: people.toLocaleString('en') }]),
    ],
  });
}

const missingWords = {
  'nothing ran': 'No campaign ran in that month.',
  over: 'The campaign is over.',
  orderer: 'The person who ordered it may not see it any more.',
  receiver: 'The person who gets it may not see it any more.',
  unreachable: 'The person who gets it can’t be reached.',
} as const satisfies Record<NoEvidence, string>;

/** The entry about a month without a pack. */
export function missingEntry(order: EvidenceOrder, why: NoEvidence, at: number): AuditEntry {
  const isRefused = why === 'orderer' || why === 'receiver';
  return entryOf(order, at, {
    action: isRefused ? 'refused' : 'failed',
    details: [{ label: 'Month', value: inEnglish(monthInWords(order.month)) }],
    message: missingWords[why],
  });
}

function entryOf(
  { id, by, toName, campaign }: EvidenceOrder,
  at: number,
  entry: Pick<AuditEntry, 'action' | 'message'> & Required<Pick<AuditEntry, 'details'>>,
): AuditEntry {
  const about = campaign === null ? 'all campaigns' : `the campaign for ${named(campaign.quizName)}`;
  return {
    at,
    correlationId: id,
    by,
    operation: sendEvidence.name,
    change: `send the monthly evidence on ${about}`,
    through: 'schedule',
    ...entry,
    details: [...entry.details, { label: 'To', value: toName }],
  };
}
