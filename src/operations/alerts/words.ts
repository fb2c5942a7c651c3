import type { Subscription } from '../../domain/subscription.ts';

/** A subscription in plain words, on one line: `Fire safety, only failed, a message each`. Not escaped. */
export function subscriptionWords(subscription: Pick<Subscription, 'quiz' | 'which' | 'how' | 'timeZone' | 'showsNames'>): string {
  return [subscription.quiz?.name ?? 'Every quiz', ...wishWords(subscription)].join(', ');
}

/** The same without the quiz, in parts. */
export function wishWords({ which, how, timeZone, showsNames }: Pick<Subscription, 'which' | 'how' | 'timeZone' | 'showsNames'>): string[] {
  return [...whichWords(which), howWords(how, timeZone), ...(showsNames ? [] : ['initials instead of names'])];
}

/** Which submissions, by their result; nothing where it is all. */
export function whichWords(which: Subscription['which']): string[] {
  switch (which.kind) {
    case 'all':
      return [];
    case 'below':
      return [`only below ${which.percentage} %`];
    case 'grade':
      return [`only grade ${which.grade}`];
    default:
      return [`only ${which.kind}`];
  }
}

function howWords(how: Subscription['how'], timeZone: string): string {
  if (how.kind === 'each') return 'a message each';
  if (how.kind === 'thread') return `a thread a quiz and day (${timeZone})`;
  return how.every === 'hour' ? 'a digest every hour' : `a digest daily at ${how.at} (${timeZone})`;
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
