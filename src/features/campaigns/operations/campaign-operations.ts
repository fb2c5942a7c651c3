import type { Operation } from '../../../operations/operation.ts';
import { addToCampaign } from './add.ts';
import { changeCampaign } from './change-campaign.ts';
import { endCampaign } from './end.ts';
import { excuseFromCampaign, includeInCampaign } from './excuse-and-include.ts';
import { extendCampaign } from './extend.ts';
import { handOverCampaign } from './hand-over.ts';
import { requireQuiz } from './require-quiz.ts';
import { remindCampaign } from './remind.ts';
import { listCampaigns, showCampaign } from './list-and-show.ts';
import { exportMatrix, showMatrix } from './matrix.ts';
import { reportCampaign } from './report-campaign.ts';
import { runCampaign, showPlan } from './run-campaign.ts';
import { runChange, showChange } from './run-change.ts';
import { startCampaign } from './start-campaign.ts';
import { showYear } from './year.ts';
import { takeIn } from './take-in.ts';

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
  showPlan,
  runCampaign,
  showChange,
  runChange,
];
