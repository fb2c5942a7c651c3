interface ClosedWords {
  why: string;
  mend: string;
}

const notIn: ClosedWords = { why: 'Invigilator is not in the channel', mend: 'Type “/invite @Invigilator” in it, then try again.' };
const restricted: ClosedWords = { why: 'only some people may post in the channel', mend: 'Have somebody who manages the channel let Invigilator post in it, then try again.' };
const closed: Readonly<Record<string, ClosedWords>> = {
  not_in_channel: notIn,
  // Slack also says this of a private channel that the bot is not in.
  channel_not_found: notIn,
  is_archived: { why: 'the channel is archived', mend: 'Unarchive it, then try again.' },
  restricted_action: restricted,
  restricted_action_read_only_channel: restricted,
  restricted_action_thread_only_channel: restricted,
};

/** Why Slack does not let the bot post in a channel, by Slack's error, and what to do. */
export function closedWords(code: string): ClosedWords {
  return closed[code] ?? { why: `Slack does not let Invigilator post in the channel (${code})`, mend: 'Ask an administrator of the workspace, then try again.' };
}

/** The same as sentences. */
export function closedMessage(code: string): string {
  const { why, mend } = closedWords(code);
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}. ${mend}`;
}
