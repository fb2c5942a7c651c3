import type { WebClient } from '@slack/web-api';

/** Who the bot is in Slack. */
export interface BotIdentity {
  teamId: string | undefined;
  botId: string | undefined;
  botUserId: string | undefined;
}

/** A token is believed for this long before Slack is asked again. */
const believedForMs = 30_000;

/** Slack's `auth.test`, kept for half a minute; `known` gives the last answer without waiting. */
export function createBotIdentity(client: WebClient, now: () => number) {
  let known: BotIdentity | undefined;
  let askedAt = -Infinity;
  return {
    known: () => known,
    /** Rejects when Slack is out of reach or refuses the token. */
    async confirm(): Promise<BotIdentity> {
      if (known && now() - askedAt < believedForMs) return known;
      const { team_id: teamId, bot_id: botId, user_id: botUserId } = await client.auth.test();
      known = { teamId, botId, botUserId };
      askedAt = now();
      return known;
    },
  };
}
