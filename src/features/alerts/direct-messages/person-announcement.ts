import type { Announcement, CampaignEscalation, CampaignNotice, LateReport } from '../../../domain/announcement.ts';
import type { CampaignMessage, QueueEntry } from '../../../domain/queue-entry.ts';

/** Who reads a message, and when it is written (milliseconds since the epoch). */
interface Reader {
  userId: string;
  now: number;
  /** Those of a manager who are late. */
  reports: readonly LateReport[];
}

/** The address where a quiz is taken; undefined where the account has none configured. */
type TakeUrl = (quizId: string) => string | undefined;

/** The message of these entries, which are of one kind. Undefined for what an earlier version of the bot does not know. */
export function personAnnouncement(
  picked: readonly QueueEntry[],
  { userId, now, reports }: Reader,
  takeUrl: TakeUrl,
): Announcement | undefined {
  const content = picked[0]?.content;
  switch (content?.kind) {
    case 'assigned': {
      const { kind, quizId, quizName, by } = content;
      return { kind, quizName, by, takeUrl: takeUrl(quizId) };
    }
    case 'own-result':
      return {
        kind: 'own-result',
        submission: content.submission,
        reportUrl: content.reportUrl,
        ...(content.submission.outcome === 'failed' && { takeUrl: takeUrl(content.submission.quizId) }),
      };
    case 'own-password':
      return { ...content, userId };
    case 'campaign-notice':
      return { kind: 'campaign-notices', notices: noticesIn(picked, takeUrl), now };
    case 'campaign-escalation':
      return { kind: 'campaign-escalations', escalations: escalationsIn(picked, takeUrl) };
    case 'campaign-reports':
      return reports.length === 0 ? undefined : { kind: 'campaign-reports', people: reports };
    case 'rights-lent':
    case 'campaign-not-me':
    case 'campaign-paused':
    case 'campaign-orphaned':
    case 'campaign-offer':
    case 'campaign-accepted':
    case 'campaign-unassigned':
    case 'campaign-candidates':
    case 'campaign-unreadable':
    case 'campaign-not-report':
      return content;
    default:
      return undefined;
  }
}

/** The notices of these entries, the latest of each campaign. A person who has not had the first message yet is not reminded. */
function noticesIn(entries: readonly Pick<QueueEntry, 'content'>[], takeUrl: TakeUrl): CampaignNotice[] {
  const notices = entries.flatMap(({ content }) => (content.kind === 'campaign-notice' ? [content] : []));
  return [...Map.groupBy(notices, ({ campaignId }) => campaignId).values()].flatMap((own) =>
    own.slice(-1).map(({ campaignId, quizId, quizName, by, dueAt, hasFailed, validUntil, dueWas, isForThem }) => ({
      ...firstWords(own),
      campaignId,
      quizId,
      quizName,
      by,
      dueAt,
      isReminder: own.every(({ isReminder }) => isReminder),
      takeUrl: takeUrl(quizId),
      ...(hasFailed && { hasFailed }),
      ...(validUntil !== undefined && { validUntil }),
      ...(dueWas !== undefined && { dueWas }),
      ...(isForThem && { isForThem }),
    })),
  );
}

/** The escalations of these entries, the latest of each campaign. */
function escalationsIn(entries: readonly Pick<QueueEntry, 'content'>[], takeUrl: TakeUrl): CampaignEscalation[] {
  const latest = new Map(
    entries.flatMap(({ content }) => (content.kind === 'campaign-escalation' ? [[content.campaignId, content]] : [])),
  );
  return [...latest.values()].map(({ kind: _, ...escalation }) => ({
    ...escalation,
    takeUrl: escalation.ownQuizId === undefined ? undefined : takeUrl(escalation.ownQuizId),
  }));
}

/** What goes with a first message that waits. */
function firstWords(notices: readonly Extract<CampaignMessage, { kind: 'campaign-notice' }>[]) {
  const first = notices.find(({ isReminder }) => !isReminder);
  return {
    ...(first?.words !== undefined && { words: first.words }),
    ...(first?.takesMinutes !== undefined && { takesMinutes: first.takesMinutes }),
  };
}
