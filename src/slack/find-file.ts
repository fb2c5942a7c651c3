import type { WebClient } from '@slack/web-api';
import { callSlack } from './errors.ts';

/** The clocks of the bot and of Slack differ by so much at most. */
const clocksDifferMs = 60_000;
const messagesAtMost = 200;

/** Looks in the direct messages with a person for a file that the bot sent since a moment. Throws `PlatformError`. */
export function createFindFile(slack: WebClient) {
  return async (personId: string, name: string, since: number): Promise<boolean> =>
    callSlack(async () => {
      const { channel } = await slack.conversations.open({ users: personId });
      const oldest = String((since - clocksDifferMs) / 1_000);
      const { messages = [] } = await slack.conversations.history({
        channel: channel?.id ?? '',
        oldest,
        limit: messagesAtMost,
      });
      return messages.some(({ files = [] }) => files.some((file) => file.name === name || file.title === name));
    });
}
