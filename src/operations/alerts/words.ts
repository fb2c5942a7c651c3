import type { Subscription } from '../../domain/subscription.ts';

/** A subscription in plain words, on one line: `Fire safety, only failed, a message each`. Not escaped. */
export function subscriptionWords(subscription: Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>): string {
  return [subscription.quiz?.name ?? 'Every quiz', ...specWords(subscription)].join(', ');
}

/** The same without the quiz, in parts. */
export function specWords({ filter, delivery, timeZone, showsNames }: Pick<Subscription, 'filter' | 'delivery' | 'timeZone' | 'showsNames'>): string[] {
  return [...filterWords(filter), deliveryWords(delivery, timeZone), ...(showsNames ? [] : ['initials instead of names'])];
}

/** Which submissions, by their result; nothing where it is all. */
export function filterWords(filter: Subscription['filter']): string[] {
  switch (filter.kind) {
    case 'all':
      return [];
    case 'below':
      return [`only below ${filter.percentage} %`];
    case 'grade':
      return [`only grade ${filter.grade}`];
    default:
      return [`only ${filter.kind}`];
  }
}

function deliveryWords(delivery: Subscription['delivery'], timeZone: string): string {
  if (delivery.kind === 'each') return 'a message each';
  if (delivery.kind === 'thread') return `a thread a quiz and day (${timeZone})`;
  return delivery.every === 'hour' ? 'a digest every hour' : `a digest daily at ${delivery.at} (${timeZone})`;
}

interface Closed {
  why: string;
  mend: string;
}

const notIn: Closed = { why: 'Invigilator is not in the channel', mend: 'Type “/invite @Invigilator” in it, then try again.' };
const restricted: Closed = { why: 'only some people may post in the channel', mend: 'Have somebody who manages the channel let Invigilator post in it, then try again.' };
const closed: Readonly<Record<string, Closed>> = {
  not_in_channel: notIn,
  // Slack says the same of a private channel that the bot is not in.
  channel_not_found: notIn,
  is_archived: { why: 'the channel is archived', mend: 'Unarchive it, then try again.' },
  restricted_action: restricted,
  restricted_action_read_only_channel: restricted,
  restricted_action_thread_only_channel: restricted,
};

/** Why Slack does not let the bot post in a channel, by its error, and what to do. */
export function closedWords(code: string): Closed {
  return closed[code] ?? { why: `Slack does not let Invigilator post in the channel (${code})`, mend: 'Ask an administrator of the workspace, then try again.' };
}

/** The same as sentences. */
export function closedSentence(code: string): string {
  const { why, mend } = closedWords(code);
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}. ${mend}`;
}
