import type { BatchProgress } from '../../domain/batch.ts';
import { plainSentence } from '../../domain/sentence.ts';
import { invalid, usualKind, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';
import type { Plan, PlanContent } from '../../domain/plan.ts';
import { goneMessage, planKindOf } from '../define-plan.ts';

/** Many changes that run in the background, by their ID. Only buttons name it. */
interface BatchField extends FieldBase {
  kind: 'batch';
}

export const batchKind: FieldKind<BatchField, BatchProgress> = {
  ...usualKind,
  split: (typed) => [typed.trim()],
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

/** A change that was worked out and shown, by its ID. Only buttons name it. */
interface PlanField extends FieldBase {
  kind: 'plan';
  /** Undefined: of any kind. */
  of?: PlanContent['kind'];
}

export const planKind: FieldKind<PlanField, Plan> = {
  // It never changes, and it is gone while it runs.
  ...usualKind,
  split: (typed) => [typed.trim()],
  async resolve([id = ''], { of }, resolver) {
    const { plans, actor, visibility, rights } = resolver;
    const plan = await plans.byId(id);
    if (plan === undefined && (await plans.wasStarted(id, actor.personId)))
      return invalid(of === undefined ? goneMessage : planKindOf({ kind: of }).startedMessage);
    if (plan === undefined || (of !== undefined && plan.content.kind !== of)) return invalid(goneMessage);
    const { content } = plan;
    const kind = planKindOf(content);
    if (kind.isEmpty(content)) return invalid(goneMessage);
    // What needs no approval, only its maker starts.
    if (plan.personId !== actor.personId) return visibility.planOfOther(plan) ? valueOf(plan) : invalid(goneMessage);
    if (!rights.has(kind.right)) return invalid(goneMessage);
    const judged = await kind.judge(content, resolver);
    if (judged.kind !== 'value') return judged;
    return valueOf(content.approval === null ? { ...plan, content: judged.value } : plan);
  },
  identify: ({ id }) => [id],
  describe: ({ content }) => planKindOf(content).describe(content),
  targets: ({ content }) => planKindOf(content).targets(content),
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
