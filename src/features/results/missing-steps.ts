import { say } from '../../domain/said.ts';
import { remindCampaign } from '../campaigns/operations/remind.ts';
import { startCampaign } from '../campaigns/operations/start-campaign.ts';
import { formStep, runStep } from '../../operations/next-step.ts';
import type { Step } from '../../operations/page.ts';
import type { OperationResult } from '../../operations/operation-result.ts';

/** What to do about people who are missing: remind them in the campaign that runs, or start one; in the group that was asked about. */
export function missingSteps({
  quiz,
  group,
  missing,
  campaignId,
}: Extract<OperationResult, { kind: 'missing' }>): Step[] {
  if (missing.length === 0) return [];
  const people = group && [`group:${group.group_id}`];
  return campaignId === undefined
    ? [formStep(say`Start a campaign…`, startCampaign, { quiz: [quiz.quiz_id], ...(people && { to: people }) })]
    : [runStep(say`Remind`, remindCampaign, { campaign: [campaignId], ...(people && { people }) })];
}
