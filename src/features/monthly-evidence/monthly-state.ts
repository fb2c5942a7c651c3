import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { EvidenceEvent, EvidenceOrder } from '../../domain/evidence-order.ts';
import type { QueueEntry } from '../../domain/queue-entry.ts';
import type { Rest } from '../../durable/rest.ts';

/** What the mailbox of a workspace keeps about packs that people get every month. */
export interface MonthlyState extends Rest {
  orders: readonly EvidenceOrder[];
  /** The pack whose file is being sent. */
  sending?: Sending | undefined;
  /** What was done and is not on the audit trail yet. */
  unrecorded?: readonly AuditEntry[] | undefined;
}

export interface Sending {
  orderId: string;
  to: string;
  /** What the file is found by, with the time. */
  fileName: string;
  /** In milliseconds since the epoch. */
  startedAt: number;
}

export const freshMonthly: MonthlyState = { orders: [], notBefore: 0 };

export function eventsIn(mail: readonly QueueEntry[]): EvidenceEvent[] {
  return mail.flatMap(({ content }) => (content.kind === 'evidence-event' ? [content.event] : []));
}

/** The orders after these events. Events that come twice change nothing the second time; a person gets each pack once. */
export function ordersAfter(
  orders: readonly EvidenceOrder[],
  events: readonly EvidenceEvent[],
): readonly EvidenceOrder[] {
  return events.reduce((known, event) => {
    if (event.kind === 'stop') return known.filter(({ id }) => id !== event.id);
    return known.some((one) => isSamePack(one, event.order)) ? known : [...known, event.order];
  }, orders);
}

/** Whether somebody would get the same pack twice. */
export function isSamePack(
  one: Pick<EvidenceOrder, 'to' | 'campaign'>,
  other: Pick<EvidenceOrder, 'to' | 'campaign'>,
): boolean {
  return one.to === other.to && one.campaign?.id === other.campaign?.id;
}
