import type { BatchPlan } from '../../domain/batch.ts';
import type { OperationContext } from '../context.ts';
import type { OperationResult } from '../operation-result.ts';

/**
 * Stores a plan, and shows what it would do.
 *
 * @param warning what can go wrong, as a sentence
 */
export async function batchPreview({ plans, actor }: Pick<OperationContext, 'plans' | 'actor'>, plan: BatchPlan, warning?: string): Promise<Extract<OperationResult, { kind: 'batch-plan' }>> {
  const isEmpty = plan.rows.every(({ kind }) => kind === 'none');
  return { kind: 'batch-plan', id: isEmpty ? undefined : await plans.add(actor.personId, plan), plan, ...(warning !== undefined && { warning }) };
}
