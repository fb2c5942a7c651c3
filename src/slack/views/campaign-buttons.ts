import type { Button } from '@slack/types';
import { operationNamed } from '../../operations/catalog.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { operationButton, type ButtonDoing } from './buttons.ts';

/** What people do to a campaign from its messages. */
const actions = {
  remind: { text: 'Remind now', doing: 'beside', operation: 'remind-campaign' },
  extend: { text: 'Extend…', doing: 'form', operation: 'extend-campaign' },
  excuse: { text: 'Excuse…', doing: 'form', operation: 'excuse-campaign' },
  end: { text: 'End', doing: 'beside', operation: 'end-campaign' },
  all: { text: 'View all', doing: 'modal', operation: 'show-campaign' },
  report: { text: 'Report', doing: 'beside', operation: 'report-campaign' },
} as const satisfies Record<string, { text: string; doing: ButtonDoing; operation: string }>;

export type CampaignAction = keyof typeof actions;

/**
 * Buttons that change a campaign or show it. Everybody in the channel sees them; rights are checked at the click.
 *
 * @param input for the form of the operation, besides the campaign
 */
export function campaignButtons(campaignId: string, names: readonly CampaignAction[], input: TextInput = {}): Button[] {
  return names.flatMap((name) => {
    const { operation, ...button } = actions[name];
    const found = operationNamed(operation);
    return found ? operationButton(name, { ...button, operation: found, raw: { campaign: [campaignId], ...input } }) : [];
  });
}
