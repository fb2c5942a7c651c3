import type { Plan } from '../../domain/plan.ts';
import type { Target } from '../../domain/approval-request.ts';
import { InvalidInputError } from '../errors.ts';
import { needsApproval } from '../import/needs-approval.ts';
import { invalid, valueOf, type FieldBase, type FieldKind, type InputResolver } from './field-kind.ts';

/** A change that was worked out and shown, by its ID. Only buttons name it. */
export interface PlanField extends FieldBase {
  kind: 'plan';
  of: Plan['content']['kind'];
}

/** So long after it was made, a plan can be started. */
export const startableMs = 14 * 24 * 60 * 60_000;

const isGone = 'This preview is too old, or it was started already.';
const changeOrType = 'Press “Change…” or type the command again for a new one.';
/** What a campaign’s “Change…” opens is gone with its plan. */
export const goneMessages: Readonly<Record<PlanField['of'], string>> = {
  batch: `${isGone} ${changeOrType}`,
  campaign: `${isGone} Type the command again for a new one.`,
};
const startedMessages: Readonly<Record<PlanField['of'], string>> = {
  batch: 'This was started already. Your direct messages with the bot show how far it is.',
  campaign: 'This campaign was started already. /quiz-campaign list shows it.',
};

/** @throws {InvalidInputError} where the plan is too old to be started. A request that waits for approval can still be decided. */
export function refuseOld({ createdAt }: Plan, now: number): undefined {
  if (now - createdAt > startableMs)
    throw new InvalidInputError(
      'plan',
      `This preview is more than 14 days old, and a lot may have changed. ${changeOrType}`,
    );
}

export const planKind: FieldKind<PlanField, Plan> = {
  followsFromPlace: false,
  canName: () => true,
  split: (typed) => [typed.trim()],
  async resolve([id = ''], { of }, resolver) {
    const plan = await resolver.plans.byId(id);
    const { actor, rights } = resolver;
    // Administrators decide on the requests of others. What needs no approval, only its maker starts.
    const isTheirs =
      plan?.personId === actor.personId || (plan?.content.approval !== null && rights.has('administrator'));
    if (plan === undefined && (await resolver.plans.wasStarted(id, actor.personId)))
      return invalid(startedMessages[of]);
    if (plan === undefined || plan.content.kind !== of || !isTheirs) return invalid(goneMessages[of]);
    return withPresentRights(plan, resolver);
  },
  identify: ({ id }) => [id],
  describe: ({ content }) =>
    content.kind === 'campaign'
      ? `${content.quiz.name}, ${content.members.length.toLocaleString('en')} ${content.members.length === 1 ? 'person' : 'people'}`
      : content.action,
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
    const asksNow =
      content.operation === 'import-users' && !rights.has('administrator') && content.rows.some(needsApproval);
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
  return content.kind === 'campaign'
    ? [{ kind: 'quiz', id: content.quiz.id, name: content.quiz.name, facts: { Name: content.quiz.name } }]
    : [];
}
