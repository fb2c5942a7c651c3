import type { PlanContent } from '../../domain/plan.ts';
import { plannedBatch } from '../../features/batches/operations/planned-batch.ts';
import { plannedChange, plannedCampaign } from '../../features/campaigns/operations/planned.ts';
import type { PlanKind } from './plan-kind.ts';

type Kinds = { [Kind in PlanContent['kind']]: PlanKind<Extract<PlanContent, { kind: Kind }>> };

export const planKinds: Kinds = { batch: plannedBatch, campaign: plannedCampaign, 'campaign-change': plannedChange };

export function planKindOf(content: Pick<PlanContent, 'kind'>): PlanKind<PlanContent> {
  return planKinds[content.kind];
}
