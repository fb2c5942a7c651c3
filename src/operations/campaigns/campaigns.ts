import type { Operation } from '../operation.ts';
import { addToCampaign } from './add.ts';
import { endCampaign, excuseFromCampaign, extendCampaign, remindCampaign } from './change.ts';
import { listCampaigns, reportCampaign, showCampaign } from './read.ts';
import { runCampaign, showPlan, startCampaign } from './start.ts';

/** What people do with campaigns, in the order of the help. */
export const campaignOperations: readonly Operation[] = [
  startCampaign,
  listCampaigns,
  showCampaign,
  remindCampaign,
  extendCampaign,
  excuseFromCampaign,
  addToCampaign,
  endCampaign,
  reportCampaign,
  showPlan,
  runCampaign,
];
