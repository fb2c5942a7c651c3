import type { OperationResult, PlanPreview } from '../../../operations/operation-result.ts';
import { batchPlanMessage, plannedRowsMessage } from './batch-plan.ts';
import { campaignPlanMessage } from '../campaigns/campaign-plan.ts';
import { plannedPeopleMessage } from '../campaigns/planned-people.ts';
import { campaignChangeMessage, changedPeopleMessage } from '../campaigns/campaign-change.ts';
import { importPlanMessage } from './import-plan.ts';
import type { Message } from '../blocks/message.ts';

/** What a plan would do, with the buttons that start and change it. */
export function previewMessage(preview: PlanPreview, offered: ReadonlySet<string>, timeZone: string): Message {
  const { plan, imported } = preview;
  if (plan.kind === 'campaign') return campaignPlanMessage({ ...preview, plan }, offered, timeZone);
  if (plan.kind === 'campaign-change') return campaignChangeMessage({ ...preview, plan }, timeZone);
  return imported ? importPlanMessage({ ...preview, plan }, imported) : batchPlanMessage({ ...preview, plan });
}

/** A page of a plan, whole. */
export function plannedMessage({ id, plan, page }: Extract<OperationResult, { kind: 'planned' }>): Message {
  switch (plan.kind) {
    case 'campaign':
      return plannedPeopleMessage(id, plan, page);
    case 'campaign-change':
      return changedPeopleMessage(id, plan, page);
    case 'batch':
      return plannedRowsMessage(id, plan, page);
  }
}
