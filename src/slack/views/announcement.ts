import type { Announcement } from '../../domain/announcement.ts';
import { pausedMessage, subscribedMessage } from './alerts.ts';
import { assignedMessage, ownResultMessage } from './direct-message.ts';
import { digestMessage, digestRestMessage } from './digest.ts';
import type { Message } from './message.ts';
import { submissionMessage, testAlertMessage, threadMessage } from './submission.ts';
import { submissionsMessage } from './submissions.ts';

/** What a channel, the owner of a subscription, or a respondent reads. */
export function announcementMessage(announcement: Announcement): Message {
  switch (announcement.kind) {
    case 'submission':
      return submissionMessage(announcement.submission, announcement);
    case 'submissions':
      return submissionsMessage(announcement.items, announcement.timeZone);
    case 'thread-head':
      return threadMessage(announcement.counts, announcement.timeZone);
    case 'digest':
      return digestMessage(announcement.digest, announcement.subscription);
    case 'digest-rest':
      return digestRestMessage(announcement.items, announcement.subscription);
    case 'subscribed':
      return subscribedMessage(announcement.subscription);
    case 'test-alert':
      return testAlertMessage(announcement.subscription);
    case 'paused':
      return pausedMessage(announcement.subscription, announcement.code, announcement.waiting);
    case 'assigned':
      return assignedMessage(announcement);
    case 'own-result':
      return ownResultMessage(announcement);
  }
}
