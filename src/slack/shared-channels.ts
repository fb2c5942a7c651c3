import type { WebClient } from '@slack/web-api';
import type { Log } from '../observability/log.ts';
import { callSlack } from './errors.ts';
import { say } from '../domain/said.ts';

/** @returns the names of the other companies that share a channel; empty where nobody does */
export type FindCompanies = (channelId: string) => Promise<string[]>;

const unnamed = say`another company`;

/**
 * Looks up with whom a channel is shared through Slack Connect: https://docs.slack.dev/apis/slack-connect. Where Slack does not
 * say, for example because the app lacks a scope, nobody is found and the log tells why.
 */
export function createFindCompanies({ client, log }: { client: WebClient; log: Log }): FindCompanies {
  return async (channelId) => {
    try {
      const { channel } = await callSlack(async () => client.conversations.info({ channel: channelId }));
      if (!channel?.is_ext_shared && !channel?.is_pending_ext_shared) return [];
      const names = await Promise.all((channel.connected_team_ids ?? []).map(nameOf));
      return names.length > 0 ? [...new Set(names)] : [unnamed];
    } catch (error) {
      log.warn({ error, channel: channelId }, 'Slack does not say whether the channel is shared with other companies');
      return [];
    }
  };

  async function nameOf(teamId: string): Promise<string> {
    try {
      const { team } = await callSlack(async () => client.team.info({ team: teamId }));
      return team?.name ?? unnamed;
    } catch (error) {
      log.warn({ error, team: teamId }, 'Slack does not name a company that shares a channel');
      return unnamed;
    }
  }
}
