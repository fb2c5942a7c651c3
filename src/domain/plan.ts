import type { BatchPlan } from './batch.ts';
import type { CampaignPlan } from './campaign.ts';

/** A change of many things that was worked out and shown, and runs when its maker starts it. */
export interface Plan<Content = CampaignPlan | BatchPlan> {
  id: string;
  teamId: string;
  /** The person who had it made: nobody else can start it. */
  personId: string;
  /** In milliseconds since the epoch. */
  createdAt: number;
  content: Content;
}
