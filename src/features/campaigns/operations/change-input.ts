import type { CampaignTerms } from '../../../domain/campaign-plan.ts';
import { durationsKind } from '../../../operations/fields/durations.ts';
import { validityKind } from '../../../operations/fields/validity.ts';
import type { TextInput } from '../../../operations/text-input.ts';

const dayMs = 24 * 3_600_000;

/** A rule as `change` has it typed, which its form shows. */
export function inputOfTerms({ completeWhen, validity, standing, schedule }: CampaignTerms): TextInput {
  const { remindBeforeMs, overdueEveryMs, escalateAfterMs } = schedule;
  const days = (count: number) => durationsKind.identify([count * dayMs]);
  const each = (ms: number | undefined) => durationsKind.identify(ms === undefined ? [] : [ms]);
  return {
    ...(standing && { within: days(standing.withinDays) }),
    complete: [completeWhen],
    ...(validity && { valid: validityKind.identify(validity) }),
    ...(standing && validity && { renew: days(standing.renewDays) }),
    remind: durationsKind.identify([...remindBeforeMs]),
    overdue: each(overdueEveryMs),
    escalate: each(escalateAfterMs),
  };
}
