import type { WebClient } from '@slack/web-api';
import type { Person } from '../directory/identity.ts';

/** Asks Slack who somebody is. `teamId` is the workspace the bot lives in, where it is known already. */
export async function lookUpPerson(client: WebClient, personId: string, teamId: string | undefined): Promise<Person> {
  const { user } = await client.users.info({ user: personId });
  const isElsewhere = teamId !== undefined && user?.team_id !== undefined && user.team_id !== teamId && !user.enterprise_user;
  return {
    emailAddress: user?.profile?.email,
    timeZone: user?.tz,
    outsider: user?.deleted
      ? 'deactivated'
      : user?.is_bot
        ? 'bot'
        : user?.is_restricted || user?.is_ultra_restricted
          ? 'guest'
          : user?.is_stranger || isElsewhere
            ? 'stranger'
            : undefined,
  };
}
