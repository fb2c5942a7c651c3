import { moment } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import { reopenPreview } from '../../../features/batches/operations/reopen-preview.ts';
import { say } from '../../../domain/said.ts';
import type { Plan } from '../../../domain/plan.ts';
import { planKind } from '../../../operations/fields/plan.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { operationButton } from '../blocks/buttons.ts';
import { section } from '../blocks/mrkdwn.ts';

/** The previews that a person made and did not start, each with a button that shows it again. */
export function openPreviewBlocks(plans: readonly Plan[], timeZone: string): KnownBlock[] {
  if (plans.length === 0) return [];
  const items = plans.map((plan, at): KnownBlock => {
    const [button] = operationButton(`reopen-${at + 1}`, {
      text: say`Open preview`,
      doing: 'replace',
      operation: reopenPreview,
      raw: { plan: [plan.id] },
    });
    const what = capitalized(planKind.describe(plan, { kind: 'plan', of: 'batch', label: '' }));
    const text = section(say`📋 ${what}\nPreview of ${moment(plan.createdAt, timeZone)}, not started`);
    return button ? { ...text, accessory: button } : text;
  });
  return [...items, { type: 'divider' }];
}
