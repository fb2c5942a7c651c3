import type { CampaignField } from '../../../operations/fields/campaign.ts';
import type { SeveralField } from '../../../operations/fields/several.ts';

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

/** Those that are not over; without any, all that the people who are named are in. */
export const campaignsField = {
  kind: 'campaigns',
  label: 'Campaigns',
  hint: 'By the names of their quizzes. Leave empty for all that the people below are in',
  optional: true,
} as const satisfies SeveralField<'campaigns'>;
