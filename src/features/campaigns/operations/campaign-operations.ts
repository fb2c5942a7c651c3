import type { Operation } from '../../../operations/operation.ts';
import { addToCampaign, takeIn } from './add.ts';
import { changeCampaign } from './change-campaign.ts';
import { endCampaign, reportCampaign } from './end-and-report.ts';
import { excuseFromCampaign, includeInCampaign } from './excuse-and-include.ts';
import { extendCampaign } from './extend.ts';
import { handOverCampaign } from './hand-over.ts';
import { requireQuiz } from './require-quiz.ts';
import { remindCampaign } from './remind.ts';
import { listCampaigns, showCampaign, showYear } from './list-and-show.ts';
import { exportMatrix, showMatrix } from './matrix.ts';
import { runCampaign } from './run-campaign.ts';
import { runChange } from './run-change.ts';
import { startCampaign } from './start-campaign.ts';

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
