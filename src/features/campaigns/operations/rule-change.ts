import type { RuleChange } from '../../../domain/campaign.ts';
import type { CampaignTerms } from '../../../domain/campaign-plan.ts';
import { endOf } from './schedule-input.ts';

/** What a campaign asks for after a change of its rule. A round that is due keeps its due time, and ends as it would with this escalation. */
export function changedTerms(
  { completeWhen, validity, standing, schedule, board }: CampaignTerms,
  change: RuleChange,
): CampaignTerms {
  const kept = change.validity === undefined ? validity : (change.validity ?? undefined);
  const escalateAfterMs = given(change.escalateAfterMs, schedule.escalateAfterMs);
  return {
    completeWhen: change.completeWhen ?? completeWhen,
    ...(kept && { validity: kept }),
    ...(standing && {
      standing: {
        ...standing,
        withinDays: change.withinDays ?? standing.withinDays,
        renewDays: change.renewDays ?? standing.renewDays,
      },
    }),
    schedule: {
      ...schedule,
      remindBeforeMs: change.remindBeforeMs ?? schedule.remindBeforeMs,
      overdueEveryMs: given(change.overdueEveryMs, schedule.overdueEveryMs),
      escalateAfterMs,
      endsAt:
        change.escalateAfterMs === undefined || schedule.dueAt === undefined
          ? schedule.endsAt
          : endOf(schedule.dueAt, escalateAfterMs),
    },
    board: change.board ?? board,
  };
}

/** The terms of a campaign alone. */
export function termsOf({ completeWhen, validity, standing, schedule, board }: CampaignTerms): CampaignTerms {
  return { completeWhen, ...(validity && { validity }), ...(standing && { standing }), schedule, board };
}

function given<Value>(changed: Value | null | undefined, kept: Value): Value | undefined {
  return changed === undefined ? kept : (changed ?? undefined);
}
