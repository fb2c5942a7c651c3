import type { AuditEntry } from '../../domain/audit-chain.ts';
import type { EvidenceEvent, EvidenceOrder } from '../../domain/evidence-order.ts';
import { evidenceQueue } from '../../domain/queue-names.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { Permissions } from '../../governance/rights/permissions.ts';
import type { Log } from '../../observability/log.ts';
import type { EvidenceOrders } from '../../operations/services/records.ts';
import type { Outbox } from '../../storage/storage.ts';
import type { Holidays } from '../../time/working-hours.ts';
import { createMonthlyPacks } from './monthly-packs.ts';
import { monthlyMachine } from './monthly-machine.ts';
import { eventsIn, freshMonthly, ordersAfter, type MonthlyState } from './monthly-state.ts';
import { monthAt } from './months.ts';
import { createSendPack, type FilePlatform } from './send-pack.ts';

/** What all entries about these orders have in place of a subscription. */
const evidenceEntries = 'evidence';
const eventsAtMost = 100;

/** The packs of evidence that people get every month. */
export interface MonthlyEvidence {
  service: (teamId: string) => EvidenceOrders;
  machine: (governance: { permissions: Pick<Permissions, 'contextOf'> }) => AnyMachine;
}

export function createMonthlyEvidence(deps: {
  outbox: Pick<Outbox, 'stateOf' | 'waiting'>;
  mail: Mail;
  platform: FilePlatform;
  audit: (teamId: string, entry: AuditEntry) => Promise<void>;
  holidays: Holidays;
  newId: () => string;
  log: Log;
  now: () => number;
}): MonthlyEvidence {
  const { outbox, mail, now } = deps;

  async function all(teamId: string): Promise<readonly EvidenceOrder[]> {
    const queue = evidenceQueue(teamId);
    // The entries first: what is applied between the two reads is applied again, which changes nothing.
    const events = eventsIn(await outbox.waiting(queue, { limit: eventsAtMost }));
    const { state = freshMonthly } = await outbox.stateOf<MonthlyState>(queue);
    return ordersAfter(state.orders, events);
  }

  const put = async (teamId: string, event: EvidenceEvent) =>
    mail.put([
      {
        queue: evidenceQueue(teamId),
        subscriptionId: evidenceEntries,
        at: now(),
        content: { kind: 'evidence-event', event },
      },
    ]);

  return {
    service: (teamId) => ({
      all: () => all(teamId),
      async add(wanted) {
        const orderedAt = now();
        const order = { ...wanted, id: deps.newId(), orderedAt, month: monthAt(orderedAt, wanted.timeZone) };
        await put(teamId, { kind: 'order', order });
        return order;
      },
      stop: async (id) => put(teamId, { kind: 'stop', id }),
    }),
    machine: ({ permissions }) =>
      monthlyMachine({
        packOf: createMonthlyPacks({ ...deps, permissions }),
        ...createSendPack(deps.platform, deps.log),
        record: deps.audit,
        holidays: deps.holidays,
      }),
  };
}
