import type { WebClient } from '@slack/web-api';
import { PlatformError } from '../../domain/errors.ts';
import { say } from '../../domain/said.ts';
import type { MemberList, MembersOf } from '../../operations/services/people.ts';
import { formatMention, type Mention, mentionsInWords } from '../../operations/typed-text.ts';
import { callSlack } from '../errors.ts';
import type { Log } from '../../observability/log.ts';

/** Slack returns fewer per page than asked for, and takes fewer than 1,000: https://docs.slack.dev/reference/methods/conversations.members */
const pagesAtMost = 25;
const pageSize = 999;

/**
 * Lists the people in a channel or user group. Slack lists the members of every public channel, and of private ones with the
 * bot in them.
 */
export function createMembersOf(client: WebClient): MembersOf {
  return async (mention, askedBy, { atMost }) => {
    try {
      if (mention.kind === 'person') return { personIds: [mention.id] };
      return mention.kind === 'usergroup' ? await ofUserGroup(mention.id) : await ofChannel(mention, askedBy, atMost);
    } catch (error) {
      const problem = error instanceof PlatformError ? problems[error.code]?.(nameOf(mention)) : undefined;
      if (problem === undefined) throw error;
      return { problem };
    }
  };

  async function ofUserGroup(usergroup: string): Promise<MemberList> {
    const { users = [] } = await callSlack(async () => client.usergroups.users.list({ usergroup }));
    return { personIds: users };
  }

  async function ofChannel(mention: Mention, askedBy: string, atMost: number): Promise<MemberList> {
    const members = await membersOf(mention.id, atMost);
    const info = async () => (await callSlack(async () => client.conversations.info({ channel: mention.id }))).channel;
    if (members.personIds.includes(askedBy)) {
      // Whose people it has counts more than its name.
      const named = mention.name === undefined ? await info().catch(() => undefined) : undefined;
      return { ...members, name: named?.name };
    }
    const channel = await info();
    return channel?.is_private === false
      ? { ...members, name: channel.name }
      : { problem: say`You’re not in ${nameOf(mention)}, so you can’t use it.` };
  }

  async function membersOf(channel: string, atMost: number): Promise<{ personIds: string[]; isCut?: true }> {
    const personIds: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pagesAtMost && personIds.length <= atMost; page += 1) {
      const answer = await callSlack(async () =>
        client.conversations.members({ channel, limit: pageSize, ...(cursor !== undefined && { cursor }) }),
      );
      personIds.push(...(answer.members ?? []));
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) return { personIds };
    }
    return { personIds, isCut: true };
  }
}

/**
 * By Slack’s code: https://docs.slack.dev/reference/methods/conversations.members#errors and
 * https://docs.slack.dev/reference/methods/usergroups.users.list#errors
 */
const problems: Readonly<Record<string, ((name: string) => string) | undefined>> = {
  channel_not_found: (name) => say`Invigilator isn’t in ${name}. Type /invite @Invigilator there, then try again.`,
  not_in_channel: (name) => say`Invigilator isn’t in ${name}. Type /invite @Invigilator there, then try again.`,
  missing_scope: (name) =>
    say`Invigilator may not see who is in ${name}. The person who installed it in Slack can give it the permission that its documentation names.`,
  no_such_subteam: (name) => say`${name} isn’t a user group any more.`,
  subteam_not_found: (name) => say`${name} isn’t a user group any more.`,
};

function nameOf(mention: Mention): string {
  if (mention.name === undefined) return mention.kind === 'channel' ? say`that channel` : say`that user group`;
  return mentionsInWords(formatMention(mention));
}

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
      const names = await Promise.all((channel.connected_team_ids ?? []).map(companyOf));
      return names.length > 0 ? [...new Set(names)] : [unnamed];
    } catch (error) {
      log.warn({ error, channel: channelId }, 'Slack does not say whether the channel is shared with other companies');
      return [];
    }
  };

  async function companyOf(teamId: string): Promise<string> {
    try {
      const { team } = await callSlack(async () => client.team.info({ team: teamId }));
      return team?.name ?? unnamed;
    } catch (error) {
      log.warn({ error, team: teamId }, 'Slack does not name a company that shares a channel');
      return unnamed;
    }
  }
}
