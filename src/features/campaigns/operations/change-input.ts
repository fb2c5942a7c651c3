import type { RuleChange } from '../../../domain/campaign.ts';
import type { CampaignTerms } from '../../../domain/campaign-plan.ts';
import { durationsKind } from '../../../operations/fields/durations.ts';
import { validityKind } from '../../../operations/fields/validity.ts';
import type { TextInput } from '../../../operations/text-input.ts';

const dayMs = 24 * 3_600_000;

/** A rule as `change` has it typed: what its form shows, and what takes a change back. */
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

/** What takes a change back; undefined where something cannot be taken back: a channel that shows progress. */
export function inputToUndo(change: RuleChange, before: CampaignTerms): TextInput | undefined {
  if (change.board !== undefined) return undefined;
  const { within, complete, valid, renew, remind, overdue, escalate } = inputOfTerms(before);
  const input: Record<string, readonly string[] | undefined> = {
    ...(change.withinDays !== undefined && { within }),
    ...(change.completeWhen !== undefined && { complete }),
    ...(change.validity !== undefined && (before.validity ? { valid } : { counts: ['good'] })),
    ...(change.renewDays !== undefined && before.validity && { renew }),
    ...(change.remindBeforeMs !== undefined && { remind }),
    ...(change.overdueEveryMs !== undefined && { overdue }),
    ...(change.escalateAfterMs !== undefined && { escalate }),
  };
  return Object.fromEntries(Object.entries(input).flatMap(([name, texts]) => (texts ? [[name, texts]] : [])));
}
