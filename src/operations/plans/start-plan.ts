import type { ChangePreview } from '../../domain/approval-request.ts';
import type { Plan, PlanContent } from '../../domain/plan.ts';
import type { OperationContext } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { defineOperation, type Operation, type RuleName } from '../operation.ts';
import type { DoneResult } from '../operation-result.ts';
import type { Page } from '../page.ts';
import { readPage } from '../text-input.ts';
import { batchWords } from '../../features/batches/operations/batch-words.ts';
import { goneMessage, refuseOld, planKinds } from './plan-kinds.ts';

/** How a plan stands now that it is to be started. Sentences of `domain/sentence.ts`. */
export interface PlanNow extends Required<Pick<ChangePreview, 'privileged' | 'changes'>> {
  /** What can go wrong. */
  warning?: string | undefined;
  /** Why another person cannot approve the start. */
  obstacle?: string | undefined;
}

type Named = Pick<Operation, 'name' | 'command' | 'summary' | 'right'> & Partial<Pick<Operation, 'title'>>;

interface Start<Content extends PlanContent> extends Named {
  /** As of an operation, by the content of the plan. */
  rules: readonly { name: RuleName; when?(content: Content): boolean }[];
  of: Content['kind'];
  /** What the plan is called in a form. */
  label: string;
  action(content: Content): string;
  effect(content: Content, createdAt: number): string;
  /** What its maker reads, where the content says it all. */
  done?(content: Content): DoneResult;
  /** Reads from the service what the plan depends on. `isDecision`: another person decides by it. */
  now(context: OperationContext, content: Content, how: { isDecision: boolean }): Promise<PlanNow>;
  /** @param by the maker of the plan: after an approval, the context is the reviewer’s */
  start(context: OperationContext, content: Content, by: string): Promise<DoneResult>;
}

/**
 * The operation that starts plans of one kind, each once: at once, after the person has read what has changed since the
 * preview, or after another person has.
 */
export function startOperation<Content extends PlanContent>({
  rules,
  of,
  label,
  action,
  effect,
  done,
  now,
  start,
  ...named
}: Start<Content>): Operation {
  const contentOf = ({ content }: Plan) => contentIn<Content>(content, of);
  return defineOperation({
    ...named,
    access: 'write',
    rules: rules.map(({ name, when }) => ({
      name,
      ...(when && { when: ({ plan }: { plan: Plan }) => when(contentOf(plan)) }),
    })),
    submit: 'Start',
    isTyped: false,
    makesNew: true,
    fields: { plan: { kind: 'plan', of, label } },
    action: ({ plan }) => action(contentOf(plan)),
    effect: (_, { plan }) => effect(contentOf(plan), plan.createdAt),
    ...(done && { done: ({ plan }: { plan: Plan }) => done(contentOf(plan)) }),
    plan(context, { plan }) {
      // Administrators can name the plans that they decide on.
      if (plan.personId !== context.actor.personId) throw new InvalidInputError('plan', goneMessage);
      return refuseOld(plan, context.now());
    },
    async review(context, { plan }) {
      const { privileged, changes, warning, obstacle } = await now(context, contentOf(plan), { isDecision: true });
      if (obstacle !== undefined) throw new InvalidInputError('plan', obstacle);
      return { privileged, changes: [...(warning === undefined ? [] : [warning]), ...changes] };
    },
    async warn(context, { plan }) {
      const { changes, warning } = await now(context, contentOf(plan), { isDecision: false });
      const since = changes.length === 0 ? undefined : batchWords.changedSince(changes);
      return [warning, since].filter((sentence) => sentence !== undefined).join(' ') || undefined;
    },
    async run(context, { plan }) {
      const content = contentOf(plan);
      if (!(await context.plans.take(plan.id))) throw new InvalidInputError('plan', planKinds[of].startedMessage);
      return start(context, content, plan.personId);
    },
  });
}

/** The operation that shows a plan whole, for the person who made it and for administrators who decide on it. */
export function viewOperation<Content extends PlanContent>({
  of,
  label,
  page: pageOf,
  ...named
}: Named & {
  of: Content['kind'];
  label: string;
  /** @param wanted its number, from 1 */
  page: (id: string, content: Content, wanted: number) => Page;
}): Operation {
  return defineOperation({
    ...named,
    access: 'read',
    submit: 'Show',
    isTyped: false,
    fields: {
      plan: { kind: 'plan', of, label },
      page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
    },
    run: async (_, { plan: { id, content }, page }) => ({
      kind: 'page',
      ...pageOf(id, contentIn<Content>(content, of), readPage(page)),
    }),
  });
}

/** @throws {InvalidInputError} where it is the plan of something else */
function contentIn<Content extends PlanContent>(content: PlanContent, of: Content['kind']): Content {
  if (content.kind !== of) throw new InvalidInputError('plan', goneMessage);
  return content as Content;
}
