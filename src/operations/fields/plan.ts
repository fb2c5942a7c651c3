import type { Plan } from '../../domain/plan.ts';
import type { Target } from '../../domain/approval-request.ts';
import { needsApproval } from '../import/needs-approval.ts';
import { invalid, valueOf, type FieldBase, type FieldKind, type InputResolver } from './field-kind.ts';

/** A change that was worked out and shown, by its ID. Only buttons name it. */
export interface PlanField extends FieldBase {
  kind: 'plan';
  of: Plan['content']['kind'];
}

export const isGone = 'This preview is too old, or it was used already. Make a new one.';

export const planKind: FieldKind<PlanField, Plan> = {
  followsFromPlace: false,
  canName: () => true,
  split: (typed) => [typed.trim()],
  async resolve([id = ''], { of }, resolver) {
    const plan = await resolver.plans.byId(id);
    const { actor, rights } = resolver;
    // Administrators decide on the requests of others. What needs no approval, only its maker starts.
    const isTheirs = plan?.personId === actor.personId || (plan?.content.approval !== null && rights.has('administrator'));
    if (plan === undefined || plan.content.kind !== of || !isTheirs) return invalid(isGone);
    return withPresentRights(plan, resolver);
  },
  identify: ({ id }) => [id],
  describe: ({ content }) => (content.kind === 'campaign' ? `${content.quiz.name}, ${content.members.length.toLocaleString('en')} ${content.members.length === 1 ? 'person' : 'people'}` : content.action),
  targets: planTargets,
  // It never changes, and it is gone while it runs.
  refetch: async (plan) => plan,
  narrow: async () => [],
};

/** The maker can have lost rights since the plan was made. */
async function withPresentRights(plan: Plan, { visibility, rights, directory, call }: InputResolver) {
  const { content } = plan;
  if (content.approval !== null) return valueOf(plan);
  if (content.kind === 'batch') {
    const asksNow = content.operation === 'import-users' && !rights.has('administrator') && content.rows.some(needsApproval);
    return valueOf<Plan>(asksNow ? { ...plan, content: { ...content, approval: 'privileged' } } : plan);
  }
  if (!visibility.quiz({ quiz_id: content.quiz.id })) return invalid('You can’t see this quiz any more.');
  const users = await directory.users.names(call);
  const isTrained = content.members.every(({ userId }) => {
    const user = users.byId(userId);
    return user === undefined || visibility.trains(user);
  });
  return valueOf<Plan>(isTrained ? plan : { ...plan, content: { ...content, approval: 'other people' } });
}

function planTargets({ content }: Plan): Target[] {
  return content.kind === 'campaign' ? [{ kind: 'quiz', id: content.quiz.id, name: content.quiz.name, facts: { Name: content.quiz.name } }] : [];
}
