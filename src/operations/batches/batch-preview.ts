import type { BatchPlan } from '../../domain/batch.ts';
import type { OperationContext } from '../context.ts';
import type { OperationResult } from '../operation-result.ts';

type BatchPreview = Extract<OperationResult, { kind: 'batch-plan' }>;

/** Stores a plan, and shows what it would do. */
export async function batchPreview(
  { plans, actor }: Pick<OperationContext, 'plans' | 'actor'>,
  plan: BatchPlan,
  more: Pick<BatchPreview, 'entered' | 'warning'> = {},
): Promise<BatchPreview> {
  const isEmpty = plan.rows.every(({ kind }) => kind === 'none');
  return { kind: 'batch-plan', id: isEmpty ? undefined : await plans.add(actor.personId, plan), plan, ...more };
}
