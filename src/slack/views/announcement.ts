import type { Announcement } from '../../domain/announcement.ts';
import { rightsLentPage } from './administration/lent-rights.ts';
import { closedReason } from '../errors.ts';
import { drawPage } from './blocks/page.ts';
import { auditPostMessage } from './audit/audit-posts.ts';
import { batchProgressMessage } from './batches/batch-progress.ts';
import { campaignBoardPage, campaignEndPage } from '../../features/campaigns/pages/board.ts';
import {
  campaignEscalationsPage,
  campaignNoticesPage,
  campaignReportsPage,
} from '../../features/campaigns/pages/messages.ts';
import {
  campaignAcceptedPage,
  campaignCandidatesPage,
  campaignChannelClosedPage,
  campaignNotMePage,
  campaignOfferPage,
  campaignOrphanedPage,
  campaignPausedPage,
  campaignUnassignedPage,
  campaignUnreadablePage,
  notReportPage,
} from '../../features/campaigns/pages/owner.ts';
import type { Message } from './blocks/message.ts';
import { departuresPage } from './users/departures.ts';
import { ownPasswordMessage } from './users/password.ts';
import { pausedPage, subscribedPage } from '../../features/alerts/pages/alerts.ts';
import { digestPage } from '../../features/alerts/pages/digest.ts';
import {
  assignedPage,
  ownResultPage,
  submissionPage,
  submissionsPage,
  testAlertPage,
  threadPage,
} from '../../features/alerts/pages/submissions.ts';

/** What a channel or a person reads. */
export function announcementMessage(announcement: Announcement): Message {
  switch (announcement.kind) {
    case 'submission':
      return drawPage(submissionPage(announcement), announcement);
    case 'submissions':
      return drawPage(submissionsPage(announcement), { ...announcement, isWhole: true });
    case 'thread-head':
      return drawPage(threadPage(announcement.counts), { timeZone: 'UTC' });
    case 'digest':
      return drawPage(digestPage(announcement.digest, announcement.subscription), announcement.subscription);
    case 'subscribed':
      return drawPage(subscribedPage(announcement.subscription), announcement.subscription);
    case 'test-alert':
      return drawPage(testAlertPage(announcement.subscription), announcement.subscription);
    case 'paused':
      return drawPage(pausedPage(announcement, closedReason(announcement.code)), announcement.subscription);
    case 'assigned':
      return drawPage(assignedPage(announcement), { timeZone: 'UTC' });
    case 'own-result':
      return drawPage(ownResultPage(announcement), { timeZone: 'UTC' });
    case 'own-password':
      return ownPasswordMessage(announcement);
    case 'rights-lent':
      return drawPage(rightsLentPage(announcement), { timeZone: 'UTC' });
    case 'campaign-board':
      return drawPage(campaignBoardPage(announcement), announcement.campaign.lead);
    case 'campaign-end':
      return drawPage(campaignEndPage(announcement), announcement.campaign.lead);
    case 'campaign-channel-closed':
      return drawPage(campaignChannelClosedPage(announcement, closedReason(announcement.code)), { timeZone: 'UTC' });
    case 'campaign-notices':
      return drawPage(campaignNoticesPage(announcement), announcement);
    case 'campaign-escalations':
      return drawPage(campaignEscalationsPage(announcement), announcement);
    case 'campaign-reports':
      return drawPage(campaignReportsPage(announcement, 'Slack'), { timeZone: 'UTC' });
    case 'campaign-not-report':
      return drawPage(notReportPage(announcement), { timeZone: 'UTC' });
    case 'campaign-not-me':
      return drawPage(campaignNotMePage(announcement), { timeZone: 'UTC' });
    case 'campaign-paused':
      return drawPage(campaignPausedPage(announcement), { timeZone: 'UTC' });
    case 'campaign-orphaned':
      return drawPage(campaignOrphanedPage(announcement), { timeZone: 'UTC' });
    case 'campaign-offer':
      return drawPage(campaignOfferPage(announcement), { timeZone: 'UTC' });
    case 'campaign-accepted':
      return drawPage(campaignAcceptedPage(announcement), { timeZone: 'UTC' });
    case 'campaign-unassigned':
      return drawPage(campaignUnassignedPage(announcement), { timeZone: 'UTC' });
    case 'campaign-candidates':
      return drawPage(campaignCandidatesPage(announcement), { timeZone: 'UTC' });
    case 'campaign-unreadable':
      return drawPage(campaignUnreadablePage(announcement), { timeZone: 'UTC' });
    case 'audit-changes':
    case 'audit-request':
    case 'audit-refusals':
    case 'audit-missing':
    case 'audit-channel-closed':
      return auditPostMessage(announcement);
    case 'departures':
      return drawPage(departuresPage(announcement.list, announcement.timeZone), announcement);
    case 'batch-progress':
      return batchProgressMessage(announcement);
  }
}
