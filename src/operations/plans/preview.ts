import type { Entered, PlanContent } from '../../domain/plan.ts';
import type { OperationContext } from '../context.ts';
import { say } from '../../domain/said.ts';
import { formStep, modalStep, replaceStep } from '../next-step.ts';
import type { Preview } from '../operation-result.ts';
import type { Step } from '../page.ts';
import { planKindOf, planKinds } from './plan-kinds.ts';

/** Stores what was worked out, also where nothing would change: “Change…” opens what was entered. */
export async function previewOf<Content extends PlanContent>(
  { plans, actor }: Pick<OperationContext, 'plans' | 'actor'>,
  content: Content,
  entered: Entered | undefined,
): Promise<Preview<Content>> {
  const id = await plans.add({ personId: actor.personId, content, ...(entered && { entered }) });
  return shownAgain(id, content, entered);
}

/** The preview of a stored plan, as it was shown. */
export function shownAgain<Content extends PlanContent>(
  id: string,
  plan: Content,
  entered: Entered | undefined,
): Preview<Content> {
  return { kind: 'preview', id, plan, canStart: !planKindOf(plan).isEmpty(plan), ...(entered && { entered }) };
}

/** The operation that shows the plans whole which this operation starts; undefined where it starts none. */
export function viewOf(name: string): { name: string } | undefined {
  return Object.values(planKinds).find(({ start }) => start.name === name)?.view;
}

/**
 * The buttons that start, change and show a plan. What needs approval asks for the reason at once. **Change…** names the plan alone: the
 * input of many people is longer than a button holds.
 */
export function planSteps(
  { id, plan, canStart, entered }: Omit<Preview, 'kind'>,
  { startText = say`Start`, isViewed = true, isMain }: { startText?: string; isViewed?: boolean; isMain?: true } = {},
): Step[] {
  const { start, view } = planKindOf(plan);
  const input = { plan: [id] };
  const starting =
    plan.approval === null ? replaceStep(startText, start, input) : formStep(say`Request approval…`, start, input);
  return [
    ...(canStart
      ? [{ ...starting, style: 'primary', ...(isMain && plan.approval === null && { isMain }) } as const]
      : []),
    ...(canStart && isViewed ? [modalStep(say`View all`, view, input)] : []),
    ...(entered === undefined ? [] : [formStep(say`Change…`, { name: entered.operation }, input)]),
  ];
}
