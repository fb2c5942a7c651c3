import type { WebClient } from '@slack/web-api';
import { answeredCodeOf, messageOf } from '../slack-finding.ts';

/** A channel that the bot is in, or one sentence that says what to do. */
export type FoundChannel = { id: string; problem?: undefined } | { problem: string };

/** Finds the channel that an operator names: `#name`, `name` or the ID. */
export async function findChannel(client: WebClient, typed: string): Promise<FoundChannel> {
  const name = typed.replace(/^#/, '');
  const problem = `The bot isn’t in #${name}: type /invite @Invigilator there, or name a channel that it is in.`;
  try {
    if (/^[CG][A-Z0-9]{6,}$/.test(name)) {
      const { channel } = await client.conversations.info({ channel: name });
      if (channel?.is_archived) return { problem: 'This channel is archived: name another.' };
      return channel?.is_member ? { id: name } : { problem };
    }
    const id = await findByName(client, name);
    return id === undefined ? { problem } : { id };
  } catch (error) {
    const code = answeredCodeOf(error);
    if (code === 'channel_not_found') return { problem };
    return {
      problem: `Slack doesn’t say which channels the bot is in (${code ?? messageOf(error)}): run npm run doctor.`,
    };
  }
}

/** @returns the ID of a channel that the bot is in */
async function findByName(client: WebClient, name: string): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const page = await client.users.conversations({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: 200,
      ...(cursor !== undefined && { cursor }),
    });
    const found = page.channels?.find((channel) => channel.name === name || channel.name_normalized === name);
    if (found?.id !== undefined) return found.id;
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  return undefined;
}
