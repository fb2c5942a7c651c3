import type { CampaignField } from '../../../operations/fields/campaign.ts';

/** Any campaign that the person sees. */
export const anyCampaign = {
  kind: 'campaign',
  label: 'Campaign',
  hint: 'By the name of its quiz',
} as const satisfies CampaignField;

/** A campaign that is not over. */
export const campaignField = { ...anyCampaign, isRunning: true } as const satisfies CampaignField;

/** A campaign that is not over, whose quiz the person can assign. */
export const growingCampaign = { ...campaignField, isOfSeenQuiz: true } as const satisfies CampaignField;
