import type { Campaign } from '../../domain/campaign.ts';
import type { StepOutputs } from '../../domain/workflow.ts';
import { memberDueAt } from '../../obligations/members.ts';
import { campaignCandidates } from '../../operations/fields/campaign-labels.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { showCampaign } from '../campaigns/operations/show-campaign.ts';
import type { TextInput } from '../../operations/text-input.ts';

/** The input that shows the campaign of an answer; undefined where the answer is about none. */
export function shownCampaign(result: OperationResult): TextInput | undefined {
  return result.kind === 'done'
    ? result.next?.find(({ operation }) => operation === showCampaign.name)?.input
    : undefined;
}

/**
 * Which campaign it is, and when the person has to have taken the quiz; no time for somebody whose pass counts for good.
 *
 * @param personId on the platform
 * @param now in milliseconds since the epoch
 */
export function dueOutputs(campaign: Campaign, personId: string | undefined, now: number): StepOutputs {
  const [label] = campaignCandidates([campaign]);
  const member = campaign.members.find((one) => one.personId !== null && one.personId === personId);
  const dueAt = member && memberDueAt(member, campaign, now);
  return {
    ...(label && { campaign: label.label }),
    ...(dueAt !== undefined && { due_at: Math.floor(dueAt / 1000) }),
  };
}
