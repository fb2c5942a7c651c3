import type { BatchProgress } from '../../domain/batch.ts';
import { plainSentence, say } from '../../domain/said.ts';
import { invalid, usualKind, valueOf, type FieldBase, type FieldKind, type ResolvedValue } from './field-kind.ts';
import type { Plan, PlanContent } from '../../domain/plan.ts';
import type { Target } from '../../domain/approval-request.ts';
import type { OperationContext, Right } from '../context.ts';

/** Many changes that run in the background, by their ID. Only buttons name it. */
interface BatchField extends FieldBase {
  kind: 'batch';
}

export const batchKind: FieldKind<BatchField, BatchProgress> = {
  ...usualKind,
  async resolve([id = ''], _field, { batches, actor, rights }) {
    const progress = await batches.progress(id);
    if (progress === undefined) return invalid(say`This change is no longer on record.`);
    const isTheirs = progress.batch.ownerId === actor.personId || rights.has('administrator');
    return isTheirs
      ? valueOf(progress)
      : invalid(say`Only the person who started this change, and administrators, can do that.`);
  },
  identify: ({ batch }) => [batch.id],
  describe: ({ batch }) => plainSentence(batch.action),
};

/** What is asked of a plan where it is named, by the kind of its content. */
export interface NamedPlan<Content extends PlanContent = PlanContent> {
  right: Right;
  /** Whether starting it would change nothing. */
  isEmpty(content: Content): boolean;
  describe(content: Content): string;
  targets(content: Content): Target[];
  /** The content as its maker may start it now: with fewer rights than at the preview it can need approval, or be refused. */
  judge(content: Content, context: OperationContext): Promise<ResolvedValue<Content>>;
  /** What its maker reads who starts it again. */
  startedMessage: string;
}

/** `definePlan` makes each kind known. */
export const planKinds = new Map<PlanContent['kind'], NamedPlan>();

/** Of a plan that cannot be started any more, or is another person’s. */
export const goneMessage = say`This preview is too old, or it was started already. Type the command again for a new one.`;

/** A change that was worked out and shown, by its ID. Only buttons name it. */
interface PlanField extends FieldBase {
  kind: 'plan';
  /** Undefined: of any kind. */
  of?: PlanContent['kind'];
}

export const planKind: FieldKind<PlanField, Plan> = {
  // It never changes, and it is gone while it runs.
  ...usualKind,
  async resolve([id = ''], { of }, resolver) {
    const { plans, actor, visibility, rights } = resolver;
    const plan = await plans.byId(id);
    if (plan === undefined && (await plans.wasStarted(id, actor.personId)))
      return invalid(of === undefined ? goneMessage : planKinds.get(of)!.startedMessage);
    if (plan === undefined || (of !== undefined && plan.content.kind !== of)) return invalid(goneMessage);
    const { content } = plan;
    const kind = planKinds.get(content.kind)!;
    if (kind.isEmpty(content)) return invalid(goneMessage);
    // What needs no approval, only its maker starts.
    if (plan.personId !== actor.personId) return visibility.planOfOther(plan) ? valueOf(plan) : invalid(goneMessage);
    if (!rights.has(kind.right)) return invalid(goneMessage);
    const judged = await kind.judge(content, resolver);
    if (judged.kind !== 'value') return judged;
    return valueOf(content.approval === null ? { ...plan, content: judged.value } : plan);
  },
  identify: ({ id }) => [id],
  describe: ({ content }) => planKinds.get(content.kind)!.describe(content),
  targets: ({ content }) => planKinds.get(content.kind)!.targets(content),
};

/** Whether a user, by their ID, has left the platform. Rows of many changes name it that are made while it is so. */
export interface DepartureField extends FieldBase {
  kind: 'departure';
  optional: true;
  typedOnly: true;
}

interface Departure {
  userId: string;
  /** As far as the bot knows. */
  isGone: boolean;
}

export const departureKind: FieldKind<DepartureField, Departure> = {
  ...usualKind,
  split: () => [],
  async resolve([userId = ''], _field, { departures }) {
    const left = await departures.left();
    return valueOf({ userId, isGone: left?.some((one) => one.userId === userId) === true });
  },
  identify: ({ userId }) => [userId],
  describe: ({ isGone }) => (isGone ? say`yes` : say`no`),
};
