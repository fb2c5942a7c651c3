import type { Operation } from '../../../operations/operation.ts';
import { addToCampaign, takeIn } from './add.ts';
import { changeCampaign, extendCampaign } from './change-campaign.ts';
import { endCampaign, reportCampaign } from './end-and-report.ts';
import { excuseFromCampaign, includeInCampaign } from './excuse-and-include.ts';
import { handOverCampaign } from './hand-over.ts';
import { remindCampaign } from './remind.ts';
import { listCampaigns, showCampaign, showYear, exportMatrix, showMatrix } from './list-and-show.ts';
import { runCampaign } from './run-campaign.ts';
import { runChange } from './run-change.ts';
import { startCampaign, requireQuiz } from './start-campaign.ts';

/** What people do with campaigns, in the order of the help. */
export const campaignOperations: readonly Operation[] = [
  startCampaign,
  requireQuiz,
  listCampaigns,
  showMatrix,
  exportMatrix,
  showYear,
  showCampaign,
  remindCampaign,
  extendCampaign,
  changeCampaign,
  excuseFromCampaign,
  includeInCampaign,
  addToCampaign,
  takeIn,
  handOverCampaign,
  endCampaign,
  reportCampaign,
  runCampaign,
  runChange,
];
