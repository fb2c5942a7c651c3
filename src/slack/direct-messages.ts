import type { WebClient } from '@slack/web-api';
import { callSlack } from './errors.ts';

/** @returns the id of the bot's conversation with a person @throws {PlatformError} */
export type OpenDirectMessages = (personId: string) => Promise<string>;

/** People whose conversation is remembered. The id of a conversation never changes. */
const knownAtMost = 10_000;

/**
 * Finds the conversation of the bot with a person. `chat.postMessage` also takes the person's id, but then the message
 * can end up with Slackbot: https://docs.slack.dev/reference/methods/chat.postMessage#channels
 */
export function createOpenDirectMessages(client: WebClient): OpenDirectMessages {
  const known = new Map<string, string>();

  return async (personId) => {
    const id = known.get(personId) ?? (await open(personId));
    if (known.size >= knownAtMost) known.clear();
    known.set(personId, id);
    return id;
  };

  async function open(personId: string): Promise<string> {
    const { channel } = await callSlack(async () => client.conversations.open({ users: personId }));
    if (!channel?.id) throw new Error('Slack opened a conversation without an id');
    return channel.id;
  }
}
