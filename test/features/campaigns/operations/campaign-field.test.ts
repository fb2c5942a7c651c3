import { expect, test } from 'vitest';
import { addToCampaign } from '../../../../src/features/campaigns/operations/add.ts';
import { showCampaign } from '../../../../src/features/campaigns/operations/show-campaign.ts';
import type { AnyContext } from '../../../../src/operations/context.ts';
import { campaignKind, type CampaignField } from '../../../../src/operations/fields/campaign.ts';
import { campaignOf } from '../../../support/builders/campaigns.ts';

const campaign = campaignOf({ ownerId: 'UTOM' });

/** What Tom, who started the campaign, means by its ID. */
async function named(field: CampaignField, seesQuiz: boolean) {
  const resolver = {
    actor: { personId: 'UTOM', user: undefined },
    visibility: { quiz: () => seesQuiz },
    campaigns: { all: async () => [campaign], byId: async () => campaign },
  } as unknown as AnyContext;
  return campaignKind.resolve([campaign.id], field, resolver);
}

test('whoever started a campaign still sees it without its quiz, and can assign the quiz to nobody', async () => {
  for (const [{ fields }, seesQuiz, kind] of [
    [showCampaign, false, 'value'],
    [addToCampaign, true, 'value'],
    [addToCampaign, false, 'invalid'],
  ] as const)
    expect(await named(fields['campaign'] as CampaignField, seesQuiz)).toMatchObject({ kind });
});
