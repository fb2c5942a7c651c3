import type { Plan, PlanContent } from '../../domain/plan.ts';
import { goneMessage, planKindOf, planKinds } from '../plans/plan-kinds.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';

/** A change that was worked out and shown, by its ID. Only buttons name it. */
export interface PlanField extends FieldBase {
  kind: 'plan';
  of: PlanContent['kind'];
}

export const planKind: FieldKind<PlanField, Plan> = {
  // It never changes, and it is gone while it runs.
  ...namesNothing,
  split: (typed) => [typed.trim()],
  async resolve([id = ''], { of }, resolver) {
    const { plans, actor, visibility } = resolver;
    const plan = await plans.byId(id);
    if (plan === undefined && (await plans.wasStarted(id, actor.personId)))
      return invalid(planKinds[of].startedMessage);
    if (plan?.content.kind !== of || planKindOf(plan.content).isEmpty(plan.content)) return invalid(goneMessage);
    const { content } = plan;
    // What needs no approval, only its maker starts.
    if (plan.personId !== actor.personId) return visibility.planOfOther(plan) ? valueOf(plan) : invalid(goneMessage);
    const judged = await planKindOf(content).judge(content, resolver);
    if (judged.kind !== 'value') return judged;
    return valueOf(content.approval === null ? { ...plan, content: judged.value } : plan);
  },
  identify: ({ id }) => [id],
  describe: ({ content }) => planKindOf(content).describe(content),
  targets: ({ content }) => planKindOf(content).targets(content),
};
