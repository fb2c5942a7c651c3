import type { WebClient } from '@slack/web-api';
import type { Person } from '../directory/identity.ts';
import { callSlack } from './errors.ts';

/**
 * Looks a person up in Slack.
 * @param teamId the bot's own workspace, where it is known
 * @throws {PlatformError}
 */
export async function lookUpPerson(client: WebClient, personId: string, teamId: string | undefined): Promise<Person> {
  const { user } = await callSlack(async () => client.users.info({ user: personId }));
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
