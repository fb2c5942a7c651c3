import type { CampaignPlan } from '../../../domain/campaign-plan.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { firstMessagesOf } from './first-messages.ts';
import { approvalFor } from './needed-approval.ts';
import type { TakingPart } from './who-takes-part.ts';

/** What a plan says of the people who were found: what they get, when, and whether that needs approval. */
export function planFor(
  { visibility, holidays }: OperationContext<'holidays'>,
  { users, members, assign, leftOut, valid, takesMinutes }: TakingPart,
  { standing, schedule, lead }: Pick<CampaignPlan, 'standing' | 'schedule' | 'lead'>,
  setting: { nowMs: number; noticedAt: ReadonlyMap<string, number> },
) {
  return {
    kind: 'campaign' as const,
    ...(standing && { standing }),
    schedule,
    lead,
    ...(takesMinutes !== undefined && { takesMinutes }),
    members,
    assign,
    leftOut,
    ...(valid.length > 0 && { valid }),
    approval: approvalFor(users.map((user) => ({ isTrained: visibility.trains(user) }))),
    assigning: { requests: assign.groups.length + assign.users.length },
    ...firstMessagesOf({ ...(standing && { standing }), schedule, members, lead }, { ...setting, holidays }),
  };
}
