import type { PlanPreview } from '../../../operations/operation-result.ts';
import { batchPlanMessage } from './batch-plan.ts';
import { importPlanMessage } from './import-plan.ts';
import { drawPage } from '../blocks/page.ts';
import type { Message } from '../blocks/message.ts';

/** What a plan would do, with the buttons that start and change it. */
export function previewMessage(preview: PlanPreview, offered: ReadonlySet<string>, timeZone: string): Message {
  const { plan, page, imported } = preview;
  if (page !== undefined) return drawPage(page, { offered, timeZone });
  if (plan.kind !== 'batch') throw new Error(`the preview of a ${plan.kind} has no page`);
  return imported ? importPlanMessage({ ...preview, plan }, imported) : batchPlanMessage({ ...preview, plan });
}
