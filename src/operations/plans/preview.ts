import type { Entered, Plan, PlanContent } from '../../domain/plan.ts';
import type { OperationContext } from '../context.ts';
import type { PlanPreview } from '../operation-result.ts';
import { planKindOf } from './plan-kinds.ts';

/** What the preview of a plan shows besides the plan. */
type PreviewDetails = Pick<PlanPreview, 'warning' | 'boardCode' | 'imported'>;

/** Stores what was worked out, also where nothing would change: “Change…” opens what was entered. */
export async function previewOf(
  { plans, actor }: Pick<OperationContext<'plans'>, 'plans' | 'actor'>,
  content: PlanContent,
  entered: Entered | undefined,
  details: PreviewDetails = {},
): Promise<PlanPreview> {
  const id = await plans.add({ personId: actor.personId, content, ...(entered && { entered }) });
  return {
    kind: 'preview',
    id,
    plan: content,
    canStart: !planKindOf(content).isEmpty(content),
    ...(entered && { entered }),
    ...details,
  };
}

/** The preview of a stored plan, as it was shown. */
export function shownAgain({ id, content, entered }: Plan): PlanPreview {
  return {
    kind: 'preview',
    id,
    plan: content,
    canStart: !planKindOf(content).isEmpty(content),
    ...(entered && { entered }),
    ...(content.kind === 'batch' && content.imported && { imported: content.imported }),
  };
}
