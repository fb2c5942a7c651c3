import type { BatchPlan } from './batch.ts';
import type { CampaignChangePlan, CampaignPlan } from './campaign-plan.ts';

export type PlanContent = CampaignPlan | CampaignChangePlan | BatchPlan;

/** A change of many things that was worked out and shown, and runs when its maker starts it. */
export interface Plan<Content extends PlanContent = PlanContent> {
  id: string;
  teamId: string;
  /** The person who had it made: nobody else can start it. */
  personId: string;
  /** In milliseconds since the epoch. */
  createdAt: number;
  content: Content;
  /** Undefined where no form made it, and where its form cannot show what was entered. */
  entered?: Entered | undefined;
}

/** What a person entered, by input of the form of an operation: “Change…” opens it again. */
export interface Entered {
  operation: string;
  input: Readonly<Record<string, readonly string[]>>;
}
