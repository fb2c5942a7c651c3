import type { Button } from '@slack/types';
import { say } from '../../../domain/said.ts';
import type { PlanContent } from '../../../domain/plan.ts';
import { runBatch, showRows } from '../../../features/batches/operations/run-batch.ts';
import { runChange, showChange } from '../../../features/campaigns/operations/run-change.ts';
import { runCampaign, showPlan } from '../../../features/campaigns/operations/run-campaign.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { PlanPreview } from '../../../operations/operation-result.ts';
import { operationButton } from '../blocks/buttons.ts';
import { plain } from '../blocks/mrkdwn.ts';

type Kind = PlanContent['kind'];

const starting: Readonly<Record<Kind, Operation>> = {
  batch: runBatch,
  campaign: runCampaign,
  'campaign-change': runChange,
};
const viewing: Readonly<Record<Kind, Operation>> = {
  batch: showRows,
  campaign: showPlan,
  'campaign-change': showChange,
};

/** The operation that shows the plans whole which this operation starts; undefined where it starts none. */
export function viewOf(name: string): Operation | undefined {
  const kind = (Object.keys(starting) as Kind[]).find((some) => starting[some].name === name);
  return kind && viewing[kind];
}

/** Opens the form with what was entered for a plan. */
export const changeActionId = 'change-plan';

/** The buttons that start, change and show a plan. What needs approval asks for the reason at once. */
export function planButtons(
  { id, plan, canStart, entered }: Pick<PlanPreview, 'id' | 'plan' | 'canStart' | 'entered'>,
  { startText = say`Start`, isViewed = true }: { startText?: string; isViewed?: boolean } = {},
): Button[] {
  const raw = { plan: [id] };
  const start = { operation: starting[plan.kind], raw, style: 'primary' } as const;
  const view = { text: say`View all`, doing: 'modal', operation: viewing[plan.kind], raw } as const;
  return [
    ...(canStart
      ? plan.approval === null
        ? operationButton('start', { ...start, text: startText, doing: 'replace' })
        : operationButton('start', { ...start, text: say`Request approval…`, doing: 'form' })
      : []),
    ...(canStart && isViewed ? operationButton('all', view) : []),
    ...(entered === undefined ? [] : [changeButton(id)]),
  ];
}

/** It names the plan alone: the input of many people is longer than the value of a button. */
function changeButton(id: string): Button {
  return { type: 'button', action_id: changeActionId, text: plain(say`Change…`), value: id };
}
