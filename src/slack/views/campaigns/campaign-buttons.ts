import type { Button } from '@slack/types';
import { changeCampaign } from '../../../features/campaigns/operations/change-campaign.ts';
import { endCampaign } from '../../../features/campaigns/operations/end.ts';
import { handOverCampaign } from '../../../features/campaigns/operations/hand-over.ts';
import { excuseFromCampaign, includeInCampaign } from '../../../features/campaigns/operations/excuse-and-include.ts';
import { extendCampaign } from '../../../features/campaigns/operations/extend.ts';
import { remindCampaign } from '../../../features/campaigns/operations/remind.ts';
import { reportCampaign } from '../../../features/campaigns/operations/report-campaign.ts';
import { showCampaign } from '../../../features/campaigns/operations/show-campaign.ts';
import { say } from '../../../domain/said.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { operationButton, type OperationButton } from '../blocks/buttons.ts';

/** What people do to a campaign from its messages. */
const actions = {
  remind: { text: say`Remind now`, doing: 'beside', operation: remindCampaign },
  extend: { text: say`Extend…`, doing: 'form', operation: extendCampaign },
  change: { text: say`Change…`, doing: 'form', operation: changeCampaign },
  keepIn: { text: say`Keep in`, doing: 'beside', operation: includeInCampaign },
  accept: { text: say`Accept`, doing: 'beside', operation: handOverCampaign },
  takeOver: { text: say`Take over`, doing: 'beside', operation: handOverCampaign },
  excuse: { text: say`Excuse…`, doing: 'form', operation: excuseFromCampaign },
  end: { text: say`End`, doing: 'beside', operation: endCampaign },
  all: { text: say`View all`, doing: 'modal', operation: showCampaign },
  report: { text: say`Report`, doing: 'beside', operation: reportCampaign },
} as const satisfies Record<string, Omit<OperationButton, 'raw'>>;

export type CampaignAction = keyof typeof actions;

/**
 * Buttons that change a campaign or show it. Everybody in the channel sees them; rights are checked at the click.
 *
 * @param input for the form of the operation, besides the campaign
 */
export function campaignButtons(campaignId: string, names: readonly CampaignAction[], input: TextInput = {}): Button[] {
  return names.flatMap((name) =>
    operationButton(name, { ...actions[name], raw: { campaign: [campaignId], ...input } }),
  );
}
