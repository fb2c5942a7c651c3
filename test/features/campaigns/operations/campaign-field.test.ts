import { expect, test } from 'vitest';
import { addToCampaign } from '../../../../src/features/campaigns/operations/add.ts';
import { showCampaign } from '../../../../src/features/campaigns/operations/list-and-show.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import {
  campaignKind,
  visibleCampaigns,
  type CampaignField,
  type CampaignViewer,
} from '../../../../src/operations/fields/campaign.ts';
import { campaignOf } from '../../../support/builders/campaigns.ts';

const campaign = campaignOf({ ownerId: 'UTOM' });

/** What Tom, who started the campaign, means by its ID. */
async function named(field: CampaignField, seesQuiz: boolean) {
  const resolver = {
    actor: { personId: 'UTOM', user: undefined },
    visibility: { quiz: () => seesQuiz },
    campaigns: { all: async () => [campaign], byId: async () => campaign },
  } as unknown as OperationContext;
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

test('who sees a campaign is known without reading it, since years of them are in the list', async () => {
  const read: string[] = [];
  const summaries = ['of others', 'led'].map((id) => ({
    ...campaign,
    id,
    ownerId: 'UADA',
    endedAt: 1,
    leads: id === 'led' ? ['tom'] : ['ada'],
  }));
  const viewer = {
    actor: { personId: 'UTOM', user: { user_id: 'tom' } },
    visibility: { quiz: () => false },
    campaigns: {
      all: async () => summaries,
      byId: async (id: string) => {
        read.push(id);
        return campaign;
      },
    },
  } as unknown as CampaignViewer;
  expect((await visibleCampaigns(viewer)).map(({ id }) => id)).toEqual(['led']);
  expect(read).toEqual([]);
});
