import type { CampaignNotice } from '../../domain/announcement.ts';
import type { CampaignMessage, QueueEntry } from '../../domain/queue-entry.ts';
import { nextWorkingMoment, startOfNextDay, type Holidays } from '../../time/working-hours.ts';

/** Messages that answer what a person does come at any time, the others in working hours alone. */
const timedKinds: readonly string[] = ['campaign-notice', 'campaign-escalation'] satisfies CampaignMessage['kind'][];

/** The first message that may come at any time. */
export function firstUntimed(entries: readonly QueueEntry[]): QueueEntry | undefined {
  return entries.find(({ content }) => !timedKinds.includes(content.kind));
}

/** The person’s clock, and what they got. Times are milliseconds since the epoch. */
export interface PersonTimes {
  now: number;
  timeZone: string;
  /** When notices of campaigns were posted last. */
  noticedAt: number | undefined;
  holidays: Holidays;
}

/**
 * Chooses what is posted next of the messages that come in working hours: an escalation, or all notices as one message. A
 * person gets notices once a day, over all campaigns.
 */
export function dueMessages(entries: readonly QueueEntry[], { now, timeZone, noticedAt, holidays }: PersonTimes): { entries: readonly QueueEntry[] } | { waitUntil: number } {
  const escalation = entries.find(({ content }) => content.kind === 'campaign-escalation');
  const noticesAt = noticedAt === undefined || noticedAt > now ? now : startOfNextDay(noticedAt, timeZone);
  const at = nextWorkingMoment(escalation ? now : Math.max(now, noticesAt), timeZone, holidays);
  if (at > now) return { waitUntil: at };
  return { entries: escalation ? [escalation] : entries.filter(({ content }) => content.kind === 'campaign-notice') };
}

/** The notices of these entries, the latest of each campaign. A person who has not had the first message yet is not reminded. */
export function noticesIn(entries: readonly Pick<QueueEntry, 'content'>[], takeUrl: (quizId: string) => string | undefined): CampaignNotice[] {
  const notices = entries.flatMap(({ content }) => (content.kind === 'campaign-notice' ? [content] : []));
  return [...Map.groupBy(notices, ({ campaignId }) => campaignId).values()].flatMap((own) =>
    own.slice(-1).map(({ campaignId, quizId, quizName, by, dueAt }) => ({ campaignId, quizId, quizName, by, dueAt, isReminder: own.every(({ isReminder }) => isReminder), takeUrl: takeUrl(quizId) })),
  );
}
