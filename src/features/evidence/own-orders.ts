import type { EvidenceOrder } from '../../domain/evidence-order.ts';
import type { OperationContext } from '../../operations/context.ts';

/** The orders that a person sees and stops: those they made, and those of packs that they get; administrators see all. */
export async function ownOrders({
  actor,
  rights,
  evidenceOrders,
}: OperationContext<'evidenceOrders'>): Promise<readonly EvidenceOrder[]> {
  const orders = await evidenceOrders.all();
  if (rights.has('administrator')) return orders;
  return orders.filter(({ by, to }) => by === actor.personId || to === actor.personId);
}
