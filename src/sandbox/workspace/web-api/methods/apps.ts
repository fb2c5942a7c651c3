import { organizationOf, workspacesOf } from '../../core.ts';
import { botId, botUserId, teamDomain, teamId, teamName } from '../../people.ts';
import { ApiError, type Method, method, page } from '../method.ts';

/** Methods about the app itself and its workspace. */
export const apps: Record<string, Method> = {
  // The token of an organization names the organization where others name their workspace, as in the payloads of
  // slackapi's own samples and in https://github.com/lobu-ai/lobu/pull/3047.
  'auth.test': method('special', [], (core) => {
    const organization = organizationOf(core);
    return {
      url: `${core.baseUrl()}/`,
      team: organization?.name ?? teamName,
      user: 'invigilator',
      team_id: organization?.id ?? teamId,
      user_id: botUserId,
      bot_id: botId,
      ...(core.enterprise && { enterprise_id: core.enterprise.id }),
      is_enterprise_install: organization !== undefined,
    };
  }),
  'auth.teams.list': method(2, [], (core, args) => {
    const { items, response_metadata } = page(workspacesOf(core), args);
    return { teams: items, response_metadata };
  }),
  'team.info': method(3, ['team:read'], (core, args) => {
    const id = args.text('team') ?? teamId;
    if (id === teamId) return { team: { id, name: teamName, domain: teamDomain, email_domain: 'quiz.example' } };
    // Other workspaces are visible through the channels that they share.
    const partner = [...core.state.channels.values()]
      .flatMap(({ sharedWith = [] }) => sharedWith)
      .find((team) => team.id === id);
    if (partner === undefined) throw new ApiError('team_not_found');
    return { team: { ...partner, domain: partner.name.toLowerCase().replaceAll(/\W+/g, '-') } };
  }),
  'apps.connections.open': method(1, ['connections:write'], (core) => {
    const url = core.sockets.ticket(core.baseUrl());
    if (url === undefined) throw new ApiError('too_many_websockets');
    return { url };
  }),
};
